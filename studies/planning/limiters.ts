/** Limiters of one process, in seconds: their window is 1 s. */
export interface Limiter {
  /** May change between calls. */
  limit: number
  /** When a call that comes at `now` starts; undefined where it is refused. Calls come in order of time. */
  startOf(now: number): number | undefined
}

/** Counts afresh from each full second. */
export class FixedWindow implements Limiter {
  limit: number
  #second = -1
  #count = 0

  constructor(limit: number) {
    this.limit = limit
  }

  startOf(now: number): number | undefined {
    if (Math.floor(now) !== this.#second) {
      this.#second = Math.floor(now)
      this.#count = 0
    }
    if (this.#count >= this.limit) return undefined
    this.#count += 1
    return now
  }
}

/** Lets no more than the limit start in any second. Calls wait up to `maxWait` for that, first come, first served. */
export class RollingWindow implements Limiter {
  limit: number
  readonly #maxWait: number
  readonly #starts: Float64Array
  #next = 0

  constructor(limit: number, { maxWait = 0, mostLimit = limit } = {}) {
    this.limit = limit
    this.#maxWait = maxWait
    this.#starts = new Float64Array(mostLimit).fill(-Infinity)
  }

  startOf(now: number): number | undefined {
    if (this.limit === 0) return undefined
    const starts = this.#starts
    const before = this.#next - this.limit
    const start = Math.max(now, starts[before < 0 ? before + starts.length : before]! + 1)
    if (start - now > this.#maxWait) return undefined
    starts[this.#next] = start
    this.#next = this.#next + 1 === starts.length ? 0 : this.#next + 1
    return start
  }
}

/** A bucket of `size` calls that leaks `limit` a second. */
export class LeakyBucket implements Limiter {
  limit: number
  readonly #size: number
  #level = 0
  #levelAt = 0

  constructor(limit: number, size: number) {
    this.limit = limit
    this.#size = size
  }

  startOf(now: number): number | undefined {
    this.#level = Math.max(0, this.#level - (now - this.#levelAt) * this.limit)
    this.#levelAt = now
    if (this.#level + 1 > this.#size) return undefined
    this.#level += 1
    return now
  }
}
