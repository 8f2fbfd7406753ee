import { moreInReading, type Sent, type Taken } from './limit.ts'
import { distanceOf, type SavedForeignUse } from './saved.ts'
import type { OwnWeight } from './window.ts'

/** Others may have spent anything since a reading that is older than this part of its window. */
const STALE_PART = 10

/**
 * What others have spent of a limit, from the last reading. It lies between `used - possibly` and `used - surely`. The lower end
 * is acted on until a reading proves foreign use, and the upper end for one window after such a reading.
 */
export class ForeignUse {
  /** Below 0 where more than what was used may be, or surely is, own weight: a correction may still find others in it. */
  #lower = 0
  #upper = 0
  /** The attempt whose answer brought the reading, -1 for one of another process; when it was sent, and when that answer came. */
  #order = -1
  #sentAt = -Infinity
  /** That attempt is surely in the reading, or no other is. */
  #itself = false
  #alone = false
  #takenAt = -Infinity
  #expiresAt = -Infinity
  #provenUntil = -Infinity
  #lastOrder = -1
  #staleAt = -Infinity
  #fresh = false

  get takenAt(): number {
    return this.#takenAt
  }

  get present(): boolean {
    return this.#expiresAt > -Infinity
  }

  /** Whether the last reading itself proves foreign use. */
  get proves(): boolean {
    return this.#lower > 0
  }

  /** Whether a reading in this answer may replace the last one: the attempt sent last wins, or one that was refused. */
  accepts(taken: Taken): boolean {
    return taken.overrules || taken.order > this.#lastOrder
  }

  take(used: number, own: OwnWeight, taken: Taken, windowMs: number): void {
    this.#lastOrder = Math.max(this.#lastOrder, taken.order)
    this.#lower = used - own.possibly
    this.#upper = used - own.surely
    this.#itself = own.itself
    this.#alone = own.alone
    this.#order = taken.order
    this.#sentAt = taken.sentAt
    this.#takenAt = taken.at
    this.#expiresAt = taken.at + windowMs
    this.#staleAt = taken.at + windowMs / STALE_PART
    this.#fresh = true
    this.#prove()
  }

  /** The window of the reading turned out to be this long. */
  lasts(windowMs: number): void {
    if (!this.present) return
    this.#expiresAt = this.#takenAt + windowMs
    this.#prove()
  }

  /** Own weight in the reading turned out to be `delta` more than it was taken for: that much less is of others. */
  corrected(attempt: Sent, delta: number): void {
    if (!this.present || (attempt.sentAt >= this.#takenAt && attempt.order !== this.#order)) return
    this.#lower -= delta
    const told = { order: this.#order, sentAt: this.#sentAt, itself: this.#itself, alone: this.#alone }
    this.#upper -= moreInReading(told, attempt, delta)
    this.#prove()
  }

  at(now: number): number {
    if (now >= this.#expiresAt) return 0
    return Math.max(0, now < this.#provenUntil ? this.#upper : this.#lower)
  }

  /** Foreign use was proven no longer than a window before the last reading. */
  get #shows(): boolean {
    return this.#takenAt < this.#provenUntil
  }

  /** The next instant at which `at` can give less without another reading. */
  nextChange(now: number): number {
    return now < this.#provenUntil ? Math.min(this.#provenUntil, this.#expiresAt) : this.#expiresAt
  }

  /** Drops a reading older than its window. True, once, where one that shows foreign use has gone stale. */
  advance(now: number): boolean {
    if (!this.present) return false
    const stale = this.#fresh && now >= this.#staleAt && this.#shows
    if (stale) this.#fresh = false
    if (now >= this.#expiresAt) this.drop()
    return stale
  }

  /** Drops the reading for good: none of an attempt sent before this one replaces it. */
  forget(order: number): void {
    this.#lastOrder = Math.max(this.#lastOrder, order)
    this.drop()
  }

  drop(): void {
    this.#lower = 0
    this.#upper = 0
    this.#expiresAt = -Infinity
  }

  save(now: number): SavedForeignUse | undefined {
    if (!this.present) return undefined
    return {
      lower: this.#lower,
      upper: this.#upper,
      sentAgoMs: distanceOf(now - this.#sentAt),
      takenAgoMs: distanceOf(now - this.#takenAt),
      ...(this.#expiresAt < Infinity && { expiresInMs: distanceOf(this.#expiresAt - now) }),
      ...(Number.isFinite(this.#provenUntil) && { provenForMs: distanceOf(this.#provenUntil - now) }),
    }
  }

  /** Takes over a reading, unless there is one of this process. */
  restore(saved: SavedForeignUse, savedAt: number): void {
    if (this.#lastOrder >= 0) return
    this.#lower = saved.lower
    this.#upper = saved.upper
    this.#sentAt = savedAt - saved.sentAgoMs
    this.#takenAt = savedAt - saved.takenAgoMs
    this.#expiresAt = savedAt + (saved.expiresInMs ?? Infinity)
    this.#provenUntil = savedAt + (saved.provenForMs ?? -Infinity)
    this.#staleAt = this.#takenAt + (this.#expiresAt - this.#takenAt) / STALE_PART
    this.#fresh = true
    this.#prove()
  }

  #prove(): void {
    if (this.proves) this.#provenUntil = this.#expiresAt
  }
}
