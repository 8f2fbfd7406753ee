import type { Rank } from './queue.ts'

/** Something that has to end by an instant: of several at one instant whoever stands before the others in line. */
export interface Due extends Rank {
  /** Infinity for no such instant. */
  readonly giveUpAt: number
  /** It has ended otherwise: skipped when its instant comes. */
  readonly left: boolean
}

/** Fewer that have left are kept until their instants come. */
const FEW = 64

/** Callers by the instant at which they give up: the next one is at hand, adding and taking cost the logarithm of how many wait. */
export class Deadlines<T extends Due> {
  #heap: T[] = []
  /** Those in the heap that have left. */
  #left = 0

  get size(): number {
    return this.#heap.length
  }

  /** Infinity where nobody has to end. */
  get nextAt(): number {
    while (this.#heap[0]?.left) {
      this.#removeFirst()
      this.#left -= 1
    }
    return this.#heap[0]?.giveUpAt ?? Infinity
  }

  add(due: T): void {
    if (due.giveUpAt === Infinity) return
    let index = this.#heap.push(due) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!isBefore(due, this.#heap[parent]!)) break
      this.#heap[index] = this.#heap[parent]!
      index = parent
    }
    this.#heap[index] = due
  }

  /** One that was added has left. When most have, they are let go. */
  leave(due: T): void {
    if (due.giveUpAt === Infinity) return
    this.#left += 1
    if (this.#left < FEW || this.#left * 2 < this.#heap.length) return
    const staying = this.#heap.filter(({ left }) => !left)
    this.clear()
    for (const each of staying) this.add(each)
  }

  /** Nobody has to end: before their instants change, since their order rests on them. */
  clear(): void {
    this.#heap = []
    this.#left = 0
  }

  /** The caller whose instant has come by `now`, once. */
  take(now: number): T | undefined {
    if (this.nextAt > now) return undefined
    return this.#removeFirst()
  }

  #removeFirst(): T | undefined {
    const first = this.#heap[0]
    const last = this.#heap.pop()
    if (this.#heap.length > 0) this.#sink(last!)
    return first
  }

  #sink(due: T): void {
    let index = 0
    for (;;) {
      let child = index * 2 + 1
      if (child >= this.#heap.length) break
      if (child + 1 < this.#heap.length && isBefore(this.#heap[child + 1]!, this.#heap[child]!)) child += 1
      if (!isBefore(this.#heap[child]!, due)) break
      this.#heap[index] = this.#heap[child]!
      index = child
    }
    this.#heap[index] = due
  }
}

function isBefore(one: Due, other: Due): boolean {
  return (one.giveUpAt - other.giveUpAt || other.priority - one.priority || one.arrival - other.arrival) < 0
}
