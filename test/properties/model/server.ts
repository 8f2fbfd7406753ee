/** An attempt as the server sees it. */
interface Arrived {
  /** Of the caller; that of others is below 0. */
  id: number
  countedAt: number
  weight: number
}

/** A server that knows the truth: which attempt it has counted when, and how much of it. */
export class Server {
  readonly #arrived: Arrived[] = []

  count(id: number, countedAt: number, weight: number): void {
    this.#arrived.push({ id, countedAt, weight })
  }

  /** Nothing is counted later than its headers arrive. */
  answers(id: number, at: number): void {
    const arrived = this.#arrived.find((each) => each.id === id)
    if (arrived) arrived.countedAt = Math.min(arrived.countedAt, at)
  }

  /** When it counted an attempt; undefined where it never reached it. */
  countedAt(id: number): number | undefined {
    return this.#arrived.find((each) => each.id === id)?.countedAt
  }

  /** What the trailing window `(at - windowMs, at]` holds. */
  used(windowMs: number, at: number): number {
    return this.#arrived.reduce(
      (sum, { countedAt, weight }) => (countedAt > at - windowMs && countedAt <= at ? sum + weight : sum),
      0,
    )
  }

  /** The most of the gate's own that any trailing window has held. */
  ownPeak(windowMs: number): number {
    const own = new Server()
    for (const { id, countedAt, weight } of this.#arrived) if (id >= 0) own.count(id, countedAt, weight)
    return Math.max(0, ...own.#arrived.map(({ countedAt }) => own.used(windowMs, countedAt)))
  }
}
