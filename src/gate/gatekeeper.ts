import { type AcquireOptions, type Allowance } from './acquire.ts'
import type { Admission } from './admission.ts'
import type { Attempt } from './attempts.ts'
import { RateLimitError } from './errors.ts'
import type { Block } from './limit.ts'
import { isTooLong, Line, type Waiter } from './line.ts'
import type { GateContext } from './observer.ts'
import type { Permit } from './permit.ts'
import { type Refusal, refusalFor, refusalWhileShut } from './refusal.ts'
import type { Explanation } from './report.ts'
import type { Weight } from './weight.ts'

/**
 * Keeps those who wait for an admission: lets them through in order, refuses them, and ends waits that are over. Like the
 * admission it is handed `now`.
 */
export class Gatekeeper {
  readonly #admission: Admission
  readonly #maxQueueSize: number
  readonly #context: GateContext
  readonly #permitFor: (attempt: Attempt) => Permit
  readonly #line: Line
  /** Until when the gate was last known to be parked. */
  #parkedUntil = -Infinity
  #closing: { until: number; drained: () => void } | undefined

  /** `onLeave` is told when callers have left by themselves. */
  constructor(
    admission: Admission,
    maxQueueSize: number,
    context: GateContext,
    permitFor: (attempt: Attempt) => Permit,
    onLeave: () => void,
  ) {
    this.#admission = admission
    this.#maxQueueSize = maxQueueSize
    this.#context = context
    this.#permitFor = permitFor
    this.#line = new Line(onLeave)
  }

  get queued(): number {
    return this.#line.size
  }

  /** A permit if one is to be had now, without passing anyone who waits. Throws where there never will be one. */
  admit({ weight = 1, priority = 0 }: AcquireOptions, now: number): Permit | undefined {
    if (this.#admission.never(weight)) throw this.#refuse({ reason: 'never' })
    if (this.#closing || this.#line.hasAhead(priority)) return undefined
    return this.#admission.block(weight, now) ? undefined : this.#grant(weight, now)
  }

  /** A caller who cannot go now waits in line, or is refused. */
  enqueue(options: AcquireOptions, now: number): Promise<Permit> {
    const { weight = 1, priority = 0, allowance } = options
    const { park } = this.#admission
    const giveUpAt = this.#giveUpAt(allowance, now)
    const refusal = refusalFor(options, {
      closing: this.#closing !== undefined,
      state: park.state,
      waitMs: this.#projectedMs(weight, priority, now),
      queued: this.#line.size,
      outlasted: isTooLong(allowance, giveUpAt, park.until),
      maxQueueSize: this.#maxQueueSize,
    })
    if (refusal) return Promise.reject(this.#refuse(refusal))
    const signal = options.signal ?? undefined
    const { cause } = this.#blockFor(weight, priority, now)!
    return new Promise((resolve, reject) => {
      this.#line.join({ weight, priority, signal, allowance, since: now, cause, resolve, reject }, giveUpAt)
    })
  }

  /** Lets through whoever may go, in order, and ends the waits that are over. */
  serve(now: number): void {
    this.#beginAllowances(now)
    for (let head = this.#line.head; head; head = this.#line.head) {
      if (this.#closing && now >= this.#closing.until) this.#line.leave()!.reject(this.#refuse({ reason: 'closed' }))
      else if (this.#admission.block(head.weight, now)) break
      else this.#let(this.#line.leave()!, now)
    }
    for (let due = this.#line.leaveDue(now); due; due = this.#line.leaveDue(now)) this.#giveUp(due, now)
    if (this.#line.size === 0) this.#closing?.drained()
  }

  /** When time alone may let somebody through, or end a wait; undefined where nobody waits. */
  wakeAt(now: number): number | undefined {
    const head = this.#line.head
    if (head === undefined) return undefined
    const blockedUntil = this.#admission.block(head.weight, now)?.at ?? now
    const overAt = Math.min(this.#line.nextDueAt, this.#closing?.until ?? Infinity)
    return Math.min(blockedUntil, this.#admission.nextTakeBackAt, overAt)
  }

  explain(weight: Weight, priority: number, now: number): Explanation {
    const block = this.#blockFor(weight, priority, now)
    return {
      wouldWaitMs: block ? this.#projectedMs(weight, priority, now) : 0,
      boundBy: block?.cause ?? 'nothing',
      queued: this.#line.size,
    }
  }

  /** Nobody comes any more; those who wait may go until an instant. `drained` is told when nobody is left. */
  close(until: number, drained: () => void): void {
    const before = this.#closing?.drained
    this.#closing = { until, drained: before ? () => (before(), drained()) : drained }
  }

  #grant(weight: Weight, now: number, breaksPark = false): Permit {
    return this.#permitFor(this.#admission.admit(weight, now, breaksPark))
  }

  #let({ weight, since, cause, resolve }: Waiter, now: number, breaksPark = false): void {
    this.#context.observer?.waited?.(now - since, cause)
    resolve(this.#grant(weight, now, breaksPark))
  }

  /** An allowance begins with the caller's first throttled answer, or behind a park. */
  #giveUpAt(allowance: Allowance | undefined, now: number): number {
    if (allowance === undefined) return Infinity
    const shut = this.#admission.park.state !== 'open'
    const startedAt = allowance.startedAt ?? (shut ? now : Infinity)
    return startedAt + allowance.maxDurationMs
  }

  /** The gate was shut, or for longer: those who wait are bounded by their allowances from now on. */
  #beginAllowances(now: number): void {
    const { until } = this.#admission.park
    const longer = until > this.#parkedUntil
    this.#parkedUntil = until
    if (!longer) return
    for (const waiter of this.#line.beginAllowances(now, until)) waiter.reject(this.#refuseWaiter(waiter, now))
  }

  /** The caller's allowance has ended: one early probe, or a refusal. */
  #giveUp(waiter: Waiter, now: number): void {
    const clamps = waiter.allowance?.whenTooLong !== 'return'
    if (clamps && this.#admission.mayBreakPark(waiter.weight, now)) this.#let(waiter, now, true)
    else waiter.reject(this.#refuseWaiter(waiter, now))
  }

  #refuseWaiter({ weight, priority }: Waiter, now: number): RateLimitError {
    const { state } = this.#admission.park
    const retryAfterMs = this.#projectedMs(weight, priority, now)
    if (state === 'open') return this.#refuse({ reason: 'wait-too-long', retryAfterMs })
    return this.#refuse(refusalWhileShut(state, retryAfterMs))
  }

  #refuse(refusal: Refusal): RateLimitError {
    const { refusedAt, observer } = this.#context
    observer?.refused?.(refusal.reason, refusal.retryAfterMs)
    return new RateLimitError(refusal.reason, { ...refusedAt, ...refusal })
  }

  /** What holds a caller of this weight and priority: for one who stands behind others, what holds the first of them. */
  #blockFor(weight: Weight, priority: number, now: number): Block | undefined {
    const first = this.#line.hasAhead(priority) ? this.#line.head!.weight : weight
    return this.#admission.block(first, now)
  }

  #projectedMs(weight: Weight, priority: number, now: number): number {
    return this.#admission.projectAt(weight, (unit) => this.#line.weightAhead(priority, unit), now) - now
  }
}
