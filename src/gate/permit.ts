import type { Attempt } from './attempts.ts'
import type { Leash } from './leash.ts'
import type { Observation } from './observation.ts'
import type { Weight } from './weight.ts'

/** What a permit tells its gate. */
export interface PermitDesk {
  start(attempt: Attempt): void
  settle(attempt: Attempt, observation: Observation | undefined): void
  correct(attempt: Attempt, weight: Weight): void
  end(attempt: Attempt, leash: Leash | undefined): void
}

/**
 * The right to make one attempt. Settle it when the response headers arrive, release it when the attempt is finished. One that
 * is held longer than `maxHoldMs`, or whose owner is garbage-collected, is taken back; a report on it then changes nothing.
 */
export interface Permit {
  /** When the attempt went on its way, by the gate's clock: as it was granted, or where it starts later when it did. */
  readonly sentAt: number
  /** Whether it is for the one attempt that finds out if the upstream has recovered. */
  readonly isProbe: boolean
  /** The place of its caller in the order of asking; see `AcquireOptions`. */
  readonly arrival: number
  /** Since when its caller waited behind a park, by the gate's clock; undefined where it did not. */
  readonly parkedSince: number | undefined
  /** Whether the gate has it back: released, taken back or refunded. */
  readonly ended: boolean
  /** The attempt goes on its way; for a permit that was asked for with `startsLater`. Only the first call counts. */
  start(): void
  /**
   * The response headers have arrived; `observation` is what they say of the limits. Until then the attempt's weight is held.
   * Only the first call counts.
   */
  settle(observation?: Observation): void
  /** The attempt turned out to weigh this much; an observation's `cost` does the same for its units alone. Throws a `ConfigError` for what is no weight. */
  correct(weight: Weight): void
  /** The attempt certainly never reached the upstream: its weight is given back, and the permit released. */
  refund(): void
  /**
   * The attempt is finished. Where no headers arrived its weight is held until `transitMs` + `windowMs` after it was sent, since it
   * may have been counted. Further calls change nothing.
   */
  release(): void
  [Symbol.dispose](): void
}

/** No weight in any unit. */
const NOTHING: Weight = 0

export class GrantedPermit implements Permit {
  readonly arrival: number
  readonly parkedSince: number | undefined
  readonly #attempt: Attempt
  readonly #desk: PermitDesk
  /** Held here alone, so that it is lost with the permit. */
  #leash: Leash | undefined

  constructor(
    attempt: Attempt,
    desk: PermitDesk,
    leash: Leash | undefined,
    arrival: number,
    parkedSince: number | undefined,
  ) {
    this.arrival = arrival
    this.parkedSince = parkedSince
    this.#attempt = attempt
    this.#desk = desk
    this.#leash = leash
  }

  get sentAt(): number {
    return this.#attempt.sentAt
  }

  get isProbe(): boolean {
    return this.#attempt.probe
  }

  get ended(): boolean {
    return this.#attempt.ended
  }

  start(): void {
    this.#desk.start(this.#attempt)
  }

  settle(observation?: Observation): void {
    this.#desk.settle(this.#attempt, observation)
  }

  correct(weight: Weight): void {
    this.#desk.correct(this.#attempt, weight)
  }

  refund(): void {
    if (!this.#attempt.settled) this.#desk.correct(this.#attempt, NOTHING)
    this.release()
  }

  release(): void {
    const leash = this.#leash
    this.#leash = undefined
    this.#desk.end(this.#attempt, leash)
  }

  [Symbol.dispose](): void {
    this.release()
  }
}
