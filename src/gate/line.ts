import { Aborts, type Signal } from './abort.ts'
import type { Allowance } from './acquire.ts'
import { Deadlines, type Due } from './deadlines.ts'
import type { Permit } from './permit.ts'
import { type Place, Queue, type Rank } from './queue.ts'
import type { Weight } from './weight.ts'

/** A caller who waits for a permit. */
export interface Waiter {
  readonly weight: Weight
  readonly priority: number
  readonly signal: Signal | undefined
  readonly allowance: Allowance | undefined
  readonly whenParked: 'wait' | 'refuse' | undefined
  readonly startsLater: boolean | undefined
  /** Its place in the order of asking, and when it came here. */
  readonly arrival: number
  readonly since: number
  /** When its allowance began, where it has. */
  readonly parkedSince: number | undefined
  /** When it leaves at the latest, whatever holds it. Infinity for never. */
  readonly leavesAt: number
  readonly resolve: (permit: Permit) => void
  readonly reject: (reason: unknown) => void
}

/** A waiter in line. One object each, with all fields from the start: there may be very many. */
class Standing implements Waiter, Due {
  readonly weight: Weight
  readonly priority: number
  readonly signal: Signal | undefined
  readonly allowance: Allowance | undefined
  readonly whenParked: Waiter['whenParked']
  readonly startsLater: boolean | undefined
  readonly arrival: number
  readonly since: number
  readonly leavesAt: number
  readonly resolve: Waiter['resolve']
  readonly reject: Waiter['reject']
  parkedSince: number | undefined
  giveUpAt: number
  left = false
  place: Place<Standing> | undefined

  constructor(waiter: Waiter) {
    this.weight = waiter.weight
    this.priority = waiter.priority
    this.signal = waiter.signal
    this.allowance = waiter.allowance
    this.whenParked = waiter.whenParked
    this.startsLater = waiter.startsLater
    this.arrival = waiter.arrival
    this.since = waiter.since
    this.leavesAt = waiter.leavesAt
    this.resolve = waiter.resolve
    this.reject = waiter.reject
    this.parkedSince = waiter.parkedSince
    this.giveUpAt = giveUpAt(waiter)
    this.place = undefined
  }
}

/** Those who wait, in order. Whoever's signal aborts leaves at once; whoever's allowance ends is due. */
export class Line {
  readonly #queue = new Queue<Standing>()
  readonly #aborts: Aborts<Standing>
  readonly #deadlines = new Deadlines<Standing>()

  /** `onLeave` is told when callers have left by themselves. */
  constructor(onLeave: () => void) {
    this.#aborts = new Aborts((waiters, reason) => {
      for (const waiter of waiters) {
        this.#take(waiter)
        this.#deadlines.leave(waiter)
        waiter.reject(reason)
      }
      onLeave()
    })
  }

  get size(): number {
    return this.#queue.size
  }

  get head(): Waiter | undefined {
    return this.#queue.head
  }

  /** When the next allowance ends; Infinity where none does. */
  get nextDueAt(): number {
    return this.#deadlines.nextAt
  }

  /** Whether a newcomer would have to stand behind another. */
  hasAhead(rank: Rank): boolean {
    return this.#queue.hasAhead(rank)
  }

  /** Units of weight that go before a newcomer. */
  weightAhead(rank: Rank, unit: string): number {
    return this.#queue.weightAhead(rank, unit)
  }

  /** What the first in order spend, at most so many. */
  weights(most: number): Weight[] {
    const weights: Weight[] = []
    for (const { weight } of this.#queue) if (weights.push(weight) >= most) break
    return weights
  }

  join(waiter: Waiter): void {
    const standing = new Standing(waiter)
    standing.place = this.#queue.add(standing)
    this.#deadlines.add(standing)
    if (waiter.signal) this.#aborts.watch(waiter.signal, standing)
  }

  /** The first in order leaves. */
  leave(): Waiter | undefined {
    return this.#leave(this.#queue.head)
  }

  /** One whose allowance has ended by `now` leaves. */
  leaveDue(now: number): Waiter | undefined {
    const due = this.#deadlines.take(now)
    return due && this.#end(due)
  }

  /** The gate is parked: allowances that have not begun do so at `now`. Those who do not wait behind such a park leave. */
  beginAllowances(now: number, parkedUntil: number): Waiter[] {
    for (const waiter of this.#queue) {
      if (waiter.parkedSince !== undefined) continue
      waiter.parkedSince = now
      if (waiter.giveUpAt < Infinity) continue
      waiter.giveUpAt = giveUpAt(waiter)
      this.#deadlines.add(waiter)
    }
    const leaving = [...this.#queue].filter(
      (waiter) => waiter.whenParked === 'refuse' || isTooLong(waiter, parkedUntil),
    )
    for (const waiter of leaving) this.#leave(waiter)
    return leaving
  }

  /** The gate is open again: who waits now waits for room, which no allowance bounds but that of one who is trying again. */
  endAllowances(): void {
    this.#deadlines.clear()
    for (const waiter of this.#queue) {
      waiter.parkedSince = undefined
      waiter.giveUpAt = giveUpAt(waiter)
      this.#deadlines.add(waiter)
    }
  }

  #leave(waiter: Standing | undefined): Waiter | undefined {
    if (waiter === undefined) return undefined
    this.#end(waiter)
    this.#deadlines.leave(waiter)
    return waiter
  }

  #end(waiter: Standing): Waiter {
    this.#take(waiter)
    if (waiter.signal) this.#aborts.unwatch(waiter.signal, waiter)
    return waiter
  }

  #take(waiter: Standing): void {
    this.#queue.remove(waiter.place!)
    waiter.left = true
  }
}

/** When a caller gives up: as its allowance ends, which it does not while it has not begun, or as it leaves whatever holds it. */
function giveUpAt(waiter: Pick<Waiter, 'allowance' | 'parkedSince' | 'leavesAt'>): number {
  return Math.min(waiter.leavesAt, endOf(waiter))
}

/** When an allowance ends; Infinity while it has not begun. */
function endOf({ allowance, parkedSince }: Pick<Waiter, 'allowance' | 'parkedSince'>): number {
  if (allowance === undefined) return Infinity
  return (allowance.startedAt ?? parkedSince ?? Infinity) + allowance.maxDurationMs
}

/** Whether a caller would rather be refused now than at the end of its allowance. */
export function isTooLong(waiter: Pick<Waiter, 'allowance' | 'parkedSince'>, until: number): boolean {
  return waiter.allowance?.whenTooLong === 'return' && until > endOf(waiter)
}
