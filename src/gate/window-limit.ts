import { describeLimit } from './describe-limit.ts'
import { FixedReset } from './fixed-reset.ts'
import { ForeignUse } from './foreign-use.ts'
import type { Block, Demand, Limit, LimitSnapshot, LimitState, Taken } from './limit.ts'
import { usedIn } from './limit.ts'
import type { Reading } from './observation.ts'
import { excessOf, projectedRoomAt, roomAt } from './room.ts'
import { REQUESTS } from './weight.ts'
import { Window } from './window.ts'

/**
 * A limit whose window is known, configured or stated by the upstream. Own weight stays within the configured limit; own weight
 * and foreign use together stay within the one that the upstream states.
 */
export class WindowLimit implements LimitState {
  readonly name: string | undefined
  readonly unit: string
  readonly window: Window
  readonly guessed = false
  readonly #configured: number
  readonly #reset: FixedReset | undefined
  readonly #foreign = new ForeignUse()
  #stated: number | undefined
  /** What had been sent when a fixed window last reopened: none of it is surely in a later reading. */
  #sentBeforeReset = 0

  constructor({ name, unit, windowMs, kind }: Omit<Limit, 'limit'>, configured = Infinity) {
    this.name = name
    this.unit = unit ?? REQUESTS
    this.window = new Window(windowMs)
    this.#configured = configured
    this.#reset = kind === 'fixed' ? new FixedReset() : undefined
  }

  get configured(): boolean {
    return this.#configured < Infinity
  }

  get effectiveLimit(): number | undefined {
    const limit = Math.min(this.#configured, this.#stated ?? Infinity)
    return limit < Infinity ? limit : undefined
  }

  never(weight: number): boolean {
    return weight > this.#configured
  }

  advance(now: number): boolean {
    this.window.advance(now)
    const passed = this.#reset?.advance(now)
    if (passed !== undefined) this.#reopen(passed)
    return this.#foreign.advance(now)
  }

  read(reading: Reading, taken: Taken): void {
    if (!this.#foreign.accepts(taken)) return
    if (this.#reset && reading.resetInMs === 0) return
    if (reading.limit !== undefined) this.#stated = reading.limit
    const used = usedIn(reading, this.#stated ?? this.effectiveLimit)
    if (used === undefined) return
    this.#foreign.take(used, this.window.ownIn(taken.mark, this.#sentBeforeReset), taken, this.window.windowMs)
    if (reading.resetInMs === undefined) return
    this.#reset?.read(taken.sentAt, taken.at, reading.resetInMs, reading.resetStepMs ?? 0)
  }

  spend(order: number): void {
    this.#foreign.spend(order)
  }

  block(weight: number, demand: Demand): Block | undefined {
    if (weight === 0) return undefined
    const ownAt = this.#ownRoomAt(weight, demand)
    const readingAt = demand.ignoreReadings ? undefined : this.#readingRoomAt(weight, demand)
    if (readingAt !== undefined && readingAt > (ownAt ?? -Infinity)) return { at: readingAt, cause: 'reading' }
    return ownAt === undefined ? undefined : { at: ownAt, cause: 'limit' }
  }

  projectAt(weight: number, now: number): number {
    const limit = this.effectiveLimit
    if (limit === undefined || weight === 0) return now
    return projectedRoomAt(this.window, this.#foreign.at(now), limit, weight, now)
  }

  sent(): void {}

  /** A reset beyond the end of a window that begins now is not believed. */
  parkUntil({ resetInMs, resetStepMs = 0 }: Reading, now: number, floorMs: number): number {
    if (this.#reset && resetInMs === 0) return now
    const reopensAt = Math.min(this.#reset?.reopensAt ?? now, now + this.window.windowMs + resetStepMs)
    return Math.max(now + floorMs, reopensAt)
  }

  snapshot(now: number): LimitSnapshot {
    return describeLimit(this, this.configured ? 'configured' : 'learned', this.#foreign, now)
  }

  #reopen(passed: number): void {
    this.window.releaseThrough(passed)
    this.#sentBeforeReset = this.window.sentTotal
    if (this.#reset?.reopensAt === undefined) this.#foreign.drop()
  }

  #ownRoomAt(weight: number, { uncountedUntil }: Demand): number | undefined {
    const excess = excessOf(this.window, 0, weight, this.#configured)
    return excess > 0 ? this.#reopenedBy(this.window.freeAt(excess, uncountedUntil)) : undefined
  }

  #readingRoomAt(weight: number, demand: Demand): number | undefined {
    const at = roomAt(this.window, this.#foreign, this.#stated ?? this.#configured, weight, demand)
    return at === undefined ? undefined : this.#reopenedBy(at)
  }

  /** A fixed window reopens at its reset at the latest. */
  #reopenedBy(at: number): number {
    return Math.min(at, this.#reset?.reopensAt ?? Infinity)
  }
}
