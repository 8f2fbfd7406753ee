import type { Clock, Timer } from '../../src/index.ts'
import { VirtualClock } from '../../src/testing/index.ts'

interface Pending {
  readonly dueAt: number
  readonly fire: () => void
  readonly keepAlive: boolean
  handle: Timer
}

/** The clock of a host that is suspended, jumps, or fires timers early or late, beside the true time, in which the upstream lives. */
export class OddClock implements Clock {
  readonly truth = new VirtualClock()
  /** How much later than they are due timers fire; below 0 for earlier. Milliseconds. */
  lateMs = 0
  readonly #pending = new Set<Pending>()
  #aheadMs = 0
  #wallAheadMs = 0
  #stopsAt = Infinity

  now(): number {
    return Math.min(this.truth.now(), this.#stopsAt) + this.#aheadMs
  }

  wallNow(): number {
    return this.truth.wallNow() + this.#wallAheadMs
  }

  random(): number {
    return this.truth.random()
  }

  setTimer(fire: () => void, delayMs: number, { keepAlive }: { keepAlive: boolean }): Timer {
    const pending = { dueAt: this.now() + delayMs, fire, keepAlive, handle: undefined }
    this.#pending.add(pending)
    this.#arm(pending)
    return pending
  }

  clearTimer(timer: Timer): void {
    const pending = timer as Pending
    if (this.#pending.delete(pending)) this.truth.clearTimer(pending.handle)
  }

  /** It stands still, and with it every timer. */
  suspend(): void {
    this.#stopsAt = Math.min(this.#stopsAt, this.truth.now())
  }

  resume(): void {
    if (this.#stopsAt === Infinity) return
    this.#aheadMs -= this.truth.now() - this.#stopsAt
    this.#stopsAt = Infinity
    this.#rearm()
  }

  /** Forward by `ms`: what is due by then fires at once. */
  jump(ms: number): void {
    this.#aheadMs += ms
    this.#rearm()
  }

  jumpWall(ms: number): void {
    this.#wallAheadMs += ms
  }

  #rearm(): void {
    for (const pending of this.#pending) {
      this.truth.clearTimer(pending.handle)
      this.#arm(pending)
    }
  }

  #arm(pending: Pending): void {
    if (this.#stopsAt < Infinity) return
    const inMs = Math.max(0, pending.dueAt - this.now())
    const fire = (): void => {
      if (this.#stopsAt < Infinity) return
      this.#pending.delete(pending)
      pending.fire()
    }
    const delayMs = inMs + this.lateMs > 0 ? inMs + this.lateMs : inMs
    pending.handle = this.truth.setTimer(fire, delayMs, { keepAlive: pending.keepAlive })
  }
}
