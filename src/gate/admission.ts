import { type Attempt, Attempts } from './attempts.ts'
import { Budget } from './budget.ts'
import type { Clock } from './clock.ts'
import { ColdStart } from './cold-start.ts'
import { type Block, type Demand, type LimitSnapshot, longer, tellsLeft } from './limit.ts'
import type { Observation } from './observation.ts'
import type { GateContext } from './observer.ts'
import { GATE_DEFAULTS, type GateSettings } from './options.ts'
import { Pace } from './pace.ts'
import { Park } from './park.ts'
import { Recovery } from './recovery.ts'
import type { SavedGate } from './saved.ts'
import type { PartOf, Share, SharedLimit, SharedPark, Via } from './share.ts'
import type { Weight } from './weight.ts'

const SHUT = { state: 'parked', until: Infinity } as const

/** The park of a gate that was never shut. */
const OPEN: Recovery['park'] = new Park(GATE_DEFAULTS.cooldown)

/** What is asked of the limits, by whichever gate: all of them are asked at once, and none keeps it. */
const demand: Demand = { now: 0, uncountedUntil: Infinity, idle: true, ignoreReadings: false }

/**
 * Whether an attempt may go now, and if not, what holds it back and until when. Knows no clock, queue or promise: every call is
 * handed `now`, which does not run backwards.
 */
export class Admission {
  readonly #settings: GateSettings
  readonly #budget: Budget
  readonly #attempts = new Attempts()
  /** Made when the gate is shut for the first time. */
  #made: Recovery | undefined
  readonly #cold: ColdStart | undefined
  readonly #pace: Pace | undefined
  readonly #chance: Pick<Clock, 'random'>
  readonly #context: GateContext
  #share: Share | undefined

  constructor(settings: GateSettings, chance: Pick<Clock, 'random'>, context: GateContext) {
    this.#settings = settings
    this.#chance = chance
    this.#context = context
    this.#budget = new Budget(settings.limits, settings.fairShare)
    this.#cold = settings.coldStartMs > 0 ? new ColdStart(settings.coldStartMs) : undefined
    this.#pace = settings.pace === 'even' ? new Pace() : undefined
  }

  /** From now on other processes draw on the budget too. */
  shareWith(share: Share): void {
    this.#share = share
    this.shared(share.via)
  }

  /** By whose word attempts go from now on. The engine judges readings, since it knows what all have sent. */
  shared(via: Via): void {
    this.#budget.judgeElsewhere(via === 'engine')
  }

  get share(): Share | undefined {
    return this.#share
  }

  /** Whether nobody may go because the engine is away. */
  get engineLost(): boolean {
    return this.#share?.via === 'closed'
  }

  /** Without its engine a gate that is closed then is shut as a parked one is, until nobody knows when. */
  get park(): Pick<SharedPark, 'state' | 'until'> {
    return this.engineLost ? SHUT : this.#park
  }

  /** By its own rules. */
  get parkedUntil(): number {
    return this.#park.until
  }

  get ownPark(): SharedPark {
    return this.#recovery.park
  }

  get #park(): Recovery['park'] {
    return this.#made?.park ?? OPEN
  }

  get #recovery(): Recovery {
    return (this.#made ??= new Recovery(this.#settings.cooldown, this.#context.observer ?? {}))
  }

  /** Attempts that may be open at once. */
  get #allowed(): number {
    return Math.min(this.#settings.concurrency, this.#made?.allowed ?? Infinity)
  }

  get open(): number {
    return this.#attempts.open
  }

  get inFlight(): number {
    return this.#attempts.inFlight
  }

  /** Whether the permit last granted, if its owner lost it, would hold others back. */
  get needsOwner(): boolean {
    return this.#allowed < Infinity || this.#park.state === 'probing' || this.#budget.guesses
  }

  /** When the permit held longest is taken back. */
  get nextTakeBackAt(): number {
    const oldest = this.#attempts.oldestOpen
    return oldest === undefined ? Infinity : oldest.grantedAt + this.#settings.maxHoldMs
  }

  /** Bytes of the ledgers. */
  get ledgerBytes(): number {
    return this.#budget.bytes
  }

  /** Nothing here would be missed: nothing held, parked or known to be in flight. Asked after `advance`. */
  idle(now: number): boolean {
    return this.#attempts.open === 0 && now >= this.#park.until && this.#budget.holdsNothing
  }

  never(weight: Weight): boolean {
    return this.#budget.never(weight)
  }

  /** Lets time pass: what happened meanwhile happened at its own instant, in order, whenever somebody looks. */
  advance(now: number): void {
    const { transitMs } = this.#settings
    for (;;) {
      const { oldestUncounted: uncounted, oldestOpen: open } = this.#attempts
      const countedAt = uncounted === undefined ? Infinity : uncounted.sentAt + transitMs
      const takenBackAt = this.nextTakeBackAt
      if (uncounted && countedAt <= now && countedAt <= takenBackAt) this.#count(uncounted, countedAt)
      else if (open && takenBackAt <= now) this.takeBack(open, takenBackAt)
      else break
    }
    if (this.#budget.advance(now)) this.#cold?.again()
  }

  /** What holds an attempt back; undefined where it may go. */
  block(weight: Weight, now: number): Block | undefined {
    return this.#ownBlock(weight, now) ?? this.#share?.block(weight, now)
  }

  /** Whether an attempt will not go as long as the engine is away: it is heavier than what this process may send by itself. */
  isTooHeavy({ at, cause }: Block): boolean {
    return cause === 'engine' && at === Infinity && !this.engineLost
  }

  /** Whether only the engine's word is missing, which it has not refused. */
  wouldAsk(weight: Weight, now: number): boolean {
    return this.#share?.via === 'engine' && this.letsGo(weight, now)
  }

  /** Whether the gate's own rules let an attempt go, whatever others draw on the budget. */
  letsGo(weight: Weight, now: number): boolean {
    return this.#ownBlock(weight, now) === undefined
  }

  /** How many of these attempts could go at once, in order. */
  fitting(weights: readonly Weight[]): number {
    const alone = this.#pace !== undefined || this.#cold?.holdsOthers || this.#park.state !== 'open'
    return Math.min(alone ? 1 : this.#allowed - this.#attempts.open, this.#budget.fitting(weights))
  }

  /** Limits that other processes can draw on too. */
  get sharedLimits(): readonly SharedLimit[] {
    return this.#budget.shared
  }

  bind(partOf: PartOf | undefined): void {
    this.#budget.bind(partOf)
  }

  /** Whether an attempt may break the park before its end. The own window and concurrency hold all the same. */
  mayBreakPark(weight: Weight, now: number): boolean {
    if (this.engineLost || !this.#park.mayBreak(now) || this.#answerBlock(now)) return false
    return this.#budget.block(weight, this.#demandAt(now, true)) === undefined
  }

  /** Lets an attempt through that nothing blocks, or that breaks the park. While the gate is parked it is the probe. */
  admit(weight: Weight, now: number, { breaksPark = false, startsLater = false } = {}): Attempt {
    const probes = this.#park.state === 'parked' && (breaksPark || now >= this.#park.until)
    if (!breaksPark) this.#share?.spend(weight, now)
    const attempt = this.#attempts.send(now, weight, probes, startsLater)
    this.#budget.send(attempt)
    this.#cold?.sent(attempt.order, now)
    if (probes) this.#recovery.probe(attempt.order, now)
    if (this.#pace) this.#pace.sent(now, this.#budget.spacingMs(weight))
    return attempt
  }

  /** An attempt that was to start later goes on its way. */
  start(attempt: Attempt, now: number): void {
    if (!attempt.isUnstarted || attempt.ended) return
    this.#attempts.start(attempt, now)
    this.#share?.started(attempt.weight, attempt.grantedAt, now)
  }

  /** The headers of an attempt have arrived. A late report on one that was taken back changes nothing. */
  settle(attempt: Attempt, observation: Observation | undefined, now: number): void {
    if (attempt.settled || attempt.ended) return
    this.#attempts.settle(attempt)
    if (observation?.cost) this.#budget.spent(attempt, observation.cost)
    if (observation) this.#read(observation, attempt, now)
    if (attempt.countedAt === undefined) this.#count(attempt, now)
    if (observation?.tellsNothing) this.#cold?.ended(attempt.order)
    else this.#cold?.answered(attempt.order)
    if (observation?.throttled) this.#throttled(attempt, observation, now)
    else this.#made?.answered(attempt.order, observation?.limits.some(tellsLeft) ?? false)
  }

  /** The true weight of an attempt is known. */
  correct(attempt: Attempt, weight: Weight): void {
    if (attempt.ended) return
    this.#budget.correct(attempt, weight)
    attempt.weight = weight
  }

  /** An attempt is held too long, or nobody holds it: what became of it is not known. */
  takeBack(attempt: Attempt, now: number): void {
    if (attempt.isUnstarted) this.#count(attempt, now)
    this.end(attempt, now)
  }

  /** An attempt is finished. One that was to start later and did not was never sent. */
  end(attempt: Attempt, now: number): void {
    if (attempt.ended) return
    if (attempt.isUnstarted) {
      this.correct(attempt, 0)
      this.#count(attempt, now)
    }
    this.#attempts.end(attempt)
    if (attempt.settled) return
    this.#cold?.ended(attempt.order)
    if (this.#park.isProbe(attempt.order)) this.#park.probeLost()
    if (this.#settings.transitMs === Infinity && attempt.countedAt === undefined) this.#count(attempt, now)
  }

  /** Shuts the gate until an instant, on the upstream's word to another gate. */
  parkUntil(until: number, now: number): void {
    this.#recovery.extend(until, this.#attempts.lastOrder, now)
  }

  /** Shuts the gate as another process was told to. */
  takePark(park: Omit<SharedPark, 'state'>, now: number): void {
    this.#recovery.take(park, this.#attempts.lastOrder, now)
  }

  /** Another process has found out that the upstream has recovered. */
  reopen(): void {
    this.#recovery.reopen()
  }

  /** Asked after `advance`. Where nothing tells by when an attempt is counted, it is when its permit would be taken back. */
  save(now: number): SavedGate {
    const { transitMs, maxHoldMs } = this.#settings
    const countedBy = ({ sentAt, isUnstarted }: Attempt): number =>
      transitMs < Infinity ? (isUnstarted ? now : sentAt) + transitMs : now + maxHoldMs
    return { limits: this.#budget.save(now, [...this.#attempts.uncounted()], countedBy), ...this.#made?.save(now) }
  }

  /** Goes on from what another process knew at `savedAt`. */
  restore(saved: SavedGate, savedAt: number, now: number): void {
    this.#budget.restore(saved.limits, savedAt, this.#settings.transitMs, this.#attempts)
    this.#recovery.restore(saved, savedAt, this.#attempts.lastOrder, now)
  }

  /** When an attempt will go behind all that is queued before it, as far as time alone can tell. */
  projectAt(weight: Weight, weightAhead: (unit: string) => number, now: number): number {
    const pacedUntil = this.#pace ? this.#pacedAt(this.#pace, weightAhead, now) : now
    const sharedAt = this.#share?.projectAt(now) ?? now
    return Math.max(now, this.#park.until, pacedUntil, sharedAt, this.#budget.projectAt(weight, weightAhead, now))
  }

  limits(now: number): LimitSnapshot[] {
    return this.#budget.snapshot(now)
  }

  #count(attempt: Attempt, at: number): void {
    this.#attempts.count(attempt, at)
    this.#budget.count(attempt, at)
  }

  #read(observation: Observation, attempt: Attempt, now: number): void {
    const overrules = observation.throttled && !this.#park.isStale(attempt.order)
    this.#budget.read(observation, attempt, now, overrules, this.#attempts)
    if (observation.limits.length > 0) this.#context.observer?.read?.(observation.limits)
  }

  #ownBlock(weight: Weight, now: number): Block | undefined {
    return this.#timedBlock(weight, now) ?? this.#answerBlock(now)
  }

  #timedBlock(weight: Weight, now: number): Block | undefined {
    const isHinted = this.#park.state === 'parked' && this.#park.hinted
    let block = this.#budget.block(weight, this.#demandAt(now, isHinted))
    if (this.#pace && this.#pace.nextAt > now) block = longer(block, { at: this.#pace.nextAt, cause: 'pace' })
    if (this.#park.state === 'parked' && this.#park.until > now)
      block = longer(block, { at: this.#park.until, cause: 'park' })
    return block
  }

  #answerBlock(now: number): Block | undefined {
    if (this.#park.state === 'probing') return { at: this.nextTakeBackAt, cause: 'probe' }
    const coldUntil = this.#cold?.blockedUntil(now)
    if (coldUntil !== undefined) return { at: coldUntil, cause: 'cold-start' }
    return this.#attempts.open >= this.#allowed ? { at: this.nextTakeBackAt, cause: 'concurrency' } : undefined
  }

  #demandAt(now: number, ignoreReadings: boolean): Demand {
    const oldest = this.#attempts.oldestUncounted
    demand.now = now
    demand.uncountedUntil = oldest === undefined ? Infinity : oldest.sentAt + this.#settings.transitMs
    demand.idle = this.#attempts.inFlight === 0
    demand.ignoreReadings = ignoreReadings
    return demand
  }

  #throttled(attempt: Attempt, observation: Observation, now: number): void {
    const { weight, order } = attempt
    const readingUntil = this.#budget.parkUntil(observation, weight, now, this.#settings.cooldown.parkMs)
    const throttle = {
      now,
      order,
      retryAfterMs: observation.retryAfterMs,
      readingUntil,
      random: this.#chance.random?.() ?? 0.5,
    }
    const forgets = this.#recovery.throttled(throttle, observation.limits.some(tellsLeft), this.#attempts.lastOrder)
    if (forgets) this.#budget.forget(order)
  }

  #pacedAt({ nextAt }: Pace, weightAhead: (unit: string) => number, now: number): number {
    return Math.max(now, nextAt) + this.#budget.spacingMs({ requests: weightAhead('requests') })
  }
}
