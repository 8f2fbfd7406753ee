/** How a gate of the model is set up. Durations are milliseconds; weights, limits and instants are whole numbers. */
export interface Settings {
  limits: { limit: number; windowMs: number }[]
  transitMs: number
  concurrency: number
  maxHoldMs: number
  maxQueueSize: number
  pace: 'burst' | 'even'
  cooldown: { baseMs: number; maxMs: number; parkMs: number }
}

/** One attempt that was let through. Infinity stands for what has not come to pass. */
export interface Sent {
  id: number
  /** Place in the order of sending. */
  order: number
  at: number
  weight: number
  headersAt: number
  endedAt: number
}

/** How far a late send is made up for by the next under an even pace. */
const CATCH_UP_MS = 20

/** Every attempt ever sent, and what the rules of limits, concurrency and pace make of them. */
export class Books {
  readonly sent: Sent[] = []
  readonly #settings: Settings
  #paceAt = -Infinity

  constructor(settings: Settings) {
    this.#settings = settings
  }

  of(id: number): Sent | undefined {
    return this.sent.find((each) => each.id === id)
  }

  /** The same as if all that is not answered were at `now`. */
  answeredAt(now: number): Books {
    const books = new Books(this.#settings)
    for (const each of this.sent) books.sent.push({ ...each, headersAt: Math.min(each.headersAt, now) })
    return books
  }

  get open(): number {
    return this.sent.filter(({ endedAt }) => endedAt === Infinity).length
  }

  get inFlight(): number {
    return this.sent.filter(({ endedAt, headersAt }) => endedAt === Infinity && headersAt === Infinity).length
  }

  held(windowMs: number, now: number): number {
    return this.sent.reduce((sum, each) => sum + (this.#countedBy(each) + windowMs > now ? each.weight : 0), 0)
  }

  never(weight: number): boolean {
    return this.#settings.limits.some(({ limit }) => weight > limit)
  }

  fits(weight: number, now: number): boolean {
    const fitsAll = this.#settings.limits.every(
      ({ limit, windowMs }) => weight === 0 || this.held(windowMs, now) + weight <= limit,
    )
    return fitsAll && (this.#settings.pace === 'burst' || now >= this.#paceAt)
  }

  send(id: number, weight: number, now: number): Sent {
    const sent = { id, order: this.sent.length, at: now, weight, headersAt: Infinity, endedAt: Infinity }
    this.sent.push(sent)
    const spacingMs = Math.max(0, ...this.#settings.limits.map(({ limit, windowMs }) => (weight * windowMs) / limit))
    this.#paceAt = Math.max(this.#paceAt, now - Math.min(CATCH_UP_MS, spacingMs)) + spacingMs
    return sent
  }

  /** Those held too long. */
  overdue(now: number): Sent[] {
    return this.sent.filter(({ at, endedAt }) => endedAt === Infinity && now >= at + this.#settings.maxHoldMs)
  }

  /** By when the upstream has counted it for sure. */
  #countedBy({ at, headersAt, endedAt }: Sent): number {
    const { transitMs } = this.#settings
    return Math.min(headersAt, transitMs === Infinity ? endedAt : at + transitMs)
  }
}
