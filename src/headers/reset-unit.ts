/** A reset in milliseconds falls by 1 000 in a second, give or take the latency; one in seconds by 1. */
const LEAST_PER_SECOND = 250
const MOST_PER_SECOND = 1_500

/** Readings closer together than this tell too little. */
const APART_MS = 1_000

/** What is compared: readings of one limit, as far as its number and name tell. */
interface Seen {
  value: number
  at: number
  of: string
}

/**
 * Whether a bare number in a reset counts milliseconds: readings of the same limit show it. One that falls by about as much as the clock
 * counts in milliseconds does; one that falls by a thousandth of that counts seconds. One that stays or rises tells nothing.
 */
export class ResetUnit {
  #inMilliseconds = false
  #seen: Seen | undefined

  get inMilliseconds(): boolean {
    return this.#inMilliseconds
  }

  /** Whether a reading at this instant, in monotonic milliseconds, may tell. */
  asks(at: number): boolean {
    return this.#seen === undefined || at - this.#seen.at >= APART_MS
  }

  /** A number that a reset stated, when, and of which limit. */
  sees(value: number, at: number, of: string): void {
    const before = this.#seen
    this.#seen = { value, at, of }
    if (before === undefined || before.of !== of || value >= before.value) return
    const perSecond = ((before.value - value) / (at - before.at)) * 1_000
    if (perSecond <= MOST_PER_SECOND) this.#inMilliseconds = perSecond >= LEAST_PER_SECOND
  }
}
