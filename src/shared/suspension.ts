import type { Clock } from '../gate/clock.ts'

/** The wall clock may gain so much on the monotonic one before the machine counts as having slept. */
const SLEPT_MS = 1_000

/** Tells whether the machine has slept: monotonic clocks stand still then on some systems, and wall clocks do not. */
export class Suspension {
  readonly #clock: Clock
  #aheadMs: number | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** What is known now was known at `now`. */
  note(now: number): void {
    this.#aheadMs = this.#clock.wallNow() - now
  }

  /** True, once, where the machine has slept since. */
  hasEnded(now: number): boolean {
    if (this.#aheadMs === undefined || this.#clock.wallNow() - now - this.#aheadMs < SLEPT_MS) return false
    this.#aheadMs = undefined
    return true
  }
}
