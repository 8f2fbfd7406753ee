import { type AcquireOptions, assertAcquireOptions } from './acquire.ts'
import { Admission } from './admission.ts'
import type { Attempt } from './attempts.ts'
import { type Clock, LONGEST_DELAY_MS, type Timer } from './clock.ts'
import { Gatekeeper, type GateHands } from './gatekeeper.ts'
import { giveBackLeash, type Leash, type LeashHolder, takeLeash } from './leash.ts'
import type { Observation } from './observation.ts'
import type { GateContext } from './observer.ts'
import type { GateSettings } from './options.ts'
import { GrantedPermit, type Permit, type PermitDesk } from './permit.ts'
import type { Explanation, GateSnapshot } from './report.ts'
import type { SavedGate } from './saved.ts'
import type { PartOf, Share, SharedGate, SharedLimit, SharedPark, Via } from './share.ts'
import type { Weight } from './weight.ts'

/**
 * The works of one gate: `Admission` decides and `Gatekeeper` keeps the line; here are the clock and the one timer that drive them.
 * Callers come by way of the gate, and permits report here, as does whoever shares the budget.
 */
export class Desk implements PermitDesk, LeashHolder, GateHands, SharedGate {
  readonly clock: Clock
  readonly #observes: boolean
  readonly #admission: Admission
  readonly #keeper: Gatekeeper
  readonly #context: GateContext
  readonly #share: Share | undefined
  #timer: { handle: Timer; at: number } | undefined

  constructor(settings: GateSettings, clock: Clock, context: GateContext) {
    this.clock = clock
    this.#observes = settings.mode === 'observe'
    this.#context = context
    this.#admission = new Admission(settings, clock, context)
    this.#keeper = new Gatekeeper(this.#admission, settings.maxQueueSize, context, this)
    this.#share = context.openShare?.(this)
    if (this.#share) this.#admission.shareWith(this.#share)
  }

  acquire(options: AcquireOptions): Promise<Permit> {
    const now = this.#arrive()
    if (this.#observes) return Promise.resolve(this.#keeper.observe(options, now))
    const permit = this.#keeper.admit(options, now)
    if (permit) return Promise.resolve(permit)
    const waiting = this.#keeper.enqueue(options, now)
    this.#waitOn(now)
    return waiting
  }

  tryAcquire(options: AcquireOptions): Permit | undefined {
    const now = this.#arrive()
    return this.#observes ? this.#keeper.observe(options, now) : this.#keeper.admit(options, now)
  }

  refuses(options: AcquireOptions): boolean {
    return this.#keeper.refusal(options, this.#arrive()) !== undefined
  }

  explain(options: AcquireOptions): Explanation {
    return this.#keeper.explain(options, this.#arrive())
  }

  snapshot(): GateSnapshot {
    const now = this.#advance()
    const { park, parkedUntil, inFlight, open, ledgerBytes } = this.#admission
    return {
      queued: this.#keeper.queued,
      inFlight,
      held: open,
      state: park.state,
      parkedForMs: Math.max(0, parkedUntil - now),
      limits: this.#admission.limits(now),
      ledgerBytes,
      ...(this.#share && { shared: { via: this.#share.via, processes: this.#share.processes } }),
    }
  }

  get idle(): boolean {
    return this.#keeper.queued === 0 && this.#admission.idle(this.#advance())
  }

  parkFor(delayMs: number): void {
    const now = this.#advance()
    this.#admission.parkUntil(now + delayMs, now)
    this.serve(now)
  }

  save(): SavedGate {
    return this.#admission.save(this.#advance())
  }

  restore(saved: SavedGate, elapsedMs: number): void {
    const now = this.#advance()
    this.#admission.restore(saved, now - elapsedMs, now)
    this.serve()
  }

  async close(drainMs: number): Promise<void> {
    const now = this.#advance()
    return new Promise((resolve) => {
      this.#keeper.close(now + drainMs, () => void (this.#share?.close() ?? Promise.resolve()).then(resolve))
      this.serve(now)
    })
  }

  /** Whoever may go by now goes before a newcomer is looked at. */
  #arrive(): number {
    const now = this.#advance()
    if (this.#keeper.queued > 0) this.serve(now)
    return now
  }

  #advance(): number {
    const now = this.clock.now()
    this.#admission.advance(now)
    return now
  }

  permitFor(attempt: Attempt, arrival: number, parkedSince: number | undefined): Permit {
    const leash = this.#admission.needsOwner ? takeLeash(this, attempt) : undefined
    return new GrantedPermit(attempt, this, leash, arrival, parkedSince)
  }

  onLeave(): void {
    this.serve()
  }

  /** From now on its time runs: those who wait may be told when to wake. */
  start(attempt: Attempt): void {
    const now = this.#advance()
    this.#admission.start(attempt, now)
    if (this.#keeper.queued > 0) this.serve(now)
  }

  settle(attempt: Attempt, observation: Observation | undefined): void {
    const now = this.#advance()
    this.#admission.settle(attempt, observation, now)
    if (this.#keeper.queued > 0) this.serve(now)
    else this.#share?.look(now)
  }

  correct(attempt: Attempt, weight: Weight): void {
    assertAcquireOptions({ weight })
    const now = this.#advance()
    this.#admission.correct(attempt, weight)
    this.serve(now)
  }

  /** Nobody holds its permit any more. */
  lose(attempt: Attempt): void {
    const now = this.#advance()
    this.#admission.takeBack(attempt, now)
    this.serve(now)
  }

  /** Where the answer is in and nobody waits no time need be read: nothing depends on when the permit came back. */
  end(attempt: Attempt, leash: Leash | undefined): void {
    if (leash) giveBackLeash(leash)
    if (attempt.settled && this.#keeper.queued === 0) return this.#admission.end(attempt, attempt.sentAt)
    const now = this.#advance()
    this.#admission.end(attempt, now)
    this.serve(now)
  }

  serve(now = this.#advance()): void {
    this.#keeper.serve(now)
    this.#waitOn(now)
  }

  /** Whoever could go has gone: what comes next is the share's word, or time. */
  #waitOn(now: number): void {
    this.#share?.look(now)
    this.#arm(now)
  }

  /** What the share of a budget sees of this gate, and does to it. */
  get limits(): readonly SharedLimit[] {
    return this.#admission.sharedLimits
  }

  get park(): SharedPark {
    return this.#admission.ownPark
  }

  get queued(): number {
    return this.#keeper.queued
  }

  waiting(most: number, now: number): Weight[] {
    return this.#keeper.waiting(most, now)
  }

  parkUntil(park: Omit<SharedPark, 'state'>): void {
    this.#admission.takePark(park, this.#advance())
  }

  reopen(): void {
    this.#admission.reopen()
  }

  bind(partOf: PartOf | undefined): void {
    this.#admission.bind(partOf)
  }

  tell(via: Via, why: string): void {
    this.#admission.shared(via)
    this.#context.observer?.degraded?.(via, why)
  }

  /** One timer, for what comes next. One that is set too early is left to fire and look again. */
  #arm(now: number): void {
    const wakeAt = this.#keeper.wakeAt(now)
    if (wakeAt === undefined) return this.#disarm()
    const at = Math.min(wakeAt, now + LONGEST_DELAY_MS)
    if (this.#timer && this.#timer.at <= at && this.#timer.at > now) return
    this.#disarm()
    this.#setTimer(at, now)
  }

  #setTimer(at: number, now: number): void {
    const fire = (): void => {
      this.#timer = undefined
      this.serve()
    }
    // A sum of fractions may come out above its parts, and hosts fire what is beyond the longest at once.
    const delayMs = Math.min(LONGEST_DELAY_MS, Math.max(0, Math.ceil(at - now)))
    this.#timer = { handle: this.clock.setTimer(fire, delayMs, { keepAlive: true }), at }
  }

  #disarm(): void {
    if (this.#timer) this.clock.clearTimer(this.#timer.handle)
    this.#timer = undefined
  }
}
