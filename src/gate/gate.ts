import { type AcquireOptions, assertAcquireOptions, assertCloseOptions, assertDuration } from './acquire.ts'
import { Admission } from './admission.ts'
import type { Attempt } from './attempts.ts'
import * as check from './check.ts'
import { type Clock, LONGEST_DELAY_MS, type Timer } from './clock.ts'
import { Gatekeeper } from './gatekeeper.ts'
import { Leashes } from './leash.ts'
import type { Observation } from './observation.ts'
import type { GateContext } from './observer.ts'
import { type GateOptions, resolveGateOptions } from './options.ts'
import { GrantedPermit, type Permit, type PermitDesk } from './permit.ts'
import type { Explanation, GateSnapshot } from './report.ts'
import { checkSavedGate, LONGEST_AGE_MS, type SavedGate } from './saved.ts'
import type { Share, SharedGate } from './share.ts'
import type { Weight } from './weight.ts'

/**
 * Admits attempts so that no trailing window at the upstream holds more than its limits. Callers wait in order, and whoever holds
 * a permit reports what became of the attempt. `Admission` decides and `Gatekeeper` keeps the line; here are the clock and the one
 * timer that drive them.
 */
export class Gate {
  readonly #clock: Clock
  readonly #longestParkMs: number
  readonly #observes: boolean
  readonly #admission: Admission
  readonly #keeper: Gatekeeper
  readonly #leashes = new Leashes()
  readonly #share: Share | undefined
  readonly #desk: PermitDesk = {
    start: (attempt) => this.#start(attempt),
    settle: (attempt, observation) => this.#settle(attempt, observation),
    correct: (attempt, weight) => this.#correct(attempt, weight),
    end: (attempt, leash) => {
      if (leash) this.#leashes.giveBack(leash)
      this.#end(attempt)
    },
  }
  #timer: { handle: Timer; at: number } | undefined

  /** Throws one `ConfigError` that lists every fault in `options`. */
  constructor(options: GateOptions, context: GateContext = {}) {
    const settings = resolveGateOptions(options)
    const { clock } = options
    this.#clock = clock
    this.#longestParkMs = settings.cooldown.maxMs
    this.#observes = settings.mode === 'observe'
    this.#admission = new Admission(settings, () => clock.random?.() ?? 0.5, context.observer ?? {})
    this.#keeper = new Gatekeeper(this.#admission, settings.maxQueueSize, context, {
      permitFor: (attempt, arrival, parkedSince) => this.#permitFor(attempt, arrival, parkedSince),
      onLeave: () => this.#serve(),
    })
    this.#share = context.openShare?.(this.#sharedGate(context))
    if (this.#share) this.#admission.shareWith(this.#share)
  }

  /**
   * Waits for a permit. Rejects with the signal's reason, with a `RateLimitError` where the caller is refused, or with a
   * `ConfigError` for options that make no sense; nothing is spent then.
   */
  acquire(options: AcquireOptions = {}): Promise<Permit> {
    try {
      assertAcquireOptions(options)
      if (options.signal?.aborted) return Promise.reject(options.signal.reason)
      const now = this.#arrive()
      if (this.#observes) return Promise.resolve(this.#keeper.observe(options, now))
      const permit = this.#keeper.admit(options, now)
      if (permit) return Promise.resolve(permit)
      const waiting = this.#keeper.enqueue(options, now)
      this.#serve(now)
      return waiting
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** A permit if one is to be had now, without passing anyone who waits. Throws for options that make no sense, a weight above the limit included. */
  tryAcquire(options: Pick<AcquireOptions, 'weight' | 'priority'> = {}): Permit | undefined {
    assertAcquireOptions(options)
    const now = this.#arrive()
    return this.#observes ? this.#keeper.observe(options, now) : this.#keeper.admit(options, now)
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

  /** Whether a caller who came now would be refused. Throws for options that make no sense. */
  refuses(options: AcquireOptions = {}): boolean {
    assertAcquireOptions(options)
    return this.#keeper.refusal(options, this.#arrive()) !== undefined
  }

  /** What an attempt of this weight and priority would wait for if it came now. */
  explain(options: Pick<AcquireOptions, 'weight' | 'priority' | 'arrival'> = {}): Explanation {
    assertAcquireOptions(options)
    return this.#keeper.explain(options, this.#arrive())
  }

  snapshot(): GateSnapshot {
    const now = this.#advance()
    const { park, ownPark, inFlight, open, ledgerBytes } = this.#admission
    return {
      queued: this.#keeper.queued,
      inFlight,
      held: open,
      state: park.state,
      parkedForMs: Math.max(0, ownPark.until - now),
      limits: this.#admission.limits(now),
      ledgerBytes,
      ...(this.#share && { shared: { via: this.#share.via, processes: this.#share.processes } }),
    }
  }

  /** Whether nothing would be missed if this gate were made anew: nothing queued, held, parked or still counted. */
  get idle(): boolean {
    return this.#keeper.queued === 0 && this.#admission.idle(this.#advance())
  }

  /** Shuts the gate for `delayMs`, as a throttled response with that hint would. Throws a `ConfigError` for NaN or below 0. */
  park(delayMs: number): void {
    assertDuration(delayMs, 'delayMs')
    if (delayMs === 0) return
    const now = this.#advance()
    this.#admission.parkUntil(now + Math.min(delayMs, this.#longestParkMs), now)
    this.#serve(now)
  }

  /** What a gate in another process has to know to go on from here. Plain JSON, without the upstream's or a caller's text. */
  save(): SavedGate {
    return this.#admission.save(this.#advance())
  }

  /**
   * Goes on from what a gate saved `elapsedMs` ago: it is best called before the first attempt, and then nothing that gate had spent is
   * sent again. Throws a `ConfigError` for what no gate saved.
   */
  restore(saved: SavedGate, elapsedMs = 0): void {
    check.assertValid(checkSavedGate, saved, 'saved')
    assertDuration(elapsedMs, 'elapsedMs')
    const now = this.#advance()
    this.#admission.restore(saved, now - Math.min(elapsedMs, LONGEST_AGE_MS), now)
    this.#serve()
  }

  /**
   * Refuses new callers with the reason `closed`. Those who wait are refused too, or with `drainMs` may go first for so long.
   * Resolves when nobody waits any more.
   */
  async close(options: { drainMs?: number } = {}): Promise<void> {
    assertCloseOptions(options)
    const { drainMs = 0 } = options
    const now = this.#advance()
    return new Promise((resolve) => {
      this.#keeper.close(now + drainMs, () => void (this.#share?.close() ?? Promise.resolve()).then(resolve))
      this.#serve(now)
    })
  }

  /** Whoever may go by now goes before a newcomer is looked at. */
  #arrive(): number {
    const now = this.#advance()
    if (this.#keeper.queued > 0) this.#serve(now)
    return now
  }

  #advance(): number {
    const now = this.#clock.now()
    this.#admission.advance(now)
    return now
  }

  #permitFor(attempt: Attempt, arrival: number, parkedSince: number | undefined): Permit {
    const leash = this.#admission.needsOwner ? this.#leashes.take(() => this.#lose(attempt)) : undefined
    return new GrantedPermit(attempt, this.#desk, leash, arrival, parkedSince)
  }

  /** From now on its time runs: those who wait may be told when to wake. */
  #start(attempt: Attempt): void {
    const now = this.#advance()
    this.#admission.start(attempt, now)
    if (this.#keeper.queued > 0) this.#serve(now)
  }

  #settle(attempt: Attempt, observation: Observation | undefined): void {
    const now = this.#advance()
    this.#admission.settle(attempt, observation, now)
    if (this.#keeper.queued > 0) this.#serve(now)
    else this.#share?.look(now)
  }

  #correct(attempt: Attempt, weight: Weight): void {
    assertAcquireOptions({ weight })
    const now = this.#advance()
    this.#admission.correct(attempt, weight)
    this.#serve(now)
  }

  /** Nobody holds its permit any more. */
  #lose(attempt: Attempt): void {
    const now = this.#advance()
    this.#admission.takeBack(attempt, now)
    this.#serve(now)
  }

  /** Where the answer is in and nobody waits no time need be read: nothing depends on when the permit came back. */
  #end(attempt: Attempt): void {
    if (attempt.settled && this.#keeper.queued === 0) return this.#admission.end(attempt, attempt.sentAt)
    const now = this.#advance()
    this.#admission.end(attempt, now)
    this.#serve(now)
  }

  #serve(now = this.#advance()): void {
    this.#keeper.serve(now)
    this.#share?.look(now)
    this.#arm(now)
  }

  /** What the share of a budget sees of this gate. */
  #sharedGate({ observer }: GateContext): SharedGate {
    const admission = this.#admission
    const keeper = this.#keeper
    return {
      clock: this.#clock,
      get limits() {
        return admission.sharedLimits
      },
      get park() {
        return admission.ownPark
      },
      get queued() {
        return keeper.queued
      },
      waiting: (most, now) => keeper.waiting(most, now),
      parkUntil: (park) => admission.takePark(park, this.#advance()),
      reopen: () => admission.reopen(),
      bind: (part) => admission.bind(part),
      serve: () => this.#serve(),
      tell: (via, why) => {
        admission.shared(via)
        observer?.degraded?.(via, why)
      },
    }
  }

  /** One timer, for what comes next. One that is set too early is left to fire and look again. */
  #arm(now: number): void {
    const wakeAt = this.#keeper.wakeAt(now)
    if (wakeAt === undefined) return this.#disarm()
    const at = Math.min(wakeAt, now + LONGEST_DELAY_MS)
    if (this.#timer && this.#timer.at <= at && this.#timer.at > now) return
    this.#disarm()
    const fire = (): void => {
      this.#timer = undefined
      this.#serve()
    }
    // A sum of fractions may come out above its parts, and hosts fire what is beyond the longest at once.
    const delayMs = Math.min(LONGEST_DELAY_MS, Math.max(0, Math.ceil(at - now)))
    this.#timer = { handle: this.#clock.setTimer(fire, delayMs, { keepAlive: true }), at }
  }

  #disarm(): void {
    if (this.#timer) this.#clock.clearTimer(this.#timer.handle)
    this.#timer = undefined
  }
}
