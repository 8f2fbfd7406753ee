/** How far a late timer may be made up for, so that lateness does not add up. */
const CATCH_UP_MS = 20

/** Spreads sends evenly: one unit of weight per `windowMs / limit`. */
export class Pace {
  #nextAt = -Infinity

  get nextAt(): number {
    return this.#nextAt
  }

  /** `spacingMs` is what the attempt just sent costs of the window. */
  sent(now: number, spacingMs: number): void {
    this.#nextAt = Math.max(this.#nextAt, now - Math.min(CATCH_UP_MS, spacingMs)) + spacingMs
  }
}
