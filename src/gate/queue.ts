import { type Linked, LinkedList } from './list.ts'
import { chargeOf, type Weight, WeightSum } from './weight.ts'

/** What the queue has to know of a caller. */
export interface Queued {
  readonly weight: Weight
  readonly priority: number
  /** Its place in the order of asking: one that comes back, to try again, goes before those who asked later. */
  readonly arrival: number
}

/** Where a newcomer will stand. */
export type Rank = Pick<Queued, 'priority' | 'arrival'>

/** Callers that are told apart from those behind one that comes back: beyond so many all of its priority are taken to go before it. */
const MOST_LOOKS = 256

interface Lane<T extends Queued & Linked<T>> {
  readonly priority: number
  readonly callers: LinkedList<T>
  readonly weight: WeightSum
}

/** Callers in order: higher priority first, first come first within one. Leaving takes constant time. */
export class Queue<T extends Queued & Linked<T>> {
  /** Not empty, highest priority first. */
  readonly #lanes: Lane<T>[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  get head(): T | undefined {
    return this.#lanes[0]?.callers.first
  }

  /** Whether a newcomer would have to stand behind another. */
  hasAhead(rank: Rank): boolean {
    const highest = this.#lanes[0]
    return highest !== undefined && isAhead(highest, rank)
  }

  /** Units of weight that go before a newcomer, or before one that comes back. */
  weightAhead({ priority, arrival }: Rank, unit: string): number {
    let sum = 0
    for (const lane of this.#lanes) {
      if (lane.priority < priority) break
      sum += lane.priority > priority ? lane.weight.of(unit) : weightBefore(lane, arrival, unit)
    }
    return sum
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const { callers } of this.#lanes) yield* callers
  }

  add(caller: T): void {
    const lane = this.#laneFor(caller.priority)
    lane.weight.add(caller.weight, 1)
    lane.callers.add(caller, (other) => other.arrival > caller.arrival)
    this.#size += 1
  }

  /** Takes out a caller of this queue, once. */
  remove(caller: T): void {
    const index = this.#indexOf(caller.priority)
    const { callers, weight } = this.#lanes[index]!
    callers.remove(caller)
    weight.add(caller.weight, -1)
    this.#size -= 1
    if (callers.size === 0) this.#lanes.splice(index, 1)
  }

  #laneFor(priority: number): Lane<T> {
    const index = this.#indexOf(priority)
    const found = this.#lanes[index]
    if (found?.priority === priority) return found
    const lane = { priority, callers: new LinkedList<T>(), weight: new WeightSum() }
    this.#lanes.splice(index, 0, lane)
    return lane
  }

  /** Where the lane of this priority is or belongs. */
  #indexOf(priority: number): number {
    let low = 0
    let high = this.#lanes.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#lanes[middle]!.priority > priority) low = middle + 1
      else high = middle
    }
    return low
  }
}

function isAhead<T extends Queued & Linked<T>>({ priority, callers }: Lane<T>, rank: Rank): boolean {
  return priority > rank.priority || (priority === rank.priority && callers.first!.arrival <= rank.arrival)
}

/** Units of weight in a lane of those who asked no later. One that comes back stands near the front: it is not looked for farther back. */
function weightBefore<T extends Queued & Linked<T>>(
  { callers, weight }: Lane<T>,
  arrival: number,
  unit: string,
): number {
  if (callers.last!.arrival <= arrival) return weight.of(unit)
  let sum = 0
  let looks = 0
  for (const caller of callers) {
    if (caller.arrival > arrival) return sum
    if (looks === MOST_LOOKS) break
    looks += 1
    sum += chargeOf(caller.weight, unit)
  }
  return weight.of(unit)
}
