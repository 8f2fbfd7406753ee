/** Entries are merged within this part of the window, which bounds how many there are. */
const STEPS = 1000
const SHORTEST_STEP_US = 1_000

/** Sums of fractional weights may be off by this part of what was added up. */
const ROUNDING = 2 ** -48

/** Entries that have left the window are kept for this part of it: readings are judged against them. */
const KEPT_PART = 4

/** Everything granted up to an instant: `end` units by `stamp`. */
interface LogEntry {
  end: number
  readonly stamp: number
}

/**
 * All weight ever granted against one limit, as a running total by instant. How much is in the window at any instant is a
 * difference of two totals, and when weight will fit is found in the same entries.
 */
export class GrantLog {
  readonly #windowUs: number
  readonly #entries: LogEntry[] = []
  /** Granted since the log was made. */
  total = 0
  /** Of which has left the window. */
  #gone = 0
  /** How many entries have. */
  #dead = 0
  /** Whether entries have been dropped: totals before the first one are not known any more. */
  #forgets = false

  constructor(windowUs: number) {
    this.#windowUs = windowUs
  }

  /** Entries kept. */
  get size(): number {
    return this.#entries.length
  }

  /** Lets what has left the window by `now` go, and what left it long ago. */
  advance(now: number): void {
    for (let next = this.#entries[this.#dead]; next && next.stamp + this.#windowUs <= now;) {
      this.#gone = next.end
      this.#dead += 1
      next = this.#entries[this.#dead]
    }
    const keptUs = this.#windowUs + Math.floor(this.#windowUs / KEPT_PART)
    const old = this.#entries.findIndex(({ stamp }) => stamp + keptUs > now)
    const dropped = old === -1 ? this.#dead : Math.min(old, this.#dead)
    this.#entries.splice(0, dropped)
    this.#dead -= dropped
    this.#forgets ||= dropped > 0
  }

  /**
   * When `weight` more units, behind `ahead` others, are within `limit`; -Infinity for at once. More than the limit goes alone. Where the
   * others fill the limit it is not known, and no sooner than `behindAt`.
   */
  roomAt(weight: number, ahead: number, limit: number, behindAt: number): number {
    const wanted = Math.min(this.total + ahead + weight - limit, this.total + ahead)
    const target = wanted - (this.total + limit) * ROUNDING
    if (this.#gone >= target) return -Infinity
    for (let index = this.#dead; index < this.#entries.length; index++) {
      const { end, stamp } = this.#entries[index]!
      if (end >= target) return stamp + this.#windowUs
    }
    return Math.max((this.#entries.at(-1)?.stamp ?? -Infinity) + this.#windowUs, behindAt)
  }

  /** Charges weight that starts at `start`, which is taken up to the end of its step. An entry that has left the window takes no more. */
  add(weight: number, start: number): void {
    if (weight === 0) return
    this.total += weight
    const stepUs = Math.max(SHORTEST_STEP_US, Math.ceil(this.#windowUs / STEPS))
    const last = this.#entries.at(-1)
    const stamp = Math.max(Math.ceil(start / stepUs) * stepUs, last?.stamp ?? 0)
    if (last && last.stamp === stamp && this.#entries.length > this.#dead) last.end = this.total
    else this.#entries.push({ end: this.total, stamp })
  }

  /** Everything granted with a stamp of `at` or before; undefined where that is no longer known. */
  totalAt(at: number): number | undefined {
    const index = this.#entries.findLastIndex(({ stamp }) => stamp <= at)
    return index >= 0 ? this.#entries[index]!.end : this.#forgets ? undefined : 0
  }
}
