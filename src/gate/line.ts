import { Aborts } from './abort.ts'
import { Deadlines } from './deadlines.ts'
import { Queue, type Rank } from './queue.ts'
import { giveUpAt, isTooLong, type Waiter } from './waiter.ts'
import type { Weight } from './weight.ts'

/** Those who wait, in order. Whoever's signal aborts leaves at once; whoever's allowance ends is due. */
export class Line {
  readonly #queue = new Queue<Waiter>()
  readonly #aborts: Aborts<Waiter>
  readonly #deadlines = new Deadlines<Waiter>()

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
    this.#queue.add(waiter)
    this.#deadlines.add(waiter)
    if (waiter.signal) this.#aborts.watch(waiter.signal, waiter)
  }

  /** One of those who wait leaves. */
  leave(waiter: Waiter): void {
    this.#end(waiter)
    this.#deadlines.leave(waiter)
  }

  /** One whose allowance has ended by `now` leaves. */
  leaveDue(now: number): Waiter | undefined {
    const due = this.#deadlines.take(now)
    if (due) this.#end(due)
    return due
  }

  /** The gate is parked: allowances that have not begun do so at `now`. */
  beginAllowances(now: number): void {
    this.#bound((waiter) => waiter.parkedSince ?? now)
  }

  /** Those who do not wait behind such a park leave. */
  leaveTooLong(parkedUntil: number): Waiter[] {
    const leaving = [...this.#queue].filter(
      (waiter) => waiter.whenParked === 'refuse' || isTooLong(waiter, parkedUntil),
    )
    for (const waiter of leaving) this.leave(waiter)
    return leaving
  }

  /** The gate is open again: who waits now waits for room, which no allowance bounds but that of one who is trying again. */
  endAllowances(): void {
    this.#bound(() => undefined)
  }

  /** Sets since when each waits behind a park, and by that when it gives up. */
  #bound(parkedSinceOf: (waiter: Waiter) => number | undefined): void {
    this.#deadlines.clear()
    for (const waiter of this.#queue) {
      waiter.parkedSince = parkedSinceOf(waiter)
      waiter.giveUpAt = giveUpAt(waiter)
      this.#deadlines.add(waiter)
    }
  }

  #end(waiter: Waiter): void {
    this.#take(waiter)
    if (waiter.signal) this.#aborts.unwatch(waiter.signal, waiter)
  }

  #take(waiter: Waiter): void {
    this.#queue.remove(waiter)
    waiter.left = true
  }
}
