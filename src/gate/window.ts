import { Ledger } from './ledger.ts'

/** Distinct times kept exactly; see `Ledger`. 1 024 + 512 entries of 16 bytes are 24.6 kB. */
const COUNTED_ENTRIES = 1024
const SENT_ENTRIES = 512

/** What one attempt spends of a limit, with what its window knew when it was sent: a reading in its answer is judged against that. */
export interface Charge {
  readonly window: Window
  /** What the same attempt spends of another limit. */
  readonly next: Charge | undefined
  weight: number
  /** When it was charged: as it was let through, or for a limit that is learned later as it was sent. */
  readonly at: number
  /** Own weight certainly counted by then, since the window was made. */
  counted: number
  /** Own weight that had certainly left the upstream's window by then. */
  released: number
  /** How much less counted weight has turned out to be since the window was made: that of others by then, its own up to now. */
  corrected: number
}

/** Own weight in a reading. */
export interface OwnWeight {
  surely: number
  possibly: number
  /** `surely` has the attempt whose answer brought the reading too. */
  readonly itself: boolean
  /** It has no other: the reading is of a fixed window that has yet to begin by the gate's clock. */
  readonly alone: boolean
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

  /** Lets go of what has left the window by `now`. */
  advance(now: number): void {
    this.#releasedTotal += this.#counted.dropAged(now, this.windowMs)
    this.#agedTotal += this.#sent.dropAged(now + this.#sent.slackMs, this.windowMs)
  }

  /** Lets go of what was certainly counted at or before `instant`. */
  releaseThrough(instant: number): void {
    this.#releasedTotal += this.#counted.dropAged(instant, 0)
  }

  /** `next` is what the same attempt spends of other limits. */
  send(at: number, weight: number, next?: Charge): Charge {
    this.#uncounted += weight
    this.#uncountedSends += 1
    this.#sentTotal += weight
    this.#sent.add(at, weight, this.windowMs)
    return {
      window: this,
      next,
      weight,
      at,
      counted: this.#countedTotal,
      released: this.#releasedTotal,
      corrected: this.#correctedTotal,
    }
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
   * The attempt of `charge`, certainly counted at `countedAt` if that is known, weighs `weight`. What has left the window already stays as
   * it was: false then.
   */
  correct(charge: Charge, weight: number, countedAt: number | undefined): boolean {
    const delta = weight - charge.weight
    if (countedAt === undefined) this.#uncounted += delta
    else if (!this.#counted.correct(countedAt, delta)) return false
    else {
      this.#countedTotal += delta
      this.#correctedTotal -= Math.min(delta, 0)
      charge.corrected -= Math.min(delta, 0)
    }
    charge.weight = weight
    this.#sentTotal += delta
    if (!this.#sent.correct(charge.at, delta)) this.#agedTotal += delta
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

  /**
   * Own weight certainly counted, by what is known of it now, as the attempt of `charge` was sent, and with `itself` as the upstream answered
   * it: what is left is told once the request is counted.
   */
  surelyCounted(charge: Charge | undefined, itself = false): number {
    if (charge === undefined) return 0
    return charge.counted - (this.#correctedTotal - charge.corrected) + (itself ? charge.weight : 0)
  }

  /** Bounds of the own weight in a reading that the answer to the attempt of `charge` brings now. */
  ownIn(charge: Charge | undefined, sinceTotal: number, itself = false, alone = false): OwnWeight {
    const surely = Math.max(0, this.surelyCounted(charge, itself) - Math.max(this.#agedTotal, sinceTotal))
    return {
      surely: alone ? Math.min(surely, charge?.weight ?? 0) : surely,
      possibly: this.#sentTotal - (charge?.released ?? 0),
      itself,
      alone,
    }
  }
}
