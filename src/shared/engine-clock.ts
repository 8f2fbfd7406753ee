/** Samples older than two of these are not relied on: clocks drift apart. */
const TURN_MS = 5_000

/** How much later an instant of the engine's clock is by this process's, at least and at most. Milliseconds. */
interface Bounds {
  atLeast: number
  atMost: number
}

const UNKNOWN: Bounds = { atLeast: -Infinity, atMost: Infinity }

/**
 * What instants of the engine's clock, in microseconds, are by the clock of this process, in milliseconds. An answer was given between
 * its call and its arrival; the narrowest of recent samples count, and one that contradicts them starts anew: the engine's clock has moved.
 */
export class EngineClock {
  #current = UNKNOWN
  #before = UNKNOWN
  #turnAt = -Infinity

  /** Takes a sample: the engine read `engineUs` between `calledAt` and `arrivedAt`. */
  note(engineUs: number, calledAt: number, arrivedAt: number): void {
    const engineMs = engineUs / 1000
    const sample = { atLeast: calledAt - engineMs, atMost: arrivedAt - engineMs }
    const known = both(this.#current, this.#before)
    if (sample.atLeast > known.atMost || sample.atMost < known.atLeast) {
      this.reset()
      this.#turnAt = arrivedAt
    } else if (arrivedAt - this.#turnAt > TURN_MS) {
      this.#before = this.#current
      this.#current = UNKNOWN
      this.#turnAt = arrivedAt
    }
    this.#current = both(this.#current, sample)
  }

  /** Nothing is known any more. */
  reset(): void {
    this.#current = UNKNOWN
    this.#before = UNKNOWN
  }

  /** By this process's clock, at the latest. */
  localAt(engineUs: number): number {
    return engineUs / 1000 + both(this.#current, this.#before).atMost
  }

  /** The same at the earliest. */
  earliestLocalAt(engineUs: number): number {
    return engineUs / 1000 + both(this.#current, this.#before).atLeast
  }

  /** By the engine's clock, at the latest; 0 where it is not known. */
  latestUs(localAt: number): number {
    return microseconds(localAt - both(this.#current, this.#before).atLeast)
  }

  /** By the engine's clock, at the earliest; 0 where it is not known. */
  earliestUs(localAt: number): number {
    return microseconds(localAt - both(this.#current, this.#before).atMost)
  }
}

function both(one: Bounds, other: Bounds): Bounds {
  return { atLeast: Math.max(one.atLeast, other.atLeast), atMost: Math.min(one.atMost, other.atMost) }
}

function microseconds(engineMs: number): number {
  return Number.isFinite(engineMs) ? Math.max(0, Math.round(engineMs * 1000)) : 0
}
