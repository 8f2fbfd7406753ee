import { type AcquireOptions, assertAcquireOptions, assertDuration } from './acquire.ts'
import { Admission } from './admission.ts'
import type { Attempt } from './attempts.ts'
import type { Clock, Timer } from './clock.ts'
import { RateLimitError, type RefusedAt } from './errors.ts'
import { Line, type Waiter } from './line.ts'
import type { Observation } from './observation.ts'
import { type GateOptions, type GateSettings, resolveGateOptions } from './options.ts'
import { Permit, type PermitDesk, whenLost } from './permit.ts'
import { type Refusal, refusalFor } from './refusal.ts'
import type { Explanation, GateSnapshot } from './report.ts'
import type { Weight } from './weight.ts'

/** Longer delays overflow a timer: they are waited for in steps. */
const LONGEST_DELAY_MS = 2 ** 31 - 1

/**
 * Admits attempts so that no trailing window at the upstream holds more than its limits. Callers wait in order, and whoever holds
 * a permit reports what became of the attempt. `Admission` decides; here are its clock, its one timer, and the callers' promises.
 */
export class Gate {
  readonly #clock: Clock
  readonly #settings: GateSettings
  readonly #refusedAt: RefusedAt
  readonly #admission: Admission
  readonly #line = new Line(() => this.#pump())
  readonly #desk: PermitDesk = {
    settle: (attempt, observation) => this.#settle(attempt, observation),
    correct: (attempt, weight) => this.#correct(attempt, weight),
    end: (attempt) => this.#end(attempt),
  }
  #timer: { handle: Timer; at: number } | undefined
  #closing: { until: number; drained: () => void } | undefined

  /** `refusedAt` is what refusals say of where they happened. Throws one `ConfigError` that lists every fault in `options`. */
  constructor(options: GateOptions, refusedAt: RefusedAt = {}) {
    this.#settings = resolveGateOptions(options)
    this.#clock = options.clock
    this.#refusedAt = refusedAt
    this.#admission = new Admission(this.#settings, () => this.#clock.random?.() ?? 0.5)
  }

  /**
   * Waits for a permit. Rejects with the signal's reason, with a `RateLimitError` where the caller is refused, or with a
   * `ConfigError` for options that make no sense; nothing is spent then.
   */
  acquire(options: AcquireOptions = {}): Promise<Permit> {
    try {
      assertAcquireOptions(options)
      if (options.signal?.aborted) return Promise.reject(options.signal.reason)
      const now = this.#advance()
      const permit = this.#admit(options, now)
      return permit ? Promise.resolve(permit) : this.#enqueue(options, now)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** A permit if one is to be had now, without passing anyone who waits. Throws for options that make no sense, a weight above the limit included. */
  tryAcquire(options: Pick<AcquireOptions, 'weight' | 'priority'> = {}): Permit | undefined {
    assertAcquireOptions(options)
    return this.#admit(options, this.#advance())
  }

  /** Runs `task` with a permit, which is settled and released when the task is done, however it ends. */
  async run<T>(task: (permit: Permit) => T | PromiseLike<T>, options?: AcquireOptions): Promise<T> {
    const permit = await this.acquire(options)
    try {
      const result = await task(permit)
      permit.settle()
      return result
    } finally {
      permit.release()
    }
  }

  /** What an attempt of this weight and priority would wait for if it came now. */
  explain({ weight = 1, priority = 0 }: Pick<AcquireOptions, 'weight' | 'priority'> = {}): Explanation {
    assertAcquireOptions({ weight, priority })
    const now = this.#advance()
    const first = this.#line.hasAhead(priority) ? this.#line.head!.weight : weight
    const block = this.#admission.block(first, now)
    return {
      wouldWaitMs: block ? this.#projectedAt(weight, priority, now) - now : 0,
      boundBy: block?.cause ?? 'nothing',
      queued: this.#line.size,
    }
  }

  snapshot(): GateSnapshot {
    const now = this.#advance()
    const { park, inFlight, open, ledgerBytes } = this.#admission
    return {
      queued: this.#line.size,
      inFlight,
      held: open,
      state: park.state,
      parkedForMs: Math.max(0, park.until - now),
      limits: this.#admission.limits(now),
      ledgerBytes,
    }
  }

  /** Whether nothing would be missed if this gate were made anew: nothing queued, held, parked or still counted. */
  get idle(): boolean {
    return this.#line.size === 0 && this.#admission.idle(this.#advance())
  }

  /** Shuts the gate for `delayMs`, as a throttled response with that hint would. Throws a `ConfigError` for NaN or below 0. */
  park(delayMs: number): void {
    assertDuration(delayMs, 'delayMs')
    if (delayMs === 0) return
    const now = this.#advance()
    this.#admission.shut(now + Math.min(delayMs, this.#settings.cooldown.maxMs))
  }

  /**
   * Refuses new callers with the reason `closed`. Those who wait are refused too, or with `drainMs` may go first for so long.
   * Resolves when nobody waits any more.
   */
  async close({ drainMs = 0 }: { drainMs?: number } = {}): Promise<void> {
    assertDuration(drainMs, 'drainMs')
    const until = this.#advance() + drainMs
    return new Promise((resolve) => {
      const before = this.#closing?.drained
      this.#closing = { until, drained: before ? () => (before(), resolve()) : resolve }
      this.#pump()
    })
  }

  #advance(): number {
    const now = this.#clock.now()
    this.#admission.advance(now)
    return now
  }

  #admit({ weight = 1, priority = 0 }: AcquireOptions, now: number): Permit | undefined {
    if (this.#admission.never(weight)) throw this.#refuse({ reason: 'never' })
    if (this.#closing || this.#line.hasAhead(priority)) return undefined
    return this.#admission.block(weight, now) ? undefined : this.#grant(weight, now)
  }

  #grant(weight: Weight, now: number): Permit {
    const attempt = this.#admission.admit(weight, now)
    const permit = new Permit(attempt, this.#desk)
    if (this.#admission.needsOwner) whenLost(permit, () => this.#end(attempt))
    return permit
  }

  #enqueue(options: AcquireOptions, now: number): Promise<Permit> {
    const { weight = 1, priority = 0 } = options
    const refusal = refusalFor(options, {
      closing: this.#closing !== undefined,
      state: this.#admission.park.state,
      waitMs: this.#projectedAt(weight, priority, now) - now,
      queued: this.#line.size,
      maxQueueSize: this.#settings.maxQueueSize,
    })
    if (refusal) return Promise.reject(this.#refuse(refusal))
    const signal = options.signal ?? undefined
    return new Promise((resolve, reject) => {
      this.#line.join({ weight, priority, signal, resolve, reject })
      this.#arm(now)
    })
  }

  #refuse(refusal: Refusal): RateLimitError {
    return new RateLimitError(refusal.reason, { ...this.#refusedAt, ...refusal })
  }

  #projectedAt(weight: Weight, priority: number, now: number): number {
    return this.#admission.projectAt(weight, (unit) => this.#line.weightAhead(priority, unit), now)
  }

  #settle(attempt: Attempt, observation: Observation | undefined): void {
    const now = this.#advance()
    this.#admission.settle(attempt, observation, now)
    this.#pump(now)
  }

  #correct(attempt: Attempt, weight: Weight): void {
    assertAcquireOptions({ weight })
    const now = this.#advance()
    this.#admission.correct(attempt, weight)
    this.#pump(now)
  }

  #end(attempt: Attempt): void {
    const now = this.#advance()
    this.#admission.end(attempt, now)
    this.#pump(now)
  }

  /** Lets through whoever may go, in order, and sets the timer for the first who may not. */
  #pump(now = this.#advance()): void {
    for (let head = this.#line.head; head; head = this.#line.head) {
      if (this.#closing && now >= this.#closing.until) this.#line.leave(head).reject(this.#refuse({ reason: 'closed' }))
      else if (this.#admission.block(head.weight, now)) break
      else this.#line.leave(head).resolve(this.#grant(head.weight, now))
    }
    this.#arm(now)
    if (this.#line.size === 0) this.#closing?.drained()
  }

  /** One timer, for the first in the queue. One that is set too early is left to fire and look again. */
  #arm(now: number): void {
    const head = this.#line.head
    if (head === undefined) return this.#disarm()
    const at = Math.min(this.#wakeAt(head, now), now + LONGEST_DELAY_MS)
    if (this.#timer && this.#timer.at <= at && this.#timer.at > now) return
    this.#disarm()
    const fire = (): void => {
      this.#timer = undefined
      this.#pump()
    }
    const delayMs = Math.max(0, Math.ceil(at - now))
    this.#timer = { handle: this.#clock.setTimer(fire, delayMs, { keepAlive: true }), at }
  }

  #wakeAt(head: Waiter, now: number): number {
    const blockedUntil = this.#admission.block(head.weight, now)?.at ?? now
    return Math.min(blockedUntil, this.#admission.nextTakeBackAt, this.#closing?.until ?? Infinity)
  }

  #disarm(): void {
    if (this.#timer) this.#clock.clearTimer(this.#timer.handle)
    this.#timer = undefined
  }
}
