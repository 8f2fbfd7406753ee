import type { Sent, Settings } from './books.ts'

/** What an answer says: nothing of the limits but what is left, at most. */
export interface Answer {
  throttled: boolean
  /** The upstream's hint; 0 for none. Milliseconds. */
  hintMs: number
  /** The least that is left of any limit told; undefined where none is. */
  left: number | undefined
}

/** Beyond this many at once the ramp holds nobody back. */
const RAMP_ENDS = 1_024

/** The part of the way from `baseMs` to the ceiling that every draw comes to. */
export const DRAWN_PART = 0.5

/** The gate as it is shut by parks, and what is let through as it opens again. */
export class Shut {
  state: 'open' | 'parked' | 'probing' = 'open'
  until = -Infinity
  /** Attempts that may be open at once. */
  atOnce = Infinity
  readonly #cooldown: Settings['cooldown']
  #ceilingMs: number
  #probe: Sent | undefined
  /** The last attempt sent before the gate was shut. */
  #lastBefore = -1
  /** The last attempt that was refused without a word on what is left, and no word has come since. */
  #refused: Sent | undefined

  constructor(cooldown: Settings['cooldown']) {
    this.#cooldown = cooldown
    this.#ceilingMs = cooldown.baseMs
  }

  blocks(now: number, open: number): boolean {
    return this.state === 'probing' || (this.state === 'parked' && now < this.until) || open >= this.atOnce
  }

  sent(sent: Sent): void {
    if (this.state !== 'parked') return
    this.state = 'probing'
    this.#probe = sent
  }

  park(delayMs: number, now: number, lastOrder: number): void {
    this.state = 'parked'
    this.until = Math.max(this.until, now + Math.min(delayMs, this.#cooldown.maxMs))
    this.#lastBefore = lastOrder
  }

  /** The attempt ended before its answer came. */
  lost(sent: Sent): void {
    if (this.state === 'probing' && sent === this.#probe) this.state = 'parked'
  }

  answered(sent: Sent, answer: Answer, now: number, lastOrder: number): void {
    if (answer.throttled) this.#throttled(sent, answer, now, lastOrder)
    else this.#welcome(sent, answer.left !== undefined)
  }

  #throttled(sent: Sent, { hintMs, left }: Answer, now: number, lastOrder: number): void {
    const failedProbe = this.state === 'probing' && sent === this.#probe
    const isOldNews = this.state === 'open' ? sent.order <= this.#lastBefore : !failedProbe
    if (left === undefined && !(isOldNews && this.state === 'open')) this.#refused = sent
    if (failedProbe) this.#ceilingMs = Math.min(this.#ceilingMs * 2, this.#cooldown.maxMs)
    if (hintMs > 0 && isOldNews && this.state !== 'open') this.#lengthen(hintMs, now)
    else if (hintMs > 0) this.park(hintMs, now, lastOrder)
    else if (!isOldNews) this.park(this.#delayMs(left !== undefined && left < sent.weight, failedProbe), now, lastOrder)
  }

  #lengthen(hintMs: number, now: number): void {
    this.until = Math.max(this.until, now + Math.min(hintMs, this.#cooldown.maxMs))
  }

  #delayMs(isSpent: boolean, failedProbe: boolean): number {
    const { baseMs, parkMs } = this.#cooldown
    const drawnMs = baseMs + DRAWN_PART * (this.#ceilingMs - baseMs)
    const delayMs = isSpent ? parkMs : drawnMs
    return failedProbe ? Math.max(parkMs, delayMs) : delayMs
  }

  /** An answer that does not throttle; the probe's opens the gate. */
  #welcome(sent: Sent, tells: boolean): void {
    const reopens = this.state === 'probing' && sent === this.#probe
    if (reopens) this.#open()
    if (tells) this.atOnce = Infinity
    else if (reopens && this.#refused) this.atOnce = 1
    else this.atOnce = this.atOnce * 2 > RAMP_ENDS ? Infinity : this.atOnce * 2
    if (reopens || (tells && this.#refused && sent.order > this.#refused.order)) this.#refused = undefined
  }

  #open(): void {
    this.state = 'open'
    this.until = -Infinity
    this.#ceilingMs = this.#cooldown.baseMs
  }
}
