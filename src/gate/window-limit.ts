import { describeLimit, restoreLimit, saveLimit } from './describe-limit.ts'
import { FairShare } from './fair-share.ts'
import { DATE_STEP_MS, FixedReset } from './fixed-reset.ts'
import { ForeignUse } from './foreign-use.ts'
import type { Block, Counted, Demand, Limit, LimitSnapshot, LimitState, Sent, Taken } from './limit.ts'
import { longer, usedIn } from './limit.ts'
import type { Reading } from './observation.ts'
import { above, excessOf, projectedRoomAt, roomAt } from './room.ts'
import type { SavedLimit } from './saved.ts'
import { REQUESTS } from './weight.ts'
import type { Part, PartOf, SharedLimit, ToldUse } from './share.ts'
import { Window } from './window.ts'

/** The foreign use of a limit that none is known of here. It is never told anything. */
const NOBODY = new ForeignUse()

/** What it means to the limits of a budget that other processes draw on it: one object for all of them. */
export interface Sharing {
  /** Readings are judged where it is known what other processes have sent. */
  judgedElsewhere: boolean
  /** This process's part of a limit. More than it does not even go alone. */
  partOf: PartOf | undefined
}

/**
 * A limit whose window is known, configured or stated by the upstream. Own weight stays within the configured limit; own weight
 * and foreign use together stay within the one that the upstream states.
 */
export class WindowLimit implements LimitState, SharedLimit {
  readonly name: string | undefined
  readonly unit: string
  readonly window: Window
  readonly #configured: number
  #reset: FixedReset | undefined
  /** Whoever configured the limit left its kind open. */
  readonly #kindIsOpen: boolean
  /** Made when there is something to know. */
  #foreign = NOBODY
  readonly #fair: FairShare | undefined
  #stated: number | undefined
  /** Unset where no other process draws on it. */
  sharing: Sharing | undefined
  #told: ToldUse | undefined
  /** What had been sent when a fixed window last reopened: none of it is surely in a later reading. */
  #sentBeforeReset = 0

  constructor({ name, unit, windowMs, kind }: Omit<Limit, 'limit'>, configured = Infinity, fairShare = false) {
    this.name = name
    this.unit = unit ?? REQUESTS
    this.window = new Window(windowMs)
    this.#configured = configured
    this.#kindIsOpen = kind === undefined
    this.#reset = kind === 'fixed' ? new FixedReset() : undefined
    this.#fair = fairShare ? new FairShare(this.window) : undefined
  }

  get guessed(): boolean {
    return false
  }

  get configured(): boolean {
    return this.#configured < Infinity
  }

  get effectiveLimit(): number | undefined {
    const limit = Math.min(this.#configured, this.#stated ?? Infinity)
    return limit < Infinity ? limit : undefined
  }

  /** Units per window that bind this process now, its part of a limit that others draw on too. */
  get ownLimit(): number | undefined {
    const limit = Math.min(this.effectiveLimit ?? Infinity, this.#partAt(Infinity)?.units ?? Infinity)
    return limit < Infinity ? limit : undefined
  }

  /** What all who draw on it together may spend. */
  get sharedLimit(): number | undefined {
    return this.configured ? this.#configured : this.#stated
  }

  get told(): ToldUse | undefined {
    return this.#told
  }

  never(weight: number): boolean {
    return weight > this.#configured
  }

  advance(now: number): boolean {
    this.window.advance(now)
    const passed = this.#reset?.advance(now)
    if (passed !== undefined) this.#reopen(passed)
    return this.#foreign.advance(now) && !this.#judgedElsewhere
  }

  read(reading: Reading, taken: Taken): void {
    if (!this.#foreign.accepts(taken)) return
    if (this.#kindIsOpen && reading.kind === 'fixed') this.#reset ??= new FixedReset()
    if (this.#reset?.isPast(reading, taken.sentAt)) return
    if (reading.limit !== undefined) this.#stated = reading.limit
    const limit = this.#limit
    const used = usedIn(reading, limit)
    if (used === undefined) return
    const isOfNext = this.#reset?.read(reading, taken) ?? false
    const own = this.window.ownIn(taken.charge, this.#sentBeforeReset, this.#reset !== undefined, isOfNext)
    this.#knownForeign.take(used, own, taken, this.window.windowMs)
    if (limit !== undefined && limit > 0) this.#fair?.read({ now: taken.at, limit, used, proven: this.#foreign.proves })
    if (this.sharing) this.#told = this.#toldBy(reading, taken, used)
  }

  forget(order: number): void {
    this.#knownForeign.forget(order)
  }

  block(weight: number, demand: Demand): Block | undefined {
    if (weight === 0) return undefined
    const part = this.#partAt(demand.now)
    if (part && weight > part.units && !part.heavyGoesAlone) return { at: part.until, cause: 'engine' }
    const ownAt = this.#ownRoomAt(weight, demand, part)
    const own: Block | undefined = ownAt === undefined ? undefined : { at: ownAt, cause: 'limit' }
    // Where it is bound to a part the whole limit, which is asked with the reading, may hold it for longer.
    const neverRead = this.#foreign === NOBODY && this.#stated === undefined && part === undefined
    if (neverRead || demand.ignoreReadings || this.#judgedElsewhere) return own
    const fair = this.#contested(demand.now)
    const readingAt = this.#readingRoomAt(weight, demand, fair)
    const block = readingAt === undefined ? own : longer(own, { at: readingAt, cause: 'reading' })
    return longer(block, fair?.block(weight, demand))
  }

  projectAt(weight: number, ahead: number, now: number): number {
    const total = weight + ahead
    if (total === 0) return now
    const limit = this.ownLimit ?? Infinity
    const foreign = this.#judgedElsewhere ? NOBODY : this.#foreign
    const roomAt = projectedRoomAt(this.window, foreign, limit, total, now)
    const at = Math.max(roomAt, this.#contested(now)?.projectAt(ahead, now) ?? now)
    const reset = this.#reset?.pending
    if (reset === undefined) return at
    const kept = this.window.heldBeyond(reset.sureAt, now) + this.#foreignAfterReset(now)
    const cycles = Math.ceil(above(limit, kept + total) / limit)
    return Math.min(at, reset.reopensAt + cycles * this.window.windowMs)
  }

  sent({ sentAt }: Sent, weight: number): void {
    this.#fair?.sent(sentAt, weight)
  }

  corrected(attempt: Sent, delta: number): void {
    this.#foreign.corrected(attempt, delta)
  }

  silent(): void {}

  /** A reset beyond the end of a window that begins now is not believed. */
  parkUntil({ resetInMs, resetStepMs = 0 }: Reading, now: number, floorMs: number): number {
    if (this.#reset && resetInMs === 0) return now
    const reopensAt = Math.min(this.#reset?.reopensAt ?? now, now + this.window.windowMs + resetStepMs)
    return Math.max(now + floorMs, reopensAt)
  }

  snapshot(now: number): LimitSnapshot {
    const fair = this.#contested(now)
    return {
      ...describeLimit(this, this.#source, this.#judgedElsewhere ? NOBODY : this.#foreign, now),
      ...(fair && { share: fair.share }),
    }
  }

  save(now: number, counted: Counted): SavedLimit {
    const resets = this.#reset?.save(now) ?? []
    return {
      ...saveLimit(this, this.#source, this.#foreign, now, counted),
      ...(this.#stated !== undefined && { stated: this.#stated }),
      ...(resets.length > 0 && { resets }),
    }
  }

  restore(saved: SavedLimit, savedAt: number, transitMs: number): void {
    restoreLimit(this, this.#knownForeign, saved, savedAt, transitMs)
    this.#stated ??= saved.stated
    if (this.#kindIsOpen && saved.resets) this.#reset ??= new FixedReset()
    if (this.#reset === undefined) return
    this.#reset.restore(saved.resets ?? [], savedAt)
    this.#sentBeforeReset = this.window.sentTotal
  }

  get #knownForeign(): ForeignUse {
    if (this.#foreign === NOBODY) this.#foreign = new ForeignUse()
    return this.#foreign
  }

  get #source(): LimitSnapshot['source'] {
    return this.configured ? 'configured' : 'learned'
  }

  /** What own weight and foreign use together stay within. */
  get #limit(): number | undefined {
    const limit = this.#stated ?? this.#configured
    return limit < Infinity ? limit : undefined
  }

  get #judgedElsewhere(): boolean {
    return this.sharing?.judgedElsewhere ?? false
  }

  #partAt(now: number): Part | undefined {
    return this.sharing?.partOf?.(this, now)
  }

  /** Of a fixed window all comes back at once, to whoever asks first: nothing is to be had by making room in it. */
  #contested(now: number): FairShare | undefined {
    if (this.#reset !== undefined || this.#judgedElsewhere) return undefined
    return this.#fair?.isContested(now) ? this.#fair : undefined
  }

  #reopen(passed: number): void {
    this.window.releaseThrough(passed)
    this.#sentBeforeReset = this.window.sentTotal
    if (this.#reset?.reopensAt === undefined) this.#foreign.drop()
  }

  #ownRoomAt(weight: number, demand: Demand, part: Part | undefined): number | undefined {
    const limit = Math.min(this.#configured, part?.units ?? Infinity)
    const excess = excessOf(this.window, 0, weight, limit)
    if (excess === 0) return undefined
    const at = this.#reopenedBy(this.window.freeAt(excess, demand.uncountedUntil), weight, limit, 0, demand)
    return Math.min(at, part?.until ?? Infinity)
  }

  #readingRoomAt(weight: number, demand: Demand, fair: FairShare | undefined): number | undefined {
    const limit = this.#stated ?? this.#configured
    const at = roomAt(this.window, this.#foreign, fair?.within(limit) ?? limit, weight, demand)
    if (at === undefined) return undefined
    if (fair) return fair.looksAgain(this.#foreign.takenAt, demand, at)
    return this.#reopenedBy(at, weight, limit, this.#foreignAfterReset(demand.now), demand)
  }

  /** Where a reset is told the window began a window before it. */
  #toldBy({ resetInMs, resetStepMs = 0 }: Reading, { sentAt, at }: Taken, used: number): ToldUse {
    const { windowMs } = this.window
    const told = { used, stated: this.#stated ?? this.#configured, sentAt, at }
    if (this.#reset === undefined || resetInMs === undefined)
      return { ...told, surelySince: at - windowMs, possiblySince: sentAt - windowMs, until: at + windowMs }
    const until = at + resetInMs + resetStepMs
    const resetFrom = sentAt + resetInMs - resetStepMs - DATE_STEP_MS
    return { ...told, surelySince: until - windowMs, possiblySince: resetFrom - windowMs, until }
  }

  /** At its reset a fixed window has room for what fits beside own weight that may be of the new window, and `others`. */
  #reopenedBy(at: number, weight: number, limit: number, others: number, { uncountedUntil }: Demand): number {
    const reset = this.#reset?.pending
    if (reset === undefined) return at
    const kept = this.window.heldBeyond(reset.sureAt, uncountedUntil)
    if (above(limit, kept + others + Math.min(weight, limit)) === 0) return Math.min(at, reset.reopensAt)
    const excess = excessOf(this.window, others, weight, limit)
    return Math.min(at, Math.max(reset.reopensAt, this.window.freeAt(excess, uncountedUntil)))
  }

  /** A reset drops what others have spent, unless the reading is of the window after it. */
  #foreignAfterReset(now: number): number {
    return this.#reset?.namesNext ? this.#foreign.at(now) : 0
  }
}
