import { type AcquireOptions, assertAcquireOptions, assertCloseOptions, assertDuration } from './acquire.ts'
import * as check from './check.ts'
import type { Clock } from './clock.ts'
import { Desk } from './desk.ts'
import type { GateContext } from './observer.ts'
import { type GateOptions, type GateSettings, resolveGateOptions } from './options.ts'
import type { Permit } from './permit.ts'
import type { Explanation, GateSnapshot } from './report.ts'
import { checkSavedGate, LONGEST_AGE_MS, type SavedGate } from './saved.ts'

/** What a caller asks for that says nothing, and what surrounds a gate of which nothing is said. */
const NOTHING: AcquireOptions & GateContext = {}

/**
 * Admits attempts so that no trailing window at the upstream holds more than its limits. Callers wait in order, and whoever holds
 * a permit reports what became of the attempt. Here is what may be asked of it; `Desk` does the work.
 */
export class Gate {
  readonly #clock: Clock
  readonly #settings: GateSettings
  readonly #context: GateContext
  /** Made when it is first needed: of many gates most are idle. */
  #made: Desk | undefined

  /** Throws one `ConfigError` that lists every fault in `options`. */
  constructor(options: GateOptions, context: GateContext = NOTHING) {
    this.#settings = resolveGateOptions(options)
    this.#clock = options.clock
    this.#context = context
    if (context.openShare) this.#made = new Desk(this.#settings, this.#clock, context)
  }

  /**
   * Waits for a permit. Rejects with the signal's reason, with a `RateLimitError` where the caller is refused, or with a
   * `ConfigError` for options that make no sense; nothing is spent then.
   */
  acquire(options: AcquireOptions = NOTHING): Promise<Permit> {
    try {
      assertAcquireOptions(options)
      if (options.signal?.aborted) return Promise.reject(options.signal.reason)
      return this.#desk.acquire(options)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** A permit if one is to be had now, without passing anyone who waits. Throws for options that make no sense, a weight above the limit included. */
  tryAcquire(options: Pick<AcquireOptions, 'weight' | 'priority'> = NOTHING): Permit | undefined {
    assertAcquireOptions(options)
    return this.#desk.tryAcquire(options)
  }

  /** Runs `task` with a permit, which is settled and released when the task is done, however it ends. */
  async run<T>(task: (permit: Permit) => T | PromiseLike<T>, options?: AcquireOptions): Promise<T> {
    const permit = await this.acquire(options)
    try {
      const result = await task(permit)
      permit.settle()
      return result
    } finally {
      permit.release()
    }
  }

  /** Whether a caller who came now would be refused. Throws for options that make no sense. */
  refuses(options: AcquireOptions = NOTHING): boolean {
    assertAcquireOptions(options)
    return this.#desk.refuses(options)
  }

  /** What an attempt of this weight and priority would wait for if it came now. */
  explain(options: Pick<AcquireOptions, 'weight' | 'priority' | 'arrival'> = NOTHING): Explanation {
    assertAcquireOptions(options)
    return this.#desk.explain(options)
  }

  snapshot(): GateSnapshot {
    return this.#desk.snapshot()
  }

  /** Whether nothing would be missed if this gate were made anew: nothing queued, held, parked or still counted. */
  get idle(): boolean {
    return this.#made?.idle ?? true
  }

  /** Shuts the gate for `delayMs`, as a throttled response with that hint would. Throws a `ConfigError` for NaN or below 0. */
  park(delayMs: number): void {
    assertDuration(delayMs, 'delayMs')
    if (delayMs > 0) this.#desk.parkFor(Math.min(delayMs, this.#settings.cooldown.maxMs))
  }

  /** What a gate in another process has to know to go on from here. Plain JSON, without the upstream's or a caller's text. */
  save(): SavedGate {
    return this.#desk.save()
  }

  /**
   * Goes on from what a gate saved `elapsedMs` ago: it is best called before the first attempt, and then nothing that gate had spent is
   * sent again. Throws a `ConfigError` for what no gate saved.
   */
  restore(saved: SavedGate, elapsedMs = 0): void {
    check.assertValid(checkSavedGate, saved, 'saved')
    assertDuration(elapsedMs, 'elapsedMs')
    this.#desk.restore(saved, Math.min(elapsedMs, LONGEST_AGE_MS))
  }

  /**
   * Refuses new callers with the reason `closed`. Those who wait are refused too, or with `drainMs` may go first for so long.
   * Resolves when nobody waits any more.
   */
  async close(options: { drainMs?: number } = {}): Promise<void> {
    assertCloseOptions(options)
    return this.#desk.close(options.drainMs ?? 0)
  }

  get #desk(): Desk {
    return (this.#made ??= new Desk(this.#settings, this.#clock, this.#context))
  }
}
