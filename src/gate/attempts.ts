import type { Mark } from './window.ts'
import { LinkedList, type Node } from './list.ts'
import type { Weight } from './weight.ts'

/** One HTTP request let through. */
export interface Attempt {
  /** Place in the order of sending. */
  readonly order: number
  readonly sentAt: number
  /** It finds out whether the upstream has recovered. */
  readonly probe: boolean
  weight: Weight
  /** What it spends of each limit, and what each window knew when it was sent; in the order of the limits. */
  readonly charges: number[]
  readonly marks: Mark[]
  /** By when the upstream has certainly counted it; unset until that is known. */
  countedAt: number | undefined
  /** Its headers have arrived. */
  settled: boolean
  /** Released, taken back or given up by its owner. */
  ended: boolean
  /** Its places among those not counted and those not released. */
  uncounted: Node<Attempt> | undefined
  open: Node<Attempt> | undefined
}

/** The attempts that still matter beyond their weight: not counted yet, or not released yet. Oldest first. */
export class Attempts {
  readonly #uncounted = new LinkedList<Attempt>()
  readonly #open = new LinkedList<Attempt>()
  #inFlight = 0
  #sent = 0

  /** Place of the attempt sent last. */
  get lastOrder(): number {
    return this.#sent - 1
  }

  /** Attempts that hold a permit. */
  get open(): number {
    return this.#open.size
  }

  /** Attempts whose headers have not arrived. */
  get inFlight(): number {
    return this.#inFlight
  }

  get oldestOpen(): Attempt | undefined {
    return this.#open.first
  }

  get oldestUncounted(): Attempt | undefined {
    return this.#uncounted.first
  }

  uncounted(): Iterable<Attempt> {
    return this.#uncounted
  }

  send(sentAt: number, weight: Weight, charges: number[], probe: boolean): Attempt {
    const attempt: Attempt = {
      order: this.#sent,
      sentAt,
      probe,
      weight,
      charges,
      marks: [],
      settled: false,
      ended: false,
      // Set from the start and never deleted: objects whose fields come and go are many times slower.
      countedAt: undefined,
      uncounted: undefined,
      open: undefined,
    }
    this.#sent += 1
    this.#inFlight += 1
    attempt.uncounted = this.#uncounted.add(attempt)
    attempt.open = this.#open.add(attempt)
    return attempt
  }

  count(attempt: Attempt, at: number): void {
    attempt.countedAt = at
    if (attempt.uncounted) this.#uncounted.remove(attempt.uncounted)
    attempt.uncounted = undefined
  }

  settle(attempt: Attempt): void {
    attempt.settled = true
    this.#inFlight -= 1
  }

  end(attempt: Attempt): void {
    attempt.ended = true
    if (!attempt.settled) this.#inFlight -= 1
    if (attempt.open) this.#open.remove(attempt.open)
    attempt.open = undefined
  }
}
