/** Something that has to end by an instant. */
export interface Due {
  /** Infinity for no such instant. */
  readonly giveUpAt: number
  /** It has ended otherwise: skipped when its instant comes. */
  readonly left: boolean
}

/** One caller's instant as it was when it was added: void when the caller's has changed since. */
interface Entry<T> {
  readonly due: T
  readonly at: number
}

/** Callers by the instant at which they give up: the next one is at hand, adding and taking cost the logarithm of how many wait. */
export class Deadlines<T extends Due> {
  readonly #heap: Entry<T>[] = []

  /** Infinity where nobody has to end. */
  get nextAt(): number {
    this.#dropVoid()
    return this.#heap[0]?.at ?? Infinity
  }

  add(due: T): void {
    if (due.giveUpAt === Infinity) return
    const entry = { due, at: due.giveUpAt }
    let index = this.#heap.push(entry) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (this.#heap[parent]!.at <= entry.at) break
      this.#heap[index] = this.#heap[parent]!
      index = parent
    }
    this.#heap[index] = entry
  }

  /** The caller whose instant has come by `now`, once. */
  take(now: number): T | undefined {
    if (this.nextAt > now) return undefined
    return this.#removeFirst()?.due
  }

  #dropVoid(): void {
    for (let first = this.#heap[0]; first; first = this.#heap[0]) {
      if (!first.due.left && first.due.giveUpAt === first.at) return
      this.#removeFirst()
    }
  }

  #removeFirst(): Entry<T> | undefined {
    const first = this.#heap[0]
    const last = this.#heap.pop()
    if (last !== undefined && this.#heap.length > 0) this.#sink(last)
    return first
  }

  #sink(entry: Entry<T>): void {
    let index = 0
    for (;;) {
      let child = index * 2 + 1
      if (child >= this.#heap.length) break
      if (child + 1 < this.#heap.length && this.#heap[child + 1]!.at < this.#heap[child]!.at) child += 1
      if (this.#heap[child]!.at >= entry.at) break
      this.#heap[index] = this.#heap[child]!
      index = child
    }
    this.#heap[index] = entry
  }
}
