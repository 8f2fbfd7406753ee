import { LinkedList, type Node } from './list.ts'
import type { Weight } from './weight.ts'
import type { Charge } from './window.ts'

/** One HTTP request let through. */
export interface Attempt {
  /** Place in the order of sending. */
  readonly order: number
  readonly grantedAt: number
  /** When it went on its way: once it was granted, or where it starts later when it says so. */
  sentAt: number
  /** It was granted and is still to say that it goes on its way. */
  isUnstarted: boolean
  /** It finds out whether the upstream has recovered. */
  readonly probe: boolean
  weight: Weight
  /** What it spends of each limit, in the order of the limits. */
  charges: readonly Charge[]
  /** By when the upstream has certainly counted it; unset until that is known. */
  countedAt: number | undefined
  /** Its headers have arrived. */
  settled: boolean
  /** Released, taken back or given up by its owner. */
  ended: boolean
  /** Its places among those not started or not counted, and those not released. */
  uncounted: Node<Attempt> | undefined
  open: Node<Attempt> | undefined
}

const NO_CHARGES: readonly Charge[] = []

/** The attempts that still matter beyond their weight: not started, not counted or not released yet. Oldest first. */
export class Attempts {
  readonly #unstarted = new LinkedList<Attempt>()
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

  /** Those whose weight is not certainly counted, started or not. May be gone through again and again. */
  get uncounted(): Iterable<Attempt> {
    return { [Symbol.iterator]: () => this.#eachUncounted() }
  }

  *#eachUncounted(): Generator<Attempt> {
    yield* this.#uncounted
    yield* this.#unstarted
  }

  send(now: number, weight: Weight, probe: boolean, startsLater: boolean): Attempt {
    const attempt: Attempt = {
      order: this.#sent,
      grantedAt: now,
      sentAt: now,
      isUnstarted: startsLater,
      probe,
      weight,
      charges: NO_CHARGES,
      settled: false,
      ended: false,
      // Set from the start and never deleted: objects whose fields come and go are many times slower.
      countedAt: undefined,
      uncounted: undefined,
      open: undefined,
    }
    this.#sent += 1
    this.#inFlight += 1
    attempt.uncounted = (startsLater ? this.#unstarted : this.#uncounted).add(attempt)
    attempt.open = this.#open.add(attempt)
    return attempt
  }

  /** One that starts later goes on its way. */
  start(attempt: Attempt, now: number): void {
    this.#leave(attempt)
    attempt.isUnstarted = false
    attempt.sentAt = now
    attempt.uncounted = this.#uncounted.add(attempt)
  }

  count(attempt: Attempt, at: number): void {
    attempt.countedAt = at
    this.#leave(attempt)
    attempt.isUnstarted = false
  }

  #leave(attempt: Attempt): void {
    const list = attempt.isUnstarted ? this.#unstarted : this.#uncounted
    if (attempt.uncounted) list.remove(attempt.uncounted)
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
