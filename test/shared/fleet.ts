import {
  type AcquireOptions,
  type Clock,
  Gate,
  type GateOptions,
  type Permit,
  RateLimitError,
} from '../../src/gate/index.ts'
import type { Via } from '../../src/gate/share.ts'
import {
  type Engine,
  type EngineCall,
  type EngineReply,
  type MemoryEngine,
  memoryEngine,
  sharedBudget,
  type SharedBudgetOptions,
} from '../../src/shared/index.ts'
import { VirtualClock } from '../../src/testing/index.ts'
import { otherProcess } from '../support/other-process.ts'

/** The way of one process to the engine, and what may go wrong on it. */
export class Wire implements Engine {
  /** Every call with the virtual instant at which it was made. */
  readonly calls: { at: number; call: EngineCall }[] = []
  /** How long a call takes to the engine, and its answer back. */
  upMs = 1
  downMs = 1
  /** Calls are refused with this. */
  fault: Error | undefined
  /** Calls do not arrive; or they do and their answers do not. Nothing is heard of either. */
  loses: 'nothing' | 'calls' | 'answers' = 'nothing'
  connections = 0
  readonly subscribe: (hear: (gate: string) => void) => () => void
  listeners = 0
  readonly #clock: VirtualClock
  readonly #engine: MemoryEngine

  constructor(clock: VirtualClock, engine: MemoryEngine) {
    this.#clock = clock
    this.#engine = engine
    this.subscribe = (hear) => {
      this.listeners += 1
      const stop = engine.subscribe((gate) => void this.#news(hear, gate))
      return () => {
        this.listeners -= 1
        stop()
      }
    }
  }

  async call(gate: string, call: EngineCall): Promise<EngineReply> {
    this.calls.push({ at: this.#clock.now(), call })
    if (this.fault) throw this.fault
    const { upMs, downMs, loses } = this
    if (loses === 'calls') return never()
    await this.#sleep(upMs)
    const reply = await this.#engine.call(gate, call)
    if (loses === 'answers' || this.loses !== 'nothing') return never()
    await this.#sleep(downMs)
    return reply
  }

  async #news(hear: (gate: string) => void, gate: string): Promise<void> {
    await this.#sleep(this.downMs)
    if (this.fault === undefined && this.loses === 'nothing') hear(gate)
  }

  #sleep(ms: number): Promise<void> | undefined {
    if (ms === 0) return undefined
    return new Promise((resolve) => this.#clock.setTimer(resolve, ms, { keepAlive: false }))
  }
}

function never(): Promise<EngineReply> {
  return new Promise(() => {})
}

export interface Setup {
  processes?: number
  gate?: Partial<Omit<GateOptions, 'clock'>>
  shared?: Partial<SharedBudgetOptions>
}

/** One process: its clock, its way to the engine, its gate, and what has gone through that. */
export interface Process {
  readonly clock: Clock
  readonly wire: Wire
  readonly gate: Gate
  /** True instants at which attempts went. */
  readonly sent: number[]
  readonly told: [via: Via, why: string][]
  /** What has been refused, by reason. */
  readonly refused: string[]
  /** Sends one attempt, answered after `answerMs`, as soon as it may go. */
  send(options?: AcquireOptions, answerMs?: number): Promise<Permit | undefined>
  /** Sends so many at once. */
  burst(count: number, options?: AcquireOptions): void
}

export const LIMIT: GateOptions['limits'] = { limit: 10, windowMs: 1_000 }

/** Processes with a gate each, under one virtual clock, over one engine whose clock may be another. */
export function setUpFleet({ processes = 2, gate = {}, shared = {} }: Setup = {}) {
  const clock = new VirtualClock()
  const engineClock = { offMs: 0 }
  const engine = memoryEngine({ clock: { ...pass(clock), now: () => clock.now() + engineClock.offMs } })
  const start = (index: number, more: Setup = {}): Process => {
    const own = otherProcess(clock, 1e9 * (index + 1))
    const wire = new Wire(clock, engine)
    const budget = sharedBudget({ engine: wire, name: 'account', ...shared, ...more.shared })
    const told: Process['told'] = []
    const sent: number[] = []
    const refused: string[] = []
    const made = new Gate(
      { clock: own, limits: LIMIT!, transitMs: 0, ...gate, ...more.gate },
      { openShare: budget.share('gate'), observer: { degraded: (...what) => told.push(what) } },
    )
    const send: Process['send'] = async (options, answerMs = 0) => {
      try {
        const permit = await made.acquire(options)
        sent.push(clock.now())
        if (answerMs > 0) await new Promise<void>((resolve) => clock.setTimer(resolve, answerMs, { keepAlive: false }))
        permit.settle()
        permit.release()
        return permit
      } catch (error) {
        refused.push(error instanceof RateLimitError ? error.reason : String(error))
        return undefined
      }
    }
    const burst: Process['burst'] = (count, options) => {
      for (let sends = 0; sends < count; sends += 1) void send(options)
    }
    return { clock: own, wire, gate: made, sent, told, refused, send, burst }
  }
  const all = Array.from({ length: processes }, (_, index) => start(index))
  return { clock, engine, engineClock, all, start, first: all[0]!, second: all[1]! }
}

function pass(clock: VirtualClock): Clock {
  return {
    now: () => clock.now(),
    wallNow: () => clock.wallNow(),
    setTimer: (fire, delayMs, options) => clock.setTimer(fire, delayMs, options),
    clearTimer: (timer) => clock.clearTimer(timer),
  }
}

/** The most of these instants in any window. */
export function peak(sent: readonly number[], windowMs: number): number {
  const sorted = sent.toSorted((a, b) => a - b)
  let from = 0
  return sorted.reduce((most, at, index) => {
    while (sorted[from]! <= at - windowMs) from += 1
    return Math.max(most, index - from + 1)
  }, 0)
}
