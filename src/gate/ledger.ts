/** Entries beyond `maxEntries`: a window touches one rounded time more than it holds, and the next one begins before it ends. */
const SPARE_ENTRIES = 8

const BYTES_PER_NUMBER = 8

/** Entries that a ledger begins with when the first is added. */
const FIRST_ENTRIES = 2

const NONE: number[] = []

/**
 * Weights by time, oldest first, in bounded memory. Times are added in order. Up to `maxEntries` distinct times are kept as
 * they are; beyond that they are rounded up to steps of `windowMs / maxEntries`, so nothing is ever dropped early. Where the
 * window has no known end, or became longer, the steps double as often as it takes.
 */
export class Ledger {
  readonly #maxEntries: number
  /** Plain arrays: of a gate that is hardly used a typed one costs more than all else. */
  #times: number[] = NONE
  #weights: number[] = NONE
  #first = 0
  #length = 0
  #total = 0
  /** 0 while times are exact. */
  #stepMs = 0
  #droppedThrough = -Infinity

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries
  }

  get total(): number {
    return this.#total
  }

  /** How much later than its own time a weight may stand in here. */
  get slackMs(): number {
    return this.#stepMs
  }

  /** Bytes of the arrays behind it. */
  get bytes(): number {
    return (this.#times.length + this.#weights.length) * BYTES_PER_NUMBER
  }

  add(time: number, weight: number, windowMs: number): void {
    const most = this.#stepMs === 0 ? this.#maxEntries : this.#maxEntries + SPARE_ENTRIES
    if (this.#length >= most) this.#coalesce(this.#nextStepMs(windowMs))
    this.#total += weight
    this.#append(this.#stepMs === 0 ? time : roundUp(time, this.#stepMs), weight)
  }

  /** Removes everything that is `ageMs` old or older at `now`, and returns its weight. */
  dropAged(now: number, ageMs: number): number {
    let dropped = 0
    while (this.#length > 0 && this.#times[this.#first]! + ageMs <= now) {
      this.#droppedThrough = this.#times[this.#first]!
      dropped += this.#weights[this.#first]!
      this.#first = (this.#first + 1) % this.#times.length
      this.#length -= 1
    }
    this.#total -= dropped
    if (this.#length === 0) this.#clear()
    return dropped
  }

  /** Changes the weight added at `time` by `delta`. False where it has been dropped. */
  correct(time: number, delta: number): boolean {
    const index = this.#indexAtOrAfter(time)
    if (time <= this.#droppedThrough || index === this.#length) return false
    this.#weights[this.#slot(index)]! += delta
    this.#total += delta
    return true
  }

  /**
   * The time through which `weight` units have to be dropped; undefined where it does not hold that many. The last one where
   * the sum falls short of the total by rounding.
   */
  timeOf(weight: number): number | undefined {
    if (weight > this.#total) return undefined
    let slot = this.#first
    let sum = this.#weights[slot]!
    for (let index = 1; index < this.#length && sum < weight; index += 1) {
      slot = this.#slot(index)
      sum += this.#weights[slot]!
    }
    return this.#times[slot]
  }

  /** The weight at or before `time`. */
  weightThrough(time: number): number {
    let sum = 0
    for (let index = 0; index < this.#length && this.#times[this.#slot(index)]! <= time; index += 1) {
      sum += this.#weights[this.#slot(index)]!
    }
    return sum
  }

  /** What it holds, oldest first. */
  *[Symbol.iterator](): Generator<[time: number, weight: number]> {
    for (let index = 0; index < this.#length; index += 1) {
      const slot = this.#slot(index)
      yield [this.#times[slot]!, this.#weights[slot]!]
    }
  }

  #append(time: number, weight: number): void {
    if (this.#length > 0) {
      const last = this.#slot(this.#length - 1)
      if (time <= this.#times[last]!) {
        this.#weights[last]! += weight
        return
      }
    }
    if (this.#length === this.#times.length) this.#grow()
    const slot = this.#slot(this.#length)
    this.#times[slot] = time
    this.#weights[slot] = weight
    this.#length += 1
  }

  #nextStepMs(windowMs: number): number {
    if (this.#stepMs > 0) return this.#stepMs * 2
    const spanMs = this.#times[this.#slot(this.#length - 1)]! - this.#times[this.#first]!
    return (windowMs < Infinity ? windowMs : spanMs * 2) / this.#maxEntries
  }

  #coalesce(stepMs: number): void {
    const entries = [...this]
    this.#first = 0
    this.#length = 0
    this.#stepMs = stepMs
    for (const [time, weight] of entries) this.#append(roundUp(time, stepMs), weight)
  }

  /** Doubles up to `maxEntries`. */
  #grow(): void {
    const size = this.#times.length
    const doubled = Math.max(size * 2, FIRST_ENTRIES)
    const next = size < this.#maxEntries ? Math.min(doubled, this.#maxEntries) : size + SPARE_ENTRIES
    const times = this.#unrolled(this.#times, next)
    const weights = this.#unrolled(this.#weights, next)
    this.#times = times
    this.#weights = weights
    this.#first = 0
  }

  #unrolled(from: readonly number[], size: number): number[] {
    const to = Array.from({ length: size }, () => 0)
    for (let index = 0; index < this.#length; index += 1) to[index] = from[this.#slot(index)]!
    return to
  }

  #indexAtOrAfter(time: number): number {
    let low = 0
    let high = this.#length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#times[this.#slot(middle)]! < time) low = middle + 1
      else high = middle
    }
    return low
  }

  #slot(index: number): number {
    return (this.#first + index) % this.#times.length
  }

  /** Empty again: sums of fractions start from 0 and times are exact. */
  #clear(): void {
    this.#first = 0
    this.#total = 0
    this.#stepMs = 0
  }
}

function roundUp(time: number, stepMs: number): number {
  return Math.ceil(time / stepMs) * stepMs
}
