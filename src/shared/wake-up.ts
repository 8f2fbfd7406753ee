import type { Clock, Timer } from '../gate/clock.ts'

/** One timer, for what comes next. */
export class WakeUp {
  readonly #clock: Clock
  readonly #wake: (now: number) => void
  #set: { timer: Timer; at: number; keepAlive: boolean } | undefined

  constructor(clock: Clock, wake: (now: number) => void) {
    this.#clock = clock
    this.#wake = wake
  }

  /** When it wakes; undefined where it does not. */
  get at(): number | undefined {
    return this.#set?.at
  }

  /** Takes the place of what was set before; Infinity for never. `keepAlive` says whether it keeps the process running. */
  set(at: number, keepAlive: boolean): void {
    if (this.#set?.at === at && this.#set.keepAlive === keepAlive) return
    if (this.#set) this.#clock.clearTimer(this.#set.timer)
    this.#set = undefined
    if (at === Infinity) return
    const fire = (): void => {
      this.#set = undefined
      this.#wake(this.#clock.now())
    }
    const delayMs = Math.max(0, Math.ceil(at - this.#clock.now()))
    this.#set = { timer: this.#clock.setTimer(fire, delayMs, { keepAlive }), at, keepAlive }
  }
}
