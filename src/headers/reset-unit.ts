/** A reset in milliseconds falls by 1 000 in a second, give or take the latency; one in seconds by 1. */
const LEAST_PER_SECOND = 250
const MOST_PER_SECOND = 1_500

/** Readings closer together than this tell too little. */
const APART_MS = 1_000

/**
 * Whether a bare number in a reset counts milliseconds: two readings of the same upstream show it. One that falls by about as much as
 * the clock counts in milliseconds does; one that falls a thousandth of that, stays or rises is left as it is.
 */
export class ResetUnit {
  #value: number | undefined
  #at = 0
  #decided = false

  get inMilliseconds(): boolean {
    return this.#decided
  }

  /** Whether a reading at this instant, in monotonic milliseconds, may tell. */
  asks(at: number): boolean {
    return !this.#decided && (this.#value === undefined || at - this.#at >= APART_MS)
  }

  /** A number that a reset stated, and when. */
  sees(value: number, at: number): void {
    const perSecond = this.#value === undefined ? 0 : ((this.#value - value) / (at - this.#at)) * 1_000
    this.#decided = perSecond >= LEAST_PER_SECOND && perSecond <= MOST_PER_SECOND
    this.#value = value
    this.#at = at
  }
}
