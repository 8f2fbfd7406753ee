/** One pending timer. `position` is its place in the heap, or undefined once it has fired or was cleared. */
export interface HeapTimer {
  readonly atMs: number
  /** How many timers of this same instant led to it, each setting the next; 0 if it was set before the instant. */
  readonly chain: number
  readonly order: number
  readonly keepAlive: boolean
  readonly fire: () => void
  position: number | undefined
}

function isBefore(a: HeapTimer, b: HeapTimer): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order)
}

/**
 * Binary heap of timers by instant, ties by `order`. Each timer knows its place, so that clearing one costs O(log n) and
 * cleared timers take no memory.
 */
export class TimerHeap {
  readonly #timers: HeapTimer[] = []

  get size(): number {
    return this.#timers.length
  }

  peek(): HeapTimer | undefined {
    return this.#timers[0]
  }

  push(timer: HeapTimer): void {
    this.#rise(timer, this.#timers.length)
  }

  /** Takes the timer out. False if it is not in this heap. */
  remove(timer: HeapTimer): boolean {
    const { position } = timer
    if (position === undefined || this.#timers[position] !== timer) return false
    timer.position = undefined
    const last = this.#timers.pop()
    if (last !== undefined && last !== timer) this.#reseat(last, position)
    return true
  }

  #reseat(timer: HeapTimer, position: number): void {
    const parent = this.#timers[(position - 1) >> 1]
    if (parent !== undefined && isBefore(timer, parent)) this.#rise(timer, position)
    else this.#sink(timer, position)
  }

  #place(timer: HeapTimer, position: number): void {
    this.#timers[position] = timer
    timer.position = position
  }

  #rise(timer: HeapTimer, from: number): void {
    let position = from
    while (position > 0) {
      const above = (position - 1) >> 1
      const parent = this.#timers[above] as HeapTimer
      if (!isBefore(timer, parent)) break
      this.#place(parent, position)
      position = above
    }
    this.#place(timer, position)
  }

  #sink(timer: HeapTimer, from: number): void {
    let position = from
    for (;;) {
      const below = this.#earlierChild(position)
      const child = this.#timers[below]
      if (child === undefined || !isBefore(child, timer)) break
      this.#place(child, position)
      position = below
    }
    this.#place(timer, position)
  }

  #earlierChild(position: number): number {
    const left = 2 * position + 1
    const leftTimer = this.#timers[left]
    const rightTimer = this.#timers[left + 1]
    return leftTimer !== undefined && rightTimer !== undefined && isBefore(rightTimer, leftTimer) ? left + 1 : left
  }
}
