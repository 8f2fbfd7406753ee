/**
 * What a call costs where nobody has to wait: calls one after the other, each with the same task of nothing. Those that take or are refused at
 * once have no task, and nothing is awaited.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { peerOf, PEERS } from './peers/index.ts'
import type { Batch } from './peers/peer.ts'
import { type Figures, interleave } from './processes.ts'
import { median } from './statistics.ts'

/** A round lasts about this long, so that garbage is collected in each and most pass undisturbed. */
const ROUND_MS = { full: 50, smoke: 10 }
const ROUNDS = { full: 21, smoke: 3 }

/** Before that much has run it is the compiler that is measured: calls, or milliseconds where they take long. */
const WARM_UP = { full: { calls: 300_000, ms: 1_500 }, smoke: { calls: 1_000, ms: 50 } }

/** Calls between two turns of the event loop: what a call leaves for later is paid for within the round, too. */
const BATCH = 1_000

export interface UncontendedRow {
  peer: string
  setUp: string
  how: 'try' | 'call'
  /** Nanoseconds a call, median of the rounds. */
  ns: number
  /** The same in time of the processor. */
  cpuNs: number
  rounds: { ns: number[]; cpuNs: number[] }
}

export async function measureUncontended(smoke: boolean): Promise<UncontendedRow[]> {
  const size = smoke ? 'smoke' : 'full'
  const peers = PEERS.flatMap(({ name, free }) => (free ? [{ name, free }] : []))
  const cases = peers.map(({ name }) => ({ file: import.meta.filename, args: [name, ROUND_MS[size], WARM_UP[size]] }))
  const outcomes = await interleave(cases, { rounds: ROUNDS[size] })
  return peers.map(({ name, free: { setUp, how } }, index) => {
    const figures = outcomes[index] as readonly Figures[]
    const rounds = { ns: figures.map(({ ns }) => ns!), cpuNs: figures.map(({ cpuNs }) => cpuNs!) }
    return { peer: name, setUp, how, ns: median(rounds.ns), cpuNs: median(rounds.cpuNs), rounds }
  })
}

type Limits = { calls: number; ms: number }

export async function open([name, roundMs, atMost]: [string, number, Limits]): Promise<() => Promise<Figures>> {
  const batch = await peerOf(name).free!.open()
  const calls = Math.max(1, Math.round(roundMs / (await warmUp(batch, atMost))))
  return () => costOf(batch, calls)
}

/** Milliseconds a call, once the compiler is done with it. */
async function warmUp(batch: Batch, atMost: Limits): Promise<number> {
  const startMs = performance.now()
  for (let calls = 4; ; calls *= 2) {
    const ms = (await costOf(batch, calls)).ns! / 1e6
    if (calls > atMost.calls || performance.now() - startMs > atMost.ms) return ms
  }
}

async function costOf(batch: Batch, calls: number): Promise<Figures> {
  const startMs = performance.now()
  const startCpu = process.cpuUsage()
  for (let left = calls; left > 0; left -= BATCH) {
    await batch(Math.min(left, BATCH))
    await turn()
  }
  const { user, system } = process.cpuUsage(startCpu)
  return { ns: ((performance.now() - startMs) * 1e6) / calls, cpuNs: ((user + system) * 1e3) / calls }
}
