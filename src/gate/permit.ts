import type { Attempt } from './attempts.ts'
import type { Leash } from './leash.ts'
import type { Observation } from './observation.ts'
import type { Weight } from './weight.ts'

/** What a permit tells its gate. */
export interface PermitDesk {
  settle(attempt: Attempt, observation: Observation | undefined): void
  correct(attempt: Attempt, weight: Weight): void
  end(attempt: Attempt, leash: Leash | undefined): void
}

/**
 * The right to make one attempt. Settle it when the response headers arrive, release it when the attempt is finished. One that
 * is held longer than `maxHoldMs`, or whose owner is garbage-collected, is taken back; a report on it then changes nothing.
 */
export class Permit {
  readonly #attempt: Attempt
  readonly #desk: PermitDesk
  /** Held here alone, so that it is lost with the permit. */
  #leash: Leash | undefined

  constructor(attempt: Attempt, desk: PermitDesk, leash: Leash | undefined) {
    this.#attempt = attempt
    this.#desk = desk
    this.#leash = leash
  }

  /** When it was granted, by the gate's clock: the attempt counts as sent then. */
  get sentAt(): number {
    return this.#attempt.sentAt
  }

  /** Whether it is for the one attempt that finds out if the upstream has recovered. */
  get isProbe(): boolean {
    return this.#attempt.probe
  }

  /** Whether the gate has it back: released, taken back or refunded. */
  get ended(): boolean {
    return this.#attempt.ended
  }

  /**
   * The response headers have arrived; `observation` is what they say of the limits. Until then the attempt's weight is held.
   * Only the first call counts.
   */
  settle(observation?: Observation): void {
    this.#desk.settle(this.#attempt, observation)
  }

  /** The attempt turned out to weigh this much. */
  correct(weight: Weight): void {
    this.#desk.correct(this.#attempt, weight)
  }

  /** The attempt certainly never reached the upstream: its weight is given back, and the permit released. */
  refund(): void {
    if (!this.#attempt.settled) this.#desk.correct(this.#attempt, NOTHING)
    this.release()
  }

  /**
   * The attempt is finished. Where no headers arrived its weight is held until `transitMs` + `windowMs` after it was sent, since it
   * may have been counted. Further calls change nothing.
   */
  release(): void {
    const leash = this.#leash
    this.#leash = undefined
    this.#desk.end(this.#attempt, leash)
  }

  [Symbol.dispose](): void {
    this.release()
  }
}

/** No weight in any unit. */
const NOTHING: Weight = 0
