import type { AcquireOptions } from './acquire.ts'
import type { Admission } from './admission.ts'
import type { Attempt } from './attempts.ts'
import { RateLimitError } from './errors.ts'
import type { Block } from './limit.ts'
import { Line } from './line.ts'
import type { GateContext } from './observer.ts'
import type { Permit } from './permit.ts'
import type { Rank } from './queue.ts'
import { type Refusal, refusalFor, refusalWhileShut } from './refusal.ts'
import type { Explanation } from './report.ts'
import { isTooLong, Waiter } from './waiter.ts'
import type { Weight } from './weight.ts'

/** What the gate does for its keeper. */
export interface GateHands {
  /** `arrival` is the caller's place in the order of asking, `parkedSince` when its wait behind a park began. */
  permitFor(attempt: Attempt, arrival: number, parkedSince: number | undefined): Permit
  /** Told when callers have left by themselves. */
  onLeave(): void
}

/** A line in which nobody ever stands. */
const NOBODY = new Line(() => {})

/** What holds the first in a line that was never looked at. */
const UNKNOWN: Block = { at: Infinity, cause: 'limit' }

/**
 * Keeps those who wait for an admission: lets them through in order, refuses them, and ends waits that are over. Like the
 * admission it is handed `now`.
 */
export class Gatekeeper {
  readonly #admission: Admission
  readonly #maxQueueSize: number
  readonly #context: GateContext
  readonly #hands: GateHands
  /** Made when the first caller has to wait. */
  #line = NOBODY
  /** Until when the gate was last known to be parked. */
  #parkedUntil = -Infinity
  #arrivals = 0
  /** What held the first in line when it was looked at last. */
  #heldBy = UNKNOWN
  #closing: { until: number; drained: () => void } | undefined

  constructor(admission: Admission, maxQueueSize: number, context: GateContext, hands: GateHands) {
    this.#admission = admission
    this.#maxQueueSize = maxQueueSize
    this.#context = context
    this.#hands = hands
  }

  get queued(): number {
    return this.#line.size
  }

  /** A permit if one is to be had now, without passing anyone who waits. Throws where there never will be one. */
  admit(options: AcquireOptions, now: number): Permit | undefined {
    const { weight = 1 } = options
    if (this.#admission.never(weight)) throw this.#refuse({ reason: 'never' })
    if (this.#closing || (this.#line.size > 0 && this.#line.hasAhead(rankOf(options)))) return undefined
    return this.#admission.block(weight, now)
      ? undefined
      : this.#hands.permitFor(this.#admission.admit(weight, now, options), this.#arrivalOf(options), undefined)
  }

  /** Lets a caller through whatever holds it, and tells what would have been. */
  observe(options: AcquireOptions, now: number): Permit {
    const { weight = 1 } = options
    const rank = rankOf(options)
    const block = this.#blockFor(weight, rank, now)
    const refusal = this.refusal(options, now)
    if (refusal) this.#tellRefusal(refusal)
    else if (block) this.#context.observer?.waited?.(this.#projectedMs(weight, rank, now), block.cause)
    return this.#hands.permitFor(this.#admission.admit(weight, now, options), this.#arrivalOf(options), undefined)
  }

  /**
   * A caller who cannot go now waits in line, or is refused. Whoever waits already has been served: there is nothing new to look at unless
   * the newcomer is first, or its wait is over.
   */
  enqueue(options: AcquireOptions, now: number): Promise<Permit> {
    const refusal = this.#refusalOf(options, now)
    if (refusal) return Promise.reject(this.#refuse(refusal))
    if (this.#line === NOBODY) this.#line = new Line(() => this.#hands.onLeave())
    const waiter = new Waiter(options, {
      arrival: this.#arrivalOf(options),
      since: now,
      parkedSince: this.#parkedSince(now),
      leavesAt: this.#leavesAt(options, now),
    })
    this.#line.join(waiter)
    if (waiter === this.#line.head || this.#line.nextDueAt <= now) this.serve(now)
    return waiter.permit
  }

  /** Why a caller who came now would be refused; undefined where it would not. */
  refusal(options: AcquireOptions, now: number): Refusal | undefined {
    const { weight = 1 } = options
    const isFree = !this.#closing && this.#blockFor(weight, rankOf(options), now) === undefined
    return isFree && !this.#admission.never(weight) ? undefined : this.#refusalOf(options, now)
  }

  /** Lets through whoever may go, in order, and ends the waits that are over. */
  serve(now: number): void {
    this.#boundWaits(now)
    this.#serveHeads(now)
    for (let due = this.#line.leaveDue(now); due; due = this.#line.leaveDue(now)) {
      this.#giveUp(due, now)
      this.#serveHeads(now)
    }
    if (this.#line.size === 0) this.#closing?.drained()
  }

  /** Weights of those who could go by the gate's own rules, in order, at most so many. */
  waiting(most: number, now: number): Weight[] {
    const head = this.#line.head
    if (head === undefined || !this.#admission.letsGo(head.weight, now)) return []
    const weights = this.#line.weights(most)
    return weights.slice(0, this.#admission.fitting(weights))
  }

  /**
   * When time alone may let somebody through, or end a wait; undefined where nobody waits. Asked once they have been served: what holds the
   * first of them is known then, unless the share of a budget has been asked since.
   */
  wakeAt(now: number): number | undefined {
    const head = this.#line.head
    if (head === undefined) return undefined
    const blockedUntil = this.#admission.share ? (this.#admission.block(head.weight, now)?.at ?? now) : this.#heldBy.at
    const overAt = Math.min(this.#line.nextDueAt, this.#closing?.until ?? Infinity)
    return Math.min(blockedUntil, this.#admission.nextTakeBackAt, overAt)
  }

  explain(options: AcquireOptions, now: number): Explanation {
    const { weight = 1 } = options
    const rank = rankOf(options)
    if (this.#admission.never(weight)) return { wouldWaitMs: Infinity, boundBy: 'limit', queued: this.#line.size }
    const block = this.#blockFor(weight, rank, now)
    const wouldWaitMs = block ? this.#projectedMs(weight, rank, now) : 0
    const isOpen = block === undefined || (wouldWaitMs === 0 && this.#admission.wouldAsk(weight, now))
    return {
      wouldWaitMs,
      boundBy: isOpen ? 'nothing' : block.cause,
      queued: this.#line.size,
    }
  }

  /** Nobody comes any more; those who wait may go until an instant. `drained` is told when nobody is left. */
  close(until: number, drained: () => void): void {
    const before = this.#closing?.drained
    this.#closing = { until, drained: before ? () => (before(), drained()) : drained }
  }

  #serveHeads(now: number): void {
    for (let head = this.#line.head; head; head = this.#line.head) {
      if (this.#closing && now >= this.#closing.until) {
        this.#line.leave(head)
        head.reject(this.#refuse({ reason: 'closed' }))
        continue
      }
      const block = this.#admission.block(head.weight, now)
      if (block && this.#admission.isTooHeavy(block)) {
        this.#line.leave(head)
        head.reject(this.#refuse({ reason: 'engine-lost', retryAfterMs: this.#projectedMs(head.weight, head, now) }))
        continue
      }
      if (block) {
        this.#heldBy = block
        break
      }
      this.#line.leave(head)
      this.#let(head, now)
    }
  }

  /** What an engine will say cannot be projected: how long a caller waits for it is bounded as it waits, and gives it time to answer. */
  #leavesAt({ maxWaitMs = Infinity }: AcquireOptions, now: number): number {
    const answersWithinMs = this.#admission.share?.answersWithinMs ?? 0
    return answersWithinMs === 0 ? Infinity : now + Math.max(maxWaitMs, answersWithinMs)
  }

  #arrivalOf({ arrival }: AcquireOptions): number {
    return arrival ?? (this.#arrivals += 1)
  }

  #refusalOf(options: AcquireOptions, now: number): Refusal | undefined {
    const { weight = 1, allowance } = options
    if (this.#admission.never(weight)) return { reason: 'never' }
    const { park } = this.#admission
    return refusalFor(options, {
      closing: this.#closing !== undefined,
      state: park.state,
      projectMs: () => this.#projectedMs(weight, rankOf(options), now),
      queued: this.#line.size,
      outlasted: isTooLong({ allowance, parkedSince: this.#parkedSince(now) }, park.until),
      maxQueueSize: this.#maxQueueSize,
      engineLost: this.#admission.engineLost,
    })
  }

  /** Since when one who comes now waits behind a park. */
  #parkedSince(now: number): number | undefined {
    return this.#admission.park.state === 'open' ? undefined : now
  }

  #let(waiter: Waiter, now: number, breaksPark = false): void {
    const { weight, arrival, since, parkedSince, startsLater, resolve } = waiter
    this.#context.observer?.waited?.(now - since, this.#heldBy.cause)
    resolve(
      this.#hands.permitFor(this.#admission.admit(weight, now, { breaksPark, startsLater }), arrival, parkedSince),
    )
  }

  /** While the gate is shut those who wait are bounded by their allowances. */
  #boundWaits(now: number): void {
    const { until } = this.#admission.park
    const before = this.#parkedUntil
    this.#parkedUntil = until
    if (until === -Infinity && before > until) this.#line.endAllowances()
    if (until <= before) return
    if (before === -Infinity) this.#line.beginAllowances(now)
    for (const waiter of this.#line.leaveTooLong(until)) waiter.reject(this.#refuseWaiter(waiter, now))
  }

  /** The caller's allowance has ended: one early probe, or a refusal. */
  #giveUp(waiter: Waiter, now: number): void {
    if (now < waiter.leavesAt && this.#admission.mayBreakPark(waiter.weight, now)) this.#let(waiter, now, true)
    else waiter.reject(this.#refuseWaiter(waiter, now))
  }

  #refuseWaiter(waiter: Waiter, now: number): RateLimitError {
    const { state } = this.#admission.park
    const retryAfterMs = this.#projectedMs(waiter.weight, waiter, now)
    if (this.#admission.engineLost) return this.#refuse({ reason: 'engine-lost', retryAfterMs })
    if (state === 'open') return this.#refuse({ reason: 'wait-too-long', retryAfterMs })
    return this.#refuse(refusalWhileShut(state, retryAfterMs))
  }

  #refuse(refusal: Refusal): RateLimitError {
    this.#tellRefusal(refusal)
    return new RateLimitError(refusal.reason, { ...this.#context.refusedAt, ...refusal })
  }

  #tellRefusal({ reason, retryAfterMs }: Refusal): void {
    this.#context.observer?.refused?.(reason, retryAfterMs)
  }

  /** What holds a caller of this weight and priority: for one who stands behind others, what holds the first of them. */
  #blockFor(weight: Weight, rank: Rank, now: number): Block | undefined {
    const first = this.#line.hasAhead(rank) ? this.#line.head!.weight : weight
    return this.#admission.block(first, now)
  }

  /** How long a caller will wait, as far as time alone can tell. One who is first waits no longer than what holds it now. */
  #projectedMs(weight: Weight, rank: Rank, now: number): number {
    const at = this.#admission.projectAt(weight, (unit) => this.#line.weightAhead(rank, unit), now)
    if (this.#line.hasAhead(rank)) return at - now
    const block = this.#admission.block(weight, now)
    return block === undefined ? 0 : Math.min(at, block.at) - now
  }
}

/** A newcomer stands behind everyone of its priority. */
function rankOf({ priority = 0, arrival = Infinity }: AcquireOptions): Rank {
  return { priority, arrival }
}
