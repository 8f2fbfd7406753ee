/**
 * Where the gate does not know what the upstream's window holds, one attempt goes alone to find out: at the start, and after a
 * reading that showed foreign use has gone stale. Others wait for its answer, for at most `coldStartMs`.
 */
export class ColdStart {
  readonly #coldStartMs: number
  #warm = false
  /** When the first lone attempt went; unset until then. */
  #until = Infinity
  /** The lone attempt in flight, by its place in the order of sending. */
  #alone: number | undefined

  constructor(coldStartMs: number) {
    this.#coldStartMs = coldStartMs
  }

  /** Whether the next attempt goes alone, or one is on its way that did. */
  get holdsOthers(): boolean {
    return !this.#warm
  }

  /** Until when an attempt has to wait for the lone one; undefined where it may go. */
  blockedUntil(now: number): number | undefined {
    if (this.#warm || this.#alone === undefined || now >= this.#until) return undefined
    return this.#until
  }

  sent(order: number, now: number): void {
    if (this.#warm) return
    if (now >= this.#until) {
      this.#warm = true
      return
    }
    this.#alone = order
    this.#until = Math.min(this.#until, now + this.#coldStartMs)
  }

  answered(order: number): void {
    if (order === this.#alone) this.#warm = true
  }

  /** An attempt ended without an answer: if it was the lone one, another may try. */
  ended(order: number): void {
    if (order === this.#alone) this.#alone = undefined
  }

  /** What was known has gone stale. */
  again(): void {
    this.#warm = false
    this.#until = Infinity
    this.#alone = undefined
  }
}
