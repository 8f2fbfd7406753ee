import type { Clock, Timer } from '../gate/clock.ts'
import * as check from '../gate/check.ts'
import { checkVirtualClock } from './check-options.ts'
import { createRandom, type Random } from '../random.ts'
import { settle } from './settle.ts'
import { type HeapTimer, TimerHeap } from './timer-heap.ts'

/** The longest delay a timer takes: hosts fire a longer one at once. */
const MAX_DELAY_MS = 2 ** 31 - 1

/** How long a chain of timers, each set by the one before for the very same instant, may be within one run. */
const MAX_CHAIN = 100_000

/** Macrotasks granted to work outside the clock (a blob, a stream of the host) once no timer is left. */
const IDLE_TURNS = 16

export interface VirtualClockOptions {
  /** What `now()` begins at, in ms. Default 0. */
  startMs?: number
  /** What `wallNow()` begins at, in ms since the Unix epoch. Default 2026-01-01T00:00:00Z. */
  wallStartMs?: number
  /** Seed of `random()`. Default 1. */
  seed?: number
}

export interface RunOptions {
  /** How much virtual time the run may take, in ms. Default 604 800 000 (a week), against timers that re-arm for ever. */
  maxMs?: number
}

const WEEK_MS = 604_800_000

/**
 * A clock that moves only when it is told to. Timers fire in order of their instants, ties in the order they were set,
 * and all promise work settles between one firing and the next, as it does in a host. A timer never fires early.
 */
export class VirtualClock implements Clock {
  readonly #timers = new TimerHeap()
  readonly #random: Random
  #nowMs: number
  #wallOffsetMs: number
  #timersSet = 0
  #keepAliveTimers = 0
  #chain = 0

  /** @throws ConfigError for an option that there is not, or that is no number. */
  constructor(options: VirtualClockOptions = {}) {
    check.assertValid(checkVirtualClock, options, '')
    const { startMs = 0, wallStartMs = Date.UTC(2026, 0, 1), seed = 1 } = options
    this.#nowMs = startMs
    this.#wallOffsetMs = wallStartMs - startMs
    this.#random = createRandom(seed)
  }

  now(): number {
    return this.#nowMs
  }

  wallNow(): number {
    return this.#nowMs + this.#wallOffsetMs
  }

  random(): number {
    return this.#random()
  }

  /** Timers that are set and have neither fired nor been cleared. */
  get pendingTimers(): number {
    return this.#timers.size
  }

  /** Those of the pending timers that alone would keep a process running. */
  get keepAliveTimers(): number {
    return this.#keepAliveTimers
  }

  /**
   * @throws RangeError where a host would misfire without a word: a delay that is NaN or above 2^31 - 1 ms. A negative
   *   one counts as 0.
   */
  setTimer(fire: () => void, delayMs: number, { keepAlive }: { keepAlive: boolean }): Timer {
    if (!(delayMs <= MAX_DELAY_MS)) throw new RangeError(`timer delay must be at most 2^31 - 1 ms, is ${delayMs}`)
    const setAtMs = this.#nowMs
    const atMs = delayMs > 0 ? Math.max(setAtMs + delayMs, laterThan(setAtMs)) : setAtMs
    const chain = atMs === setAtMs ? this.#chain + 1 : 0
    const timer: HeapTimer = { atMs, chain, order: this.#timersSet++, keepAlive, fire, position: undefined }
    this.#timers.push(timer)
    if (keepAlive) this.#keepAliveTimers++
    return timer
  }

  /** Does nothing for a timer that has fired, was cleared, or is of another clock. */
  clearTimer(timer: Timer): void {
    if (typeof timer !== 'object' || timer === null) return
    const mine = timer as HeapTimer
    if (this.#timers.remove(mine) && mine.keepAlive) this.#keepAliveTimers--
  }

  /** Resolves after `ms` of virtual time. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.setTimer(resolve, ms, { keepAlive: true }))
  }

  /** Moves wall time alone by `ms`, as a host does when its clock is set. May be negative. */
  jumpWall(ms: number): void {
    this.#wallOffsetMs += ms
  }

  /**
   * Moves time forward by `ms`, firing what is due up to and including the last instant.
   * @throws RangeError if `ms` is negative or not finite; whatever a timer throws.
   */
  async advance(ms: number): Promise<void> {
    if (!(ms >= 0 && ms < Infinity)) throw new RangeError(`advance takes a finite number of ms >= 0, not ${ms}`)
    await this.#runTo(this.#nowMs + ms)
  }

  /**
   * Goes from timer to timer until `promise` settles, and returns or throws what it settles to.
   * @throws Error if it is still pending when no timer is left, or when `maxMs` of virtual time have passed.
   */
  async runUntil<T>(promise: PromiseLike<T>, { maxMs = WEEK_MS }: RunOptions = {}): Promise<T> {
    let settled = false
    const note = (): void => {
      settled = true
    }
    promise.then(note, note)
    this.#chain = 0
    const endMs = this.#nowMs + maxMs
    for (;;) {
      await this.#settleUntil(() => settled)
      if (settled) return promise
      if (!this.#fireNext(endMs)) throw this.#stuck('the promise is still pending', maxMs, endMs)
    }
  }

  /**
   * Fires timers, those they set included, until none is left.
   * @throws Error if some are left when `maxMs` of virtual time have passed.
   */
  async runAll({ maxMs = WEEK_MS }: RunOptions = {}): Promise<void> {
    const endMs = this.#nowMs + maxMs
    await this.#runTo(endMs, false)
    if (this.#timers.size > 0) throw this.#stuck('timers are still pending', maxMs, endMs)
  }

  async #runTo(endMs: number, toTheEnd = true): Promise<void> {
    this.#chain = 0
    await settle()
    while (this.#fireNext(endMs)) await settle()
    if (toTheEnd) this.#nowMs = Math.max(this.#nowMs, endMs)
  }

  async #settleUntil(isDone: () => boolean): Promise<void> {
    for (let turn = 0; turn < IDLE_TURNS && !isDone(); turn++) {
      await settle()
      if (this.#timers.size > 0) return
    }
  }

  /** Fires the next timer that is due by `endMs`; false if there is none. */
  #fireNext(endMs: number): boolean {
    const timer = this.#timers.peek()
    if (timer === undefined || timer.atMs > endMs) return false
    this.#guardStandstill(timer)
    this.clearTimer(timer)
    this.#nowMs = Math.max(this.#nowMs, timer.atMs)
    timer.fire()
    return true
  }

  #guardStandstill({ chain }: HeapTimer): void {
    this.#chain = chain
    if (chain <= MAX_CHAIN) return
    throw new Error(`virtual time stands still at ${this.#nowMs} ms: timers of 0 ms keep setting others`)
  }

  #stuck(what: string, maxMs: number, endMs: number): Error {
    if (this.#timers.size === 0) return new Error(`${what} at ${this.#nowMs} ms and no timer is left to wait for`)
    this.#nowMs = Math.max(this.#nowMs, endMs)
    const left = `${this.#timers.size} timer${this.#timers.size === 1 ? '' : 's'} left`
    return new Error(`${what} after maxMs = ${maxMs} of virtual time, at ${this.#nowMs} ms with ${left}`)
  }
}

/** The next number above `ms`, so that a delay too small to add to it still moves time. */
function laterThan(ms: number): number {
  return ms + Math.max(Math.abs(ms), 1) * Number.EPSILON
}
