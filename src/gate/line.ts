import { Aborts, type Signal } from './abort.ts'
import type { Permit } from './permit.ts'
import { type Place, Queue } from './queue.ts'
import type { Weight } from './weight.ts'

/** A caller who waits for a permit. */
export interface Waiter {
  readonly weight: Weight
  readonly priority: number
  readonly signal: Signal | undefined
  readonly resolve: (permit: Permit) => void
  readonly reject: (reason: unknown) => void
}

interface Standing extends Waiter {
  place?: Place<Standing>
}

/** Those who wait, in order. Whoever's signal aborts leaves at once. */
export class Line {
  readonly #queue = new Queue<Standing>()
  readonly #aborts: Aborts<Standing>

  /** `onLeave` is told when callers have left by themselves. */
  constructor(onLeave: () => void) {
    this.#aborts = new Aborts((waiters, reason) => {
      for (const waiter of waiters) {
        this.#queue.remove(waiter.place!)
        waiter.reject(reason)
      }
      onLeave()
    })
  }

  get size(): number {
    return this.#queue.size
  }

  get head(): Waiter | undefined {
    return this.#queue.head
  }

  /** Whether a caller of this priority would have to stand behind another. */
  hasAhead(priority: number): boolean {
    return this.#queue.hasAhead(priority)
  }

  /** Units of weight that go before a newcomer of this priority. */
  weightAhead(priority: number, unit: string): number {
    return this.#queue.weightAhead(priority, unit)
  }

  join(waiter: Waiter): void {
    const standing: Standing = waiter
    standing.place = this.#queue.add(standing)
    if (waiter.signal) this.#aborts.watch(waiter.signal, standing)
  }

  /** Takes out a caller who stands here. */
  leave(waiter: Waiter): Waiter {
    const standing: Standing = waiter
    this.#queue.remove(standing.place!)
    if (waiter.signal) this.#aborts.unwatch(waiter.signal, standing)
    return waiter
  }
}
