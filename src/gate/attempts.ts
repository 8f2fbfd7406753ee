import type { Mark } from './window.ts'
import { LinkedList, type Node } from './list.ts'
import type { Weight } from './weight.ts'

/** One HTTP request let through. */
export interface Attempt {
  /** Place in the order of sending. */
  readonly order: number
  readonly sentAt: number
  weight: Weight
  /** What it spends of each limit, and what each window knew when it was sent; in the order of the limits. */
  readonly charges: number[]
  readonly marks: Mark[]
  /** By when the upstream has certainly counted it; unset until that is known. */
  countedAt?: number
  /** Its headers have arrived. */
  settled: boolean
  /** Released, taken back or given up by its owner. */
  ended: boolean
}

interface Tracked extends Attempt {
  uncounted?: Node<Tracked>
  open?: Node<Tracked>
}

/** The attempts that still matter beyond their weight: not counted yet, or not released yet. Oldest first. */
export class Attempts {
  readonly #uncounted = new LinkedList<Tracked>()
  readonly #open = new LinkedList<Tracked>()
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

  send(sentAt: number, weight: Weight, charges: number[], marks: Mark[]): Attempt {
    const attempt: Tracked = { order: this.#sent, sentAt, weight, charges, marks, settled: false, ended: false }
    this.#sent += 1
    this.#inFlight += 1
    attempt.uncounted = this.#uncounted.add(attempt)
    attempt.open = this.#open.add(attempt)
    return attempt
  }

  count(attempt: Tracked, at: number): void {
    attempt.countedAt = at
    if (attempt.uncounted) this.#uncounted.remove(attempt.uncounted)
    delete attempt.uncounted
  }

  settle(attempt: Attempt): void {
    attempt.settled = true
    this.#inFlight -= 1
  }

  end(attempt: Tracked): void {
    attempt.ended = true
    if (!attempt.settled) this.#inFlight -= 1
    if (attempt.open) this.#open.remove(attempt.open)
    delete attempt.open
  }
}
