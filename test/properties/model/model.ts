import { Books, type Settings } from './books.ts'
import { type Answer, Shut } from './shut.ts'

/** A caller as it asks. */
export interface Asked {
  id: number
  weight: number
  priority: number
  /** Its place in the order of asking. */
  arrival: number
  whenParked: 'wait' | 'refuse'
}

/** What became of a caller at an instant. */
export interface Outcome {
  at: number
  id: number
  what: string
}

/** Whether something that the model does not know of holds a caller at an instant. */
type Holds = (id: number, now: number) => boolean

/** The gate as its rules are written: lists, sums and a walk through every millisecond. */
export class Model {
  readonly outcomes: Outcome[] = []
  readonly books: Books
  readonly shut: Shut
  readonly #settings: Settings
  readonly #holds: Holds
  #waiting: Asked[] = []
  #closesAt = Infinity
  #now = 0

  constructor(settings: Settings, holds: Holds) {
    this.#settings = settings
    this.#holds = holds
    this.books = new Books(settings)
    this.shut = new Shut(settings.cooldown)
  }

  get waiting(): readonly Asked[] {
    return this.#waiting
  }

  /** Whether the gate's projection is exact for a caller: one limit, equal weights, and nothing else that time ends. */
  isProjectable(asked: Asked): boolean {
    const { limits, pace } = this.#settings
    const even = [...this.#waiting, asked].every(({ weight }) => weight === 1)
    return even && limits.length === 1 && pace === 'burst' && this.shut.state === 'open'
  }

  /** How long a caller would wait if all that is sent, and all that goes before it, were answered at once and only limits held anyone. */
  projectMs(asked: Asked): number {
    const line = [...this.#waiting.filter((other) => goesBefore(other, asked)), asked]
    const books = this.books.answeredAt(this.#now)
    for (let now = this.#now; ; now += 1) {
      for (let head = line[0]; head && books.fits(head.weight, now); head = line[0]) {
        books.send(head.id, head.weight, now).headersAt = now
        line.shift()
      }
      if (line.length === 0) return now - this.#now
    }
  }

  acquire(asked: Asked, isTooLong: boolean): void {
    const reason = this.#refusal(asked, isTooLong)
    if (this.books.never(asked.weight)) this.#tell(asked, 'never')
    else if (this.#mayGo(asked)) this.#let(asked)
    else if (reason) this.#tell(asked, reason)
    else this.#join(asked)
  }

  tryAcquire(asked: Asked): void {
    if (this.books.never(asked.weight)) this.#tell(asked, 'never')
    else if (this.#mayGo(asked)) this.#let(asked)
    else this.#tell(asked, 'nothing')
  }

  /** Whether this caller would go at once. */
  wouldGo(asked: Asked): boolean {
    return !this.books.never(asked.weight) && this.#isAhead(asked) && !this.#isBlocked(asked)
  }

  abort(id: number): void {
    const asked = this.#waiting.find((each) => each.id === id)
    if (asked === undefined) return
    this.#leave(asked, 'aborted')
    this.#serve()
  }

  settle(id: number, answer: Answer): void {
    const sent = this.books.of(id)
    if (sent === undefined || sent.endedAt < Infinity || sent.headersAt < Infinity) return
    sent.headersAt = this.#now
    this.shut.answered(sent, answer, this.#now, this.books.sent.length - 1)
    this.#serve()
  }

  correct(id: number, weight: number): void {
    const sent = this.books.of(id)
    if (sent && sent.endedAt === Infinity) sent.weight = weight
    this.#serve()
  }

  refund(id: number): void {
    const sent = this.books.of(id)
    if (sent && sent.endedAt === Infinity && sent.headersAt === Infinity) sent.weight = 0
    this.release(id)
  }

  release(id: number): void {
    const sent = this.books.of(id)
    if (sent === undefined || sent.endedAt < Infinity) return
    sent.endedAt = this.#now
    if (sent.headersAt === Infinity) this.shut.lost(sent)
    this.#serve()
  }

  park(delayMs: number): void {
    if (delayMs > 0) this.shut.park(delayMs, this.#now, this.books.sent.length - 1)
    this.#serve()
  }

  close(drainMs: number): void {
    this.#closesAt = this.#now + drainMs
    this.#serve()
  }

  wait(ms: number): void {
    for (const end = this.#now + ms; this.#now < end; this.#serve()) this.#now += 1
  }

  #refusal({ whenParked }: Asked, isTooLong: boolean): string | undefined {
    if (this.#closesAt < Infinity) return 'closed'
    if (whenParked === 'refuse' && this.shut.state !== 'open') return this.#shutReason
    if (this.#waiting.length >= this.#settings.maxQueueSize) return 'queue-full'
    return isTooLong ? 'wait-too-long' : undefined
  }

  /** A park that is over is about to be probed, unless something else holds the probe. */
  get #shutReason(): string {
    if (this.shut.state === 'probing') return 'probing'
    return this.#now < this.shut.until ? 'parked' : 'parked or probing'
  }

  #mayGo(asked: Asked): boolean {
    return this.#closesAt === Infinity && this.wouldGo(asked)
  }

  #isBlocked({ id, weight }: Asked): boolean {
    const { open } = this.books
    const isFull = open >= this.#settings.concurrency
    return (
      isFull || this.shut.blocks(this.#now, open) || !this.books.fits(weight, this.#now) || this.#holds(id, this.#now)
    )
  }

  #isAhead(asked: Asked): boolean {
    return this.#waiting.every((other) => !goesBefore(other, asked))
  }

  #join(asked: Asked): void {
    const index = this.#waiting.findIndex((other) => !goesBefore(other, asked))
    this.#waiting.splice(index === -1 ? this.#waiting.length : index, 0, asked)
  }

  #leave(asked: Asked, what: string): void {
    this.#remove(asked)
    this.#tell(asked, what)
  }

  #remove(asked: Asked): void {
    this.#waiting = this.#waiting.filter((other) => other !== asked)
  }

  #let(asked: Asked): void {
    this.shut.sent(this.books.send(asked.id, asked.weight, this.#now))
    this.#tell(asked, 'granted')
  }

  #tell({ id }: Asked, what: string): void {
    this.outcomes.push({ at: this.#now, id, what })
  }

  /** Takes back what is held too long, then lets the waiting leave and go as they may. */
  #serve(): void {
    for (const sent of this.books.overdue(this.#now)) {
      sent.endedAt = this.#now
      if (sent.headersAt === Infinity) this.shut.lost(sent)
    }
    if (this.shut.state !== 'open') {
      for (const each of this.#waiting.filter(({ whenParked }) => whenParked === 'refuse'))
        this.#leave(each, this.#shutReason)
    }
    for (let head = this.#waiting[0]; head; head = this.#waiting[0]) {
      if (this.#now >= this.#closesAt) this.#leave(head, 'closed')
      else if (this.#isBlocked(head)) break
      else {
        this.#remove(head)
        this.#let(head)
      }
    }
  }
}

/** Of two that wait: higher priority first, then whoever asked first. */
function goesBefore(one: Asked, other: Asked): boolean {
  return one.priority > other.priority || (one.priority === other.priority && one.arrival <= other.arrival)
}
