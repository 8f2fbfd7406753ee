import type { Block } from '../gate/limit.ts'
import type { Share, SharedGate, Via } from '../gate/share.ts'
import type { Weight } from '../gate/weight.ts'
import { Absence, RETRY_MS } from './absence.ts'
import { Accounts, type Charges } from './accounts.ts'
import { EngineLink, type Matter, type Outcome } from './engine-link.ts'
import { Grants } from './grants.ts'
import type { SharedSettings } from './options.ts'
import { type News, Parking } from './parking.ts'
import type { EngineAnswer } from './protocol.ts'
import { Suspension } from './suspension.ts'
import { WakeUp } from './wake-up.ts'
import { flatten, runsOf } from './wants.ts'

/** Attempts asked for at once. */
const MOST_WANTED = 64

/** A grant can be used for at least so long: timers are late. */
const LEAST_SLACK_MS = 5

/** A gate that was not used for so many heartbeats and holds nothing is no member any more. */
const IDLE_BEATS = 10

/** What surrounds a share. */
export interface Surroundings {
  readonly settings: SharedSettings
  /** Names the gate at the engine. */
  readonly gateName: string
  /** The share wants to hear what members have to know, or does not any more. */
  listen(share: ProcessShare, listens: boolean): void
}

/** One gate's share of a budget: asks an engine for grants, tells it what was sent without, and goes by itself while it is away. */
export class ProcessShare implements Share {
  readonly #around: Surroundings
  readonly #gate: SharedGate
  readonly #link: EngineLink
  readonly #accounts: Accounts
  readonly #grants = new Grants()
  readonly #parking: Parking
  readonly #suspension: Suspension
  readonly #absence: Absence
  readonly #wakeUp: WakeUp
  /** When what was not granted is worth asking for again, and the charges of the first of it. */
  #backAt = -Infinity
  #refused: Charges = []
  #calledAt = -Infinity
  #usedAt = -Infinity
  /** Another member has told the engine something that this one does not know. */
  #isBehind = false
  #closing: Promise<void> | undefined
  #closed = (): void => {}
  /** The engine has answered again, and is to be told at once what was sent until then. */
  #isBack = false

  constructor(around: Surroundings, gate: SharedGate) {
    const { settings, gateName } = around
    this.#around = around
    this.#gate = gate
    this.#link = new EngineLink(settings, gateName, gate.clock)
    this.#accounts = new Accounts(settings.transitMs)
    this.#parking = new Parking(gate)
    this.#suspension = new Suspension(gate.clock)
    this.#absence = new Absence(settings, gate)
    this.#wakeUp = new WakeUp(gate.clock, (now) => this.look(now))
  }

  get via(): Via {
    return this.#absence.via
  }

  get processes(): number {
    return this.#link.members || (this.#around.settings.assumeProcesses ?? 1)
  }

  get answersWithinMs(): number {
    return this.#around.settings.deadlineMs
  }

  block(weight: Weight, now: number): Block | undefined {
    if (this.via === 'closed') return { at: Infinity, cause: 'engine' }
    if (this.via !== 'engine') return undefined
    this.#refresh(now)
    if (this.#isFree) return undefined
    const grant = this.#grants.find(this.#accounts.charges(weight))
    if (grant) return grant.startAt <= now ? undefined : { at: grant.startAt, cause: 'limit' }
    return { at: Infinity, cause: this.#gate.park.state === 'open' ? 'limit' : 'probe' }
  }

  projectAt(now: number): number {
    if (this.via === 'closed') return Math.max(now, this.#wakeUp.at ?? now + RETRY_MS)
    return this.via === 'engine' ? Math.max(now, this.#backAt) : now
  }

  spend(weight: Weight, now: number): void {
    this.#usedAt = now
    const isGranted = this.via === 'engine' && !this.#isFree
    this.#accounts.spend(isGranted ? this.#grants.take(this.#accounts.charges(weight))?.charges : undefined)
  }

  /** One that has gone on its way long after it was let through is charged anew. */
  started(weight: Weight, grantedAt: number, now: number): void {
    if (now - grantedAt > this.#slackMs / 2) this.#accounts.unspend(this.#accounts.charges(weight))
  }

  close(): Promise<void> {
    this.#closing ??= new Promise((resolve) => (this.#closed = resolve))
    this.look(this.#gate.clock.now())
    return this.#closing
  }

  /** How much of `transitMs` a grant may wait to be used. */
  get #slackMs(): number {
    return this.#around.settings.transitMs / 2
  }

  look(now: number): void {
    if (this.#link.calling) return
    if (this.#closing && !(this.#link.isMember && this.via === 'engine')) return this.#leave(false)
    this.#refresh(now)
    const isWaiting = this.#gate.waiting(1, now).length > 0
    const at = this.#nextCallAt(isWaiting, now)
    if (at <= now) this.#call(isWaiting, now)
    else this.#wakeUp.set(at, isWaiting)
  }

  /** Another member has told the engine something that all have to know. */
  hear(): void {
    this.#isBehind = true
    this.look(this.#gate.clock.now())
  }

  /** Nothing is charged and nothing is parked: there is nothing to ask for. */
  get #isFree(): boolean {
    return this.#accounts.size === 0 && this.#gate.park.state === 'open'
  }

  #refresh(now: number): void {
    this.#accounts.follow(this.#gate.limits)
    if (this.#suspension.hasEnded(now)) {
      this.#grants.clear()
      this.#link.time.reset()
    }
    this.#grants.advance(now)
  }

  /** When the engine has to be called next; Infinity for not before something happens. */
  #nextCallAt(isWaiting: boolean, now: number): number {
    if (this.#closing) return now
    if (this.via !== 'engine') return this.#backAt
    const isActive = this.#link.isMember || this.#usedAt > -Infinity
    const hasNews = (isActive || this.#gate.park.until > now) && this.#parking.news(this.#grants.holdsProbe, now)
    if (this.#isBack || this.#isBehind || hasNews) return now
    const beatAt = isActive ? this.#calledAt + this.#around.settings.heartbeatMs / 2 : Infinity
    return isWaiting && !this.#isFree ? Math.min(beatAt, this.#wantsAt(now)) : beatAt
  }

  /** Where the one that was refused is no longer first, a lighter one may do better. */
  #wantsAt(now: number): number {
    // Of so many one has no grant, if that many wait.
    const [first] = this.#wanted(now, Math.min(this.#grants.size + 1, MOST_WANTED))
    if (this.#backAt <= now) return first ? now : Infinity
    return first?.some((charge, index) => charge < (this.#refused[index] ?? 0)) ? now : this.#backAt
  }

  /** Of the first so many attempts that wait those that have no grant yet. */
  #wanted(now: number, most = MOST_WANTED): readonly Charges[] {
    const weights = this.#gate.waiting(most, now)
    return this.#grants.missing(weights.map((weight) => this.#accounts.charges(weight)))
  }

  #call(isWaiting: boolean, now: number): void {
    const isAway = this.via !== 'engine' || this.#link.isReplaced
    const news = this.#parking.news(this.#grants.holdsProbe, now)
    const leaves = this.#isIdle(now)
    const matter: Matter = {
      limits: this.#accounts.called(this.#grants.charges),
      wants: isAway || this.#isFree || !isWaiting ? [] : runsOf(this.#wanted(now)),
      park: news?.park,
      probe: news?.probe,
      readings: this.#accounts.readings(this.#link.time, now),
      leaves,
      away: isAway,
      back: this.#isBack,
    }
    this.#calledAt = now
    this.#isBehind = false
    if (!this.#link.isMember) this.#around.listen(this, true)
    this.#link.call(matter, isWaiting, (outcome) => this.#ended(outcome, { matter, news }))
  }

  #ended(outcome: Outcome, { matter, news }: { matter: Matter; news: News | undefined }): void {
    const now = this.#gate.clock.now()
    if (matter.leaves) this.#leave('answer' in outcome)
    else if (!('answer' in outcome)) this.#lose(outcome, now)
    else this.#take(outcome, matter, news, now)
    this.#gate.serve()
  }

  #take(
    { answer, isNewMemory }: Extract<Outcome, { answer: EngineAnswer }>,
    matter: Matter,
    news: News | undefined,
    now: number,
  ): void {
    if (isNewMemory) this.#grants.clear()
    if (isNewMemory) this.#parking.forget()
    if (news && !isNewMemory) this.#parking.told(news)
    this.#accounts.answered(answer.limits, isNewMemory)
    this.#parking.take(answer, this.#link.time)
    this.#grants.add(this.#granted(answer, matter))
    this.#backAt = answer.backUs === 0 ? -Infinity : now + answer.backUs / 1000
    this.#refused = flatten(matter.wants)[answer.starts.length] ?? []
    this.#suspension.note(now)
    this.#isBack = matter.away
    this.#absence.end()
  }

  #granted({ now, starts, grantsProbe }: EngineAnswer, { wants }: Matter) {
    const charges = flatten(wants)
    const { time } = this.#link
    return starts.map((start, index) => {
      const startAt = time.localAt(now + start)
      // The rest is for the way to the upstream. Where the engine is too far away to tell, it is used at once or not at all.
      const usableUntil = Math.max(time.earliestLocalAt(now + start) + this.#slackMs, startAt + LEAST_SLACK_MS)
      return { charges: charges[index]!, startAt, usableUntil, isProbe: grantsProbe && index === 0 }
    })
  }

  #lose(outcome: Extract<Outcome, { fault: unknown }>, now: number): void {
    this.#grants.clear()
    this.#parking.forget()
    this.#backAt = this.#absence.lose(outcome, now, () => ({
      at: now,
      heardAt: this.#link.heardAt,
      parts: this.#link.members > 0 ? this.#link.parts : (this.#around.settings.assumeProcesses ?? 0),
      windows: this.#accounts.windows,
    }))
  }

  /** Whether this gate holds nothing that others have to know of, and nobody has used it for long. */
  #isIdle(now: number): boolean {
    const { limits, park, queued } = this.#gate
    if (this.#closing) return true
    const isShut = park.state === 'probing' || park.until > now
    if (queued > 0 || isShut || limits.some(({ window }) => window.held > 0)) return false
    return now - this.#usedAt > IDLE_BEATS * this.#around.settings.heartbeatMs
  }

  /** An engine that is away is not asked any more: that could go on for ever. Who comes next finds out how it is. */
  #leave(isAnswered: boolean): void {
    this.#link.leave()
    this.#accounts.restart()
    this.#grants.clear()
    this.#parking.forget()
    this.#usedAt = -Infinity
    this.#isBack = false
    this.#isBehind = false
    this.#around.listen(this, false)
    if (isAnswered) this.#absence.end()
    else this.#absence.suspend()
    this.#wakeUp.set(Infinity, false)
    this.#closed()
  }
}
