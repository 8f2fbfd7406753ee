/**
 * What a call costs that has to wait behind others: so many are asked at once behind something that holds them, and then let go. Time of the
 * processor, from the asking of the first to the end of the last. Where there is a concurrency it holds them, and the first call ends; else a
 * window's limit is spent, and windows pass, a tenth of the calls in each.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { peerOf, PEERS } from './peers/index.ts'
import type { Held, Hold, Waiting } from './peers/peer.ts'
import { type Case, type Figures, interleave, type Outcome } from './processes.ts'
import { median } from './statistics.ts'

const SIZES = { full: [1, 1_000, 100_000], smoke: [100] }
const ROUNDS = { full: 5, smoke: 1 }

/** Waiters of a round at least: few at a time are measured many times over. */
const LEAST_CALLS = { full: 1_000, smoke: 10 }

/** A peer that takes longer for a round is not waited for. */
const CAP_MS = 15_000

export interface ContendedRow {
  peer: string
  setUp: string
  by: Held['by']
  calls: number
  /** Microseconds of the processor's time a call, median of the rounds; absent where a round takes longer than `capMs`. */
  cpuUs?: number
  rounds: number[]
  capMs: number
  /** Whether calls were made in the order they were asked for, in every round. */
  inOrder: boolean
}

export async function measureContended(smoke: boolean): Promise<ContendedRow[]> {
  const rows: ContendedRow[] = []
  const size = smoke ? 'smoke' : 'full'
  for (const calls of SIZES[size]) {
    const peers = PEERS.flatMap(({ name, held }) => (held ? [{ name, held }] : []))
    const cases = peers.map(({ name, held }) => contendedCase(name, calls, repeatsFor(held, calls, LEAST_CALLS[size])))
    const outcomes = await interleave(cases, { rounds: ROUNDS[size], capMs: CAP_MS })
    rows.push(...peers.map(({ name, held }, index) => rowOf(name, held, calls, outcomes[index]!)))
  }
  return rows
}

/** Behind a window few rounds are enough: real time has to pass. */
function repeatsFor({ by }: Held, calls: number, least: number): number {
  return Math.ceil(Math.min(least, by === 'window' ? 30 * calls : Infinity) / calls)
}

export function contendedCase(peer: string, calls: number, repeats: number): Case {
  return { file: import.meta.filename, args: [peer, calls, repeats] }
}

function rowOf(peer: string, { setUp, by }: Held, calls: number, outcome: Outcome): ContendedRow {
  const row = { peer, setUp, by, calls, capMs: CAP_MS }
  if (outcome === 'too slow') return { ...row, rounds: [], inOrder: true }
  const rounds = outcome.map(({ cpuUs }) => cpuUs!)
  return { ...row, cpuUs: median(rounds), rounds, inOrder: outcome.every(({ outOfOrder }) => outOfOrder === 0) }
}

export async function open([name, calls, repeats]: [string, number, number]): Promise<() => Promise<Figures>> {
  const { held } = peerOf(name)
  return async () => {
    const all = { cpuUs: 0, outOfOrder: 0 }
    for (let left = repeats; left > 0; left -= 1) {
      const { cpuUs, outOfOrder } = await askAtOnce(await held!.open(holdOf(calls)), calls)
      all.cpuUs += cpuUs / repeats
      all.outOfOrder += outOfOrder
    }
    return all
  }
}

function holdOf(calls: number): Hold {
  return { limit: Math.ceil(calls / 10), windowMs: Math.min(100, Math.max(10, calls / 1_000)) }
}

async function askAtOnce({ call, release }: Waiting, calls: number): Promise<{ cpuUs: number; outOfOrder: number }> {
  let next = 0
  let outOfOrder = 0
  const startCpu = process.cpuUsage()
  await new Promise<void>((done) => {
    let left = calls
    const ended = (): void => {
      left -= 1
      if (left === 0) done()
    }
    for (let index = 0; index < calls; index += 1) {
      const task = async (): Promise<void> => {
        if (index !== next) outOfOrder += 1
        next += 1
      }
      void call(task).then(ended)
    }
    release?.()
  })
  await turn()
  const { user, system } = process.cpuUsage(startCpu)
  return { cpuUs: (user + system) / calls, outOfOrder }
}
