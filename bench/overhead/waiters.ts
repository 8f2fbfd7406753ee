/** The memory of one who waits: bytes of the heap for each of so many, with no signal, with one that all share, or each with its own. */
import { setImmediate as turn } from 'node:timers/promises'
import { peerOf, PEERS } from './peers/index.ts'
import type { Held, Hold } from './peers/peer.ts'
import { type Figures, interleave } from './processes.ts'
import { median } from './statistics.ts'

const WAITERS = { full: 100_000, smoke: 2_000 }
const ROUNDS = { full: 5, smoke: 1 }

export const SIGNALS = ['none', 'shared', 'own'] as const
export type Signals = (typeof SIGNALS)[number]

export interface WaiterRow {
  peer: string
  aborts: Held['aborts']
  signals: Signals
  waiters: number
  /** Bytes a waiter, median of the rounds. */
  bytes: number
  rounds: number[]
}

export async function measureWaiters(smoke: boolean): Promise<WaiterRow[]> {
  const size = smoke ? 'smoke' : 'full'
  const waiters = WAITERS[size]
  const ways = waysToWait()
  const cases = ways.map((way) => ({ file: import.meta.filename, args: [way.peer, way.signals, waiters] }))
  const outcomes = await interleave(cases, { rounds: ROUNDS[size], fresh: true })
  return ways.map((way, index) => {
    const rounds = (outcomes[index] as readonly Figures[]).map(({ bytes }) => bytes!)
    return { ...way, waiters, bytes: median(rounds), rounds }
  })
}

/** Every peer with the signals that it knows what to do with. */
export function waysToWait(): { peer: string; aborts: Held['aborts']; signals: Signals }[] {
  const known = { none: ['none'], all: ['none', 'shared'], each: SIGNALS } as const
  return PEERS.flatMap(({ name, held }) =>
    held ? known[held.aborts].map((signals) => ({ peer: name, aborts: held.aborts, signals })) : [],
  )
}

export async function open([name, signals, waiters]: [string, Signals, number]): Promise<() => Promise<Figures>> {
  const { held } = peerOf(name)
  return async () => {
    const { signalOf } = controllersOf(signals, waiters)
    const waiting = await held!.open(longHold(signals === 'shared' ? signalOf(0) : undefined))
    const before = heapBytes()
    for (let index = 0; index < waiters; index += 1) void waiting.wait(signalOf(index))
    await turn()
    const bytes = (heapBytes() - before) / waiters
    // Until here what holds them is not garbage.
    waiting.release?.()
    return { bytes }
  }
}

/** Windows so long that nobody goes, and so few that no timer is set for longer than it can be. */
export function longHold(signal: AbortSignal | undefined): Hold {
  return { limit: 1_000, windowMs: 3_600_000, signal }
}

/** One controller for all, one for each, or none. */
export function controllersOf(signals: Signals, waiters: number) {
  const length = signals === 'none' ? 0 : signals === 'shared' ? 1 : waiters
  const controllers = Array.from({ length }, () => new AbortController())
  // A signal is made when it is first asked for.
  for (const { signal } of controllers) signal.throwIfAborted()
  const signalOf = (index: number): AbortSignal | undefined => controllers[index % Math.max(1, length)]?.signal
  return { controllers, signalOf }
}

/** What is left of the heap once all that can go is gone. */
export function heapBytes(): number {
  globalThis.gc!()
  globalThis.gc!()
  return process.memoryUsage().heapUsed
}
