import { type Linked, LinkedList } from './list.ts'
import type { Weight } from './weight.ts'
import type { Charge } from './window.ts'

/** Its place among the attempts of one list. */
interface Place extends Linked<Place> {
  readonly attempt: Attempt
}

/** One HTTP request let through. In line with the others that hold a permit, as long as it does. */
export interface Attempt extends Linked<Attempt> {
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
  /** What it spends of the limits: the newest of them first, and each of the others behind the next. */
  charges: Charge | undefined
  /** By when the upstream has certainly counted it; unset until that is known. */
  countedAt: number | undefined
  /** Its headers have arrived. */
  settled: boolean
  /** Released, taken back or given up by its owner. */
  ended: boolean
  /** Its place among those not started or not counted. */
  uncounted: Place | undefined
}

/** The attempts that still matter beyond their weight: not started, not counted or not released yet. Oldest first. */
export class Attempts {
  /** Made when one starts later than it is granted. */
  #unstarted: LinkedList<Place> | undefined
  readonly #uncounted = new LinkedList<Place>()
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
    return this.#uncounted.first?.attempt
  }

  /** Those whose weight is not certainly counted, started or not. */
  *uncounted(): Generator<Attempt> {
    for (const { attempt } of this.#uncounted) yield attempt
    for (const { attempt } of this.#unstarted ?? []) yield attempt
  }

  send(now: number, weight: Weight, probe: boolean, startsLater: boolean): Attempt {
    const attempt: Attempt = {
      order: this.#sent,
      grantedAt: now,
      sentAt: now,
      isUnstarted: startsLater,
      probe,
      weight,
      settled: false,
      ended: false,
      // Set from the start and never deleted: objects whose fields come and go are many times slower.
      charges: undefined,
      countedAt: undefined,
      uncounted: undefined,
      previous: undefined,
      next: undefined,
    }
    this.#sent += 1
    this.#inFlight += 1
    this.#enter(attempt)
    this.#open.add(attempt)
    return attempt
  }

  /** One that starts later goes on its way. */
  start(attempt: Attempt, now: number): void {
    this.#leave(attempt)
    attempt.isUnstarted = false
    attempt.sentAt = now
    this.#enter(attempt)
  }

  count(attempt: Attempt, at: number): void {
    attempt.countedAt = at
    this.#leave(attempt)
    attempt.isUnstarted = false
  }

  #enter(attempt: Attempt): void {
    attempt.uncounted = { attempt, previous: undefined, next: undefined }
    this.#listOf(attempt).add(attempt.uncounted)
  }

  /** It has its place until it is counted, which it is once. */
  #leave(attempt: Attempt): void {
    this.#listOf(attempt).remove(attempt.uncounted!)
    attempt.uncounted = undefined
  }

  #listOf({ isUnstarted }: Attempt): LinkedList<Place> {
    return isUnstarted ? (this.#unstarted ??= new LinkedList()) : this.#uncounted
  }

  settle(attempt: Attempt): void {
    attempt.settled = true
    this.#inFlight -= 1
  }

  end(attempt: Attempt): void {
    attempt.ended = true
    if (!attempt.settled) this.#inFlight -= 1
    this.#open.remove(attempt)
  }
}
