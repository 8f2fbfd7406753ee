import type { Signal } from './abort.ts'
import type { AcquireOptions, Allowance } from './acquire.ts'
import type { Due } from './deadlines.ts'
import type { Linked } from './list.ts'
import type { Permit } from './permit.ts'
import type { Queued } from './queue.ts'
import type { Weight } from './weight.ts'

/** How a caller comes to wait. */
export interface Coming {
  /** Its place in the order of asking, and when it came here. */
  readonly arrival: number
  readonly since: number
  /** When its allowance began, where it has. */
  readonly parkedSince: number | undefined
  /** When it leaves at the latest, whatever holds it. Infinity for never. */
  readonly leavesAt: number
}

/** A caller who waits for a permit. One object each, with all fields from the start: there may be very many. */
export class Waiter implements Queued, Due, Coming, Linked<Waiter> {
  previous: Waiter | undefined = undefined
  next: Waiter | undefined = undefined
  readonly weight: Weight
  readonly priority: number
  readonly signal: Signal | undefined
  readonly allowance: Allowance | undefined
  readonly whenParked: 'wait' | 'refuse' | undefined
  readonly startsLater: boolean
  readonly arrival: number
  readonly since: number
  readonly leavesAt: number
  readonly permit: Promise<Permit>
  resolve!: (permit: Permit) => void
  reject!: (reason: unknown) => void
  parkedSince: number | undefined
  giveUpAt: number
  left = false

  constructor(asked: AcquireOptions, { arrival, since, parkedSince, leavesAt }: Coming) {
    this.weight = asked.weight ?? 1
    this.priority = asked.priority ?? 0
    this.signal = asked.signal ?? undefined
    this.allowance = asked.allowance
    this.whenParked = asked.whenParked
    this.startsLater = asked.startsLater ?? false
    this.arrival = arrival
    this.since = since
    this.leavesAt = leavesAt
    this.permit = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
    this.parkedSince = parkedSince
    this.giveUpAt = giveUpAt(this)
  }
}

/** When a caller gives up: as its allowance ends, which it does not while it has not begun, or as it leaves whatever holds it. */
export function giveUpAt(waiter: Pick<Waiter, 'allowance' | 'parkedSince' | 'leavesAt'>): number {
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
