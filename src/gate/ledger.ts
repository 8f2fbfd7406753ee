/** Entries beyond `maxEntries`: a window touches one rounded time more than it holds, and the next one begins before it ends. */
const SPARE_ENTRIES = 8

const BYTES_PER_NUMBER = 8

/** Room for more entries than that is let go of once the ledger is empty. */
const FEW_ENTRIES = 16

const NONE: number[] = []

/**
 * Weights by time, oldest first, in bounded memory. Times are added in order. Up to `maxEntries` distinct times are kept as
 * they are; beyond that they are rounded up to steps of `windowMs / maxEntries`, so nothing is ever dropped early. Where the
 * window has no known end, or became longer, the steps double as often as it takes.
 */
export class Ledger {
  readonly #maxEntries: number
  /** Each time with its weight behind it, round and round. A plain array: of a gate that is hardly used a typed one costs more than all else. */
  #ring: number[] = NONE
  /** Where in the ring the oldest entry stands. */
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

  /** Bytes of the array behind it. */
  get bytes(): number {
    return this.#ring.length * BYTES_PER_NUMBER
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
    while (this.#length > 0 && this.#ring[this.#first]! + ageMs <= now) dropped += this.#dropFirst()
    return dropped
  }

  /** Changes the weight added at `time` by `delta`. False where it has been dropped. */
  correct(time: number, delta: number): boolean {
    const index = this.#indexAtOrAfter(time)
    if (time <= this.#droppedThrough || index === this.#length) return false
    this.#ring[this.#slot(index) + 1]! += delta
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
    let sum = this.#ring[slot + 1]!
    for (let index = 1; index < this.#length && sum < weight; index += 1) {
      slot = this.#slot(index)
      sum += this.#ring[slot + 1]!
    }
    return this.#ring[slot]
  }

  /** The weight at or before `time`. */
  weightThrough(time: number): number {
    let sum = 0
    for (let index = 0; index < this.#length && this.#timeAt(index) <= time; index += 1) {
      sum += this.#ring[this.#slot(index) + 1]!
    }
    return sum
  }

  /** What it holds, oldest first. */
  *[Symbol.iterator](): Generator<[time: number, weight: number]> {
    for (let index = 0; index < this.#length; index += 1) {
      const slot = this.#slot(index)
      yield [this.#ring[slot]!, this.#ring[slot + 1]!]
    }
  }

  #dropFirst(): number {
    const weight = this.#ring[this.#first + 1]!
    this.#droppedThrough = this.#ring[this.#first]!
    this.#total -= weight
    this.#first = this.#slot(1)
    this.#length -= 1
    if (this.#length === 0) this.#clear()
    return weight
  }

  #append(time: number, weight: number): void {
    if (this.#length > 0) {
      const last = this.#slot(this.#length - 1)
      if (time <= this.#ring[last]!) {
        this.#ring[last + 1]! += weight
        return
      }
    }
    if (this.#length * 2 === this.#ring.length) this.#grow()
    const slot = this.#slot(this.#length)
    this.#ring[slot] = time
    this.#ring[slot + 1] = weight
    this.#length += 1
  }

  #nextStepMs(windowMs: number): number {
    if (this.#stepMs > 0) return this.#stepMs * 2
    const spanMs = this.#timeAt(this.#length - 1) - this.#ring[this.#first]!
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
    const entries = this.#length
    const room = entries < this.#maxEntries ? Math.min(entries * 2 || 1, this.#maxEntries) : entries + SPARE_ENTRIES
    const full = this.#ring
    this.#ring = Array.from({ length: room * 2 }, (_, place) => full[(this.#first + place) % full.length] ?? 0)
    this.#first = 0
  }

  #indexAtOrAfter(time: number): number {
    let low = 0
    let high = this.#length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#timeAt(middle) < time) low = middle + 1
      else high = middle
    }
    return low
  }

  #timeAt(index: number): number {
    return this.#ring[this.#slot(index)]!
  }

  /** Where in the ring the time of an entry stands; its weight stands behind it. */
  #slot(index: number): number {
    const slot = this.#first + index * 2
    return slot < this.#ring.length ? slot : slot - this.#ring.length
  }

  /** Empty again: sums of fractions start from 0 and times are exact. */
  #clear(): void {
    this.#first = 0
    this.#total = 0
    this.#stepMs = 0
    if (this.#ring.length > FEW_ENTRIES * 2) this.#ring = NONE
  }
}

function roundUp(time: number, stepMs: number): number {
  return Math.ceil(time / stepMs) * stepMs
}
