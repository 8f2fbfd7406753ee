import { Ledger } from './ledger.ts'

/** Distinct times kept exactly; see `Ledger`. 1 024 + 512 entries of 16 bytes are 24.6 kB. */
const COUNTED_ENTRIES = 1024
const SENT_ENTRIES = 512

/** What a window knew when an attempt was sent; what a reading in its answer is judged against. */
export interface Mark {
  /** Own weight certainly counted by then, since the window was made. */
  counted: number
  /** Own weight that had certainly left the upstream's window by then. */
  released: number
  /** How much less counted weight has turned out to be by then, since the window was made. */
  corrected: number
}

/** What one attempt spends of a limit, with what its window knew when it was sent. */
export interface Charge extends Mark {
  weight: number
}

/**
 * The gate's own weight inside one trailing window. Weight sent at `s` whose headers arrive at `h` was counted by the upstream
 * no later than `min(h, s + transitMs)`; it is held until that instant + `windowMs`, and for ever while it is not known.
 */
export class Window {
  windowMs: number
  readonly #counted = new Ledger(COUNTED_ENTRIES)
  readonly #sent = new Ledger(SENT_ENTRIES)
  #uncounted = 0
  #uncountedSends = 0
  #sentTotal = 0
  #countedTotal = 0
  #releasedTotal = 0
  #agedTotal = 0
  #correctedTotal = 0

  constructor(windowMs: number) {
    this.windowMs = windowMs
  }

  /** Weight that the upstream may still hold against this gate. */
  get held(): number {
    return this.#uncounted + this.#counted.total
  }

  /** Weight sent since the window was made. */
  get sentTotal(): number {
    return this.#sentTotal
  }

  get bytes(): number {
    return this.#counted.bytes + this.#sent.bytes
  }

  mark(): Mark {
    return { counted: this.#countedTotal, released: this.#releasedTotal, corrected: this.#correctedTotal }
  }

  /** Lets go of what has left the window by `now`. */
  advance(now: number): void {
    this.#releasedTotal += this.#counted.dropAged(now, this.windowMs)
    this.#agedTotal += this.#sent.dropAged(now + this.#sent.slackMs, this.windowMs)
  }

  /** Lets go of what was certainly counted at or before `instant`. */
  releaseThrough(instant: number): void {
    this.#releasedTotal += this.#counted.dropAged(instant, 0)
  }

  send(at: number, weight: number): Charge {
    this.#uncounted += weight
    this.#uncountedSends += 1
    this.#sentTotal += weight
    this.#sent.add(at, weight, this.windowMs)
    return { weight, counted: this.#countedTotal, released: this.#releasedTotal, corrected: this.#correctedTotal }
  }

  /** What is certainly counted, oldest first. */
  get counted(): Iterable<[at: number, weight: number]> {
    return this.#counted
  }

  /**
   * Takes over what another window had certainly counted, oldest first; it was sent no more than `transitMs` before. Where this one has
   * been used already, none of that is surely in a later reading.
   */
  restore(counted: Iterable<readonly [at: number, weight: number]>, transitMs: number): void {
    const placeable = this.#sentTotal === 0 && transitMs < Infinity
    for (const [at, weight] of counted) {
      this.#sentTotal += weight
      this.#countedTotal += weight
      this.#counted.add(at, weight, this.windowMs)
      if (placeable) this.#sent.add(at - transitMs, weight, this.windowMs)
      else this.#agedTotal += weight
    }
  }

  /** The weight sent is certainly counted at `at`. Instants arrive in order. */
  count(at: number, weight: number): void {
    this.#uncountedSends -= 1
    this.#uncounted = this.#uncountedSends === 0 ? 0 : this.#uncounted - weight
    this.#countedTotal += weight
    this.#counted.add(at, weight, this.windowMs)
  }

  /**
   * The attempt sent at `sentAt`, and certainly counted at `countedAt` if that is known, weighs `delta` more. What has left the
   * window already stays as it was: false then.
   */
  correct(sentAt: number, countedAt: number | undefined, delta: number): boolean {
    if (countedAt === undefined) this.#uncounted += delta
    else if (!this.#counted.correct(countedAt, delta)) return false
    else {
      this.#countedTotal += delta
      this.#correctedTotal -= Math.min(delta, 0)
    }
    this.#sentTotal += delta
    if (!this.#sent.correct(sentAt, delta)) this.#agedTotal += delta
    return true
  }

  /**
   * When time alone will have released `excess` units. What is not counted yet leaves a window after `uncountedUntil`, the
   * instant by which the oldest of it will be.
   */
  freeAt(excess: number, uncountedUntil: number): number {
    const countedAt = this.#counted.timeOf(excess)
    return (countedAt ?? uncountedUntil) + this.windowMs
  }

  /** What is held beyond what is counted at or before `instant`; what is not counted yet will be at `uncountedAt`. */
  heldBeyond(instant: number, uncountedAt: number): number {
    const uncounted = uncountedAt <= instant ? 0 : this.#uncounted
    return uncounted + this.#counted.total - this.#counted.weightThrough(instant)
  }

  /**
   * When `excess` units will have been released if all that waits is sent as it fits and answered at once: every `limit` units
   * beyond what is held take another window.
   */
  projectAt(excess: number, limit: number, now: number): number {
    if (limit <= 0) return now + this.windowMs
    const cycles = Math.max(0, Math.ceil((excess - this.held) / limit))
    const rest = excess - cycles * limit
    const restAt = rest <= 0 ? now : (this.#counted.timeOf(rest) ?? now) + this.windowMs
    return restAt + cycles * this.windowMs
  }

  /** Own weight certainly counted by the instant of a mark, by what is known of its weight now. */
  surelyCounted(mark: Mark | undefined): number {
    return mark === undefined ? 0 : mark.counted - (this.#correctedTotal - mark.corrected)
  }

  /** Bounds of the own weight in a reading taken between the instant of `mark` and now. */
  ownIn(mark: Mark | undefined, sinceTotal: number): { surely: number; possibly: number } {
    return {
      surely: Math.max(0, this.surelyCounted(mark) - Math.max(this.#agedTotal, sinceTotal)),
      possibly: this.#sentTotal - (mark?.released ?? 0),
    }
  }
}
