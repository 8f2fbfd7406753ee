import { RebuiltGate } from './rebuilt-gate.ts'
import type { ConfiguredLimit } from './contender.ts'

const PARK_MS = 5_000

/** What an answer said was left, less what was in flight then and not counted yet. */
interface Reading {
  left: number
  atMs: number
  /** Attempts sent until then, ever. */
  sent: number
}

/** Keeps its send times, and between answers carries `remaining` forward by them. */
export class SendTimeGate extends RebuiltGate {
  readonly #limit: number
  readonly #windowMs: number
  /** Ascending, of the last two windows: what a reading of the last one is carried forward by. */
  readonly #sentAtMs: number[] = []
  #reading: Reading | undefined
  #sent = 0
  #parkedUntilMs = 0

  constructor({ limit, windowMs }: ConfiguredLimit) {
    super()
    this.#limit = limit
    this.#windowMs = windowMs
  }

  protected admits(): boolean {
    const nowMs = performance.now()
    if (nowMs < this.#parkedUntilMs || this.#sentSince(nowMs - this.#windowMs) >= this.#limit) return false
    const reading = this.#freshReading(nowMs)
    return reading === undefined ? this.inFlight === 0 : this.#carriedForward(reading, nowMs) > this.inFlight
  }

  protected spend(): void {
    const nowMs = performance.now()
    const kept = this.#sentSince(nowMs - 2 * this.#windowMs)
    this.#sentAtMs.splice(0, this.#sentAtMs.length - kept)
    this.#sentAtMs.push(nowMs)
    this.#sent += 1
  }

  protected observe({ status, headers }: Response): void {
    const isThrottled = status === 429
    const nowMs = performance.now()
    if (isThrottled) this.#parkedUntilMs = nowMs + PARK_MS
    const remaining = headers.get('x-ratelimit-remaining') ?? (isThrottled ? 0 : undefined)
    if (remaining === undefined) return
    this.#reading = { left: Number(remaining) - this.inFlight, atMs: nowMs, sent: this.#sent }
  }

  protected waitMs(): number | undefined {
    const nowMs = performance.now()
    if (nowMs < this.#parkedUntilMs) return this.#parkedUntilMs - nowMs
    const oldestMs = this.#sentAtMs.find((sentMs) => sentMs > nowMs - this.#windowMs)
    const instants = [oldestMs, this.#freshReading(nowMs)?.atMs]
      .filter((atMs) => atMs !== undefined)
      .map((atMs) => atMs + this.#windowMs)
    return instants.length === 0 ? undefined : Math.min(...instants) - nowMs
  }

  #freshReading(nowMs: number): Reading | undefined {
    return this.#reading !== undefined && nowMs - this.#reading.atMs < this.#windowMs ? this.#reading : undefined
  }

  /** Less what was sent since it was taken, and with what has left the window since. */
  #carriedForward({ left, atMs, sent }: Reading, nowMs: number): number {
    const backSince = this.#sentSince(atMs - this.#windowMs) - this.#sentSince(nowMs - this.#windowMs)
    return left - (this.#sent - sent) + backSince
  }

  #sentSince(atMs: number): number {
    const first = this.#sentAtMs.findLastIndex((sentMs) => sentMs <= atMs)
    return this.#sentAtMs.length - 1 - first
  }
}
