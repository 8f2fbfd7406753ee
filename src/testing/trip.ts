import type { Clock, Timer } from '../gate/clock.ts'

/** The waits of one exchange. Once abandoned, the way up still ends, and nothing after it does. */
export class Trip {
  readonly #clock: Clock
  readonly #keepAlive: boolean
  #abandoned = false
  #timer: Timer

  constructor(clock: Clock, keepAlive: boolean) {
    this.#clock = clock
    this.#keepAlive = keepAlive
  }

  /** A wait that abandoning does not end: what is on its way arrives. */
  async up(ms: number): Promise<void> {
    if (ms > 0) await new Promise<void>((resolve) => this.#set(resolve, ms))
  }

  /** A wait that never ends once the trip is abandoned. */
  async down(ms: number): Promise<void> {
    if (ms > 0 || this.#abandoned) await new Promise<void>((resolve) => this.#setUnlessAbandoned(resolve, ms))
  }

  abandon(): void {
    this.#abandoned = true
    if (this.#timer !== undefined) this.#clock.clearTimer(this.#timer)
  }

  #setUnlessAbandoned(fire: () => void, ms: number): void {
    if (!this.#abandoned) this.#timer = this.#set(fire, ms)
  }

  #set(fire: () => void, ms: number): Timer {
    return this.#clock.setTimer(fire, ms, { keepAlive: this.#keepAlive })
  }
}
