import { describeLimit, restoreLimit, saveLimit } from './describe-limit.ts'
import { ForeignUse } from './foreign-use.ts'
import type { Block, Counted, Demand, LimitSnapshot, LimitState, Sent, Taken } from './limit.ts'
import { moreInReading, tellsLeft, usedIn } from './limit.ts'
import type { Reading } from './observation.ts'
import { projectedRoomAt, roomAt } from './room.ts'
import { distanceOf, type SavedLimit } from './saved.ts'
import { REQUESTS } from './weight.ts'
import { Window } from './window.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const STEPS = [1, 2, 5, 10, 15, 20, 30]

/** Window lengths that upstreams use; an unstated one is taken as the first that is no shorter than its longest reset. */
const USUAL_WINDOWS_MS = [
  ...STEPS.map((n) => n * SECOND),
  ...STEPS.map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12, 24].map((n) => n * HOUR),
]

/** A reset further away than this, or a longer window, is taken as none. */
export const LONGEST_RESET_MS = 24 * HOUR

/** After its reset an exhausted limit is tried this much later, since resets are mostly told in whole seconds. */
const RESET_SLACK_MS = 1_000

/** When an exhausted limit without a reset is tried. */
const UNTOLD_RESET_MS = 60_000

/**
 * A limit known from readings alone, of which the upstream does not state the window, or not the limit. An attempt may go when a rolling window of the
 * guessed length leaves room, or when the reading does after all that it cannot have counted. A reading does not age out: when
 * neither leaves room and nothing is in flight, one attempt goes alone after the reset and brings another.
 */
export class LearnedLimit implements LimitState {
  readonly name: string | undefined
  readonly unit: string
  readonly window: Window
  /** The window is not stated: it holds everything for ever until a reset tells its length. */
  readonly guessed: boolean
  readonly #foreign = new ForeignUse()
  #stated: number | undefined
  #remaining: number | undefined
  /** Own weight, of all sent, that was surely in the reading: what was sent beyond it is charged against `remaining`. */
  #sentInReading = 0
  /** The attempt whose answer brought the reading; undefined while none of this process has. */
  #readBy: Taken | undefined
  #aloneAt = Infinity
  /** The attempt that went alone last, by its place in the order of sending. */
  #alone: number | undefined

  constructor({ name, unit, windowMs }: Pick<Reading, 'name' | 'unit'> & { windowMs?: number | undefined }) {
    this.window = new Window(windowMs ?? Infinity)
    this.guessed = windowMs === undefined
    this.name = name
    this.unit = unit ?? REQUESTS
  }

  get effectiveLimit(): number | undefined {
    return this.#stated
  }

  get ownLimit(): number | undefined {
    return this.#stated
  }

  never(): boolean {
    return false
  }

  advance(now: number): boolean {
    this.window.advance(now)
    return this.#foreign.advance(now)
  }

  read(reading: Reading, taken: Taken): void {
    if (!this.#foreign.accepts(taken)) return
    const resetInMs = (reading.resetInMs ?? Infinity) <= LONGEST_RESET_MS ? reading.resetInMs : undefined
    if (this.guessed && resetInMs !== undefined && resetInMs > 0) this.#widen(resetInMs)
    this.#stated = reading.limit ?? this.#stated
    if (!tellsLeft(reading)) return
    this.#aloneAt = taken.at + (resetInMs === undefined ? UNTOLD_RESET_MS : resetInMs + RESET_SLACK_MS)
    const used = usedIn(reading, this.#stated)
    this.#remaining = reading.remaining ?? (this.#stated === undefined ? undefined : this.#stated - used!)
    this.#sentInReading = this.window.surelyCounted(taken.charge, true)
    this.#readBy = taken
    if (used !== undefined) this.#foreign.take(used, this.window.ownIn(taken.charge, 0), taken, this.window.windowMs)
  }

  forget(order: number): void {
    this.#foreign.forget(order)
    this.#remaining = undefined
  }

  block(weight: number, demand: Demand): Block | undefined {
    const { now, idle } = demand
    if (weight === 0 || demand.ignoreReadings || this.#readingLeaves(weight)) return undefined
    const windowAt = this.#windowKnown
      ? roomAt(this.window, this.#foreign, this.#stated!, weight, demand)
      : this.#unboundedAt
    if (windowAt === undefined || (idle && now >= this.#aloneAt)) return undefined
    return { at: idle ? Math.min(windowAt, this.#aloneAt) : windowAt, cause: 'reading' }
  }

  projectAt(weight: number, ahead: number, now: number): number {
    const total = weight + ahead
    if (total === 0 || this.#readingLeaves(total)) return now
    if (!this.#windowKnown) return this.#remaining === undefined ? now : Math.max(now, this.#aloneAt)
    return projectedRoomAt(this.window, this.#foreign, this.#stated!, total, now)
  }

  /** Until a reading comes back, the next one that has to go alone waits as if the upstream had told no reset. */
  sent({ order, sentAt }: Sent): void {
    if (sentAt < this.#aloneAt) return
    this.#aloneAt = sentAt + UNTOLD_RESET_MS
    this.#alone = order
  }

  corrected(attempt: Sent, delta: number): void {
    if (this.#readBy)
      this.#sentInReading += moreInReading({ ...this.#readBy, itself: true, alone: false }, attempt, delta)
    this.#foreign.corrected(attempt, delta)
  }

  /** The attempt that was to bring a reading, or the probe, brought none: the upstream does not tell any more. */
  silent(order: number, probe: boolean): void {
    if (probe || order === this.#alone) this.forget(order)
  }

  parkUntil(reading: Reading, now: number, floorMs: number): number {
    return reading.resetInMs === 0 ? now : now + floorMs
  }

  snapshot(now: number): LimitSnapshot {
    return describeLimit(this, 'learned', this.#foreign, now)
  }

  save(now: number, counted: Counted): SavedLimit {
    return {
      ...saveLimit(this, 'learned', this.#foreign, now, counted),
      ...(this.guessed && { guessed: true }),
      ...(this.#stated !== undefined && { stated: this.#stated }),
      left: {
        ...(this.#remaining !== undefined && { remaining: this.#remaining }),
        sentSince: this.window.sentTotal - this.#sentInReading,
        ...(this.#aloneAt < Infinity && { aloneInMs: distanceOf(this.#aloneAt - now) }),
      },
    }
  }

  /** A reading of this process is worth more than a saved one: what is kept then is what was spent. */
  restore(saved: SavedLimit, savedAt: number, transitMs: number): void {
    const { windowMs, left, stated } = saved
    if (this.guessed && windowMs !== undefined && this.window.windowMs === Infinity) this.window.windowMs = windowMs
    const sentBefore = this.window.sentTotal
    restoreLimit(this, this.#foreign, saved, savedAt, transitMs)
    if (left === undefined || this.#readBy !== undefined) return
    this.#stated ??= stated
    this.#remaining = left.remaining
    this.#sentInReading = this.window.sentTotal - left.sentSince - sentBefore
    this.#aloneAt = savedAt + (left.aloneInMs ?? Infinity)
  }

  get #windowKnown(): boolean {
    return this.#stated !== undefined && this.window.windowMs < Infinity
  }

  /** Where no window is known only a reading holds attempts back, for as long as nothing replaces it. */
  get #unboundedAt(): number | undefined {
    return this.#remaining === undefined ? undefined : Infinity
  }

  #widen(resetInMs: number): void {
    // None is longer than the last of them.
    const usual = USUAL_WINDOWS_MS.find((windowMs) => windowMs >= resetInMs)!
    if (this.window.windowMs < Infinity && usual <= this.window.windowMs) return
    this.window.windowMs = usual
    this.#foreign.lasts(usual)
  }

  /** Whether what was left at the reading covers all that it may not have counted, and `weight`. */
  #readingLeaves(weight: number): boolean {
    return this.#remaining !== undefined && this.window.sentTotal - this.#sentInReading + weight <= this.#remaining
  }
}
