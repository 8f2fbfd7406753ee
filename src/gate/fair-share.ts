import type { Block, Demand } from './limit.ts'
import type { Window } from './window.ts'

/** A limit is contested for so many windows after a reading that proves foreign use: one that is seen in bursts shows once in each. */
const CONTESTED_WINDOWS = 2

/** Pressure rises from 0 to 1 over this last part of the limit. */
const PRESSED_PART = 0.1

/** What a share grows by in a window without pressure, as a part of the limit. Under full pressure it loses all of itself. */
const GROWTH = 0.4

/** A share changes by no more than that of this part of a window at a time, however long there was no reading. */
const LONGEST_STEP = 0.2

/** The least share, as a part of the limit: what a newcomer begins with. */
const LEAST_PART = 0.01

/** Part of the limit that readings leave free: others who read the same a moment ago may send at the same time. */
const SPARE_PART = 0.02

/** A reading older than this part of its window does not hold a gate that is below its share: the others may have made room. */
const STALE_PART = 0.1

/** What one reading tells of a limit and of those who use it. */
export interface Sighting {
  now: number
  limit: number
  /** Weight that the upstream has counted of all. */
  used: number
  /** The reading proves foreign use. */
  proven: boolean
}

/**
 * Makes room on a rolling limit that readings show others to use. While it is contested a gate has a share of it: own weight stays
 * within the share, and sends are spread over the window at its rate. The emptier the window, the more a share grows by a part of the
 * limit, which is the same for all; the fuller, the more it loses a part of itself, which is more for the larger. So all gates come to the same.
 * It holds back and never lets more through, but for this: a gate below its share looks again, with one attempt, where its reading is stale.
 * docs/fleet-headers.md has the figures behind the constants.
 */
export class FairShare {
  readonly #window: Window
  #share = 0
  #nextAt = -Infinity
  #readAt = 0
  #contestedUntil = -Infinity

  constructor(window: Window) {
    this.#window = window
  }

  /** Units per window. Counts for as long as the limit is contested. */
  get share(): number {
    return this.#share
  }

  isContested(now: number): boolean {
    return now < this.#contestedUntil
  }

  /** A gate that had the limit to itself begins with what it holds. */
  read({ now, limit, used, proven }: Sighting): void {
    const { windowMs, held } = this.#window
    if (!this.isContested(now)) {
      this.#share = held
      this.#readAt = now
    }
    if (proven) this.#contestedUntil = now + CONTESTED_WINDOWS * windowMs
    const pressure = pressureOf((used + this.#share - held) / limit)
    const step = Math.min((now - this.#readAt) / windowMs, LONGEST_STEP)
    const share = this.#share + step * (GROWTH * limit * (1 - pressure) - this.#share * pressure)
    this.#share = Math.min(Math.max(share, LEAST_PART * limit), limit)
    this.#readAt = now
  }

  /** One attempt that went late is made up for, and one goes in every window however small the share. */
  sent(now: number, weight: number): void {
    if (!this.isContested(now)) return
    const spacingMs = Math.min(this.#msFor(weight), this.#window.windowMs)
    this.#nextAt = Math.max(this.#nextAt, now - spacingMs) + spacingMs
  }

  /** What holds an attempt back beyond the limit and the reading. */
  block(weight: number, { now, uncountedUntil }: Demand): Block | undefined {
    const excess = this.#excessOf(weight)
    const shareAt = excess > 0 ? this.#window.freeAt(excess, uncountedUntil) : now
    if (Math.max(shareAt, this.#nextAt) <= now) return undefined
    return shareAt > this.#nextAt ? { at: shareAt, cause: 'reading' } : { at: this.#nextAt, cause: 'pace' }
  }

  /** What of the limit own weight and foreign use may take together. */
  within(limit: number): number {
    return limit * (1 - SPARE_PART)
  }

  /** Until when the reading of `takenAt`, which leaves no room until `at`, holds an attempt; undefined where it does no more. */
  looksAgain(takenAt: number, { now, idle }: Demand, at: number): number | undefined {
    if (!idle) return at
    const staleAt = takenAt + STALE_PART * this.#window.windowMs
    return staleAt > now ? Math.min(at, staleAt) : undefined
  }

  /** When an attempt will go behind `ahead` units, if the share stays as it is. */
  projectAt(ahead: number, now: number): number {
    return Math.max(now, this.#nextAt) + this.#msFor(ahead)
  }

  /** An attempt heavier than the share goes when nothing else of the gate is held. */
  #excessOf(weight: number): number {
    const { held } = this.#window
    return Math.min(held, Math.max(0, held + weight - this.#share))
  }

  #msFor(weight: number): number {
    return (weight * this.#window.windowMs) / this.#share
  }
}

/** 0 where more than the last part is free, 1 where nothing is. */
function pressureOf(used: number): number {
  return Math.min(Math.max((used - 1 + PRESSED_PART) / PRESSED_PART, 0), 1)
}
