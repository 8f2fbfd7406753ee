/** Drained entries kept at the front before the list is cut. */
const MIN_CUT = 1024

/**
 * The weight of what happened in the trailing window `(now - windowMs, now]`. Exact; O(1) amortised; memory is that of the
 * window. Instants must not run backwards.
 */
export class TrailingWindow {
  readonly windowMs: number
  #sum = 0
  #head = 0
  readonly #instantsMs: number[] = []
  readonly #weights: number[] = []

  constructor(windowMs: number) {
    this.windowMs = windowMs
  }

  add(nowMs: number, weight: number): void {
    this.#sum += weight
    const last = this.#instantsMs.length - 1
    if (this.#instantsMs[last] === nowMs) {
      this.#weights[last] = (this.#weights[last] ?? 0) + weight
      return
    }
    this.#instantsMs.push(nowMs)
    this.#weights.push(weight)
  }

  sum(nowMs: number): number {
    while (this.#oldestMs() + this.windowMs <= nowMs) this.#sum -= this.#weights[this.#head++] ?? 0
    if (this.#head === this.#instantsMs.length) this.#sum = 0
    if (this.#head >= MIN_CUT && this.#head * 2 > this.#instantsMs.length) this.#cut()
    return this.#sum
  }

  /** Until the oldest entry leaves the window; 0 if there is none. */
  oldestLeavesInMs(nowMs: number): number {
    this.sum(nowMs)
    const oldestMs = this.#oldestMs()
    return oldestMs === Infinity ? 0 : oldestMs + this.windowMs - nowMs
  }

  #oldestMs(): number {
    return this.#instantsMs[this.#head] ?? Infinity
  }

  #cut(): void {
    this.#instantsMs.splice(0, this.#head)
    this.#weights.splice(0, this.#head)
    this.#head = 0
  }
}
