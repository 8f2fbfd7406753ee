/**
 * What a permit costs where nobody has to wait: nanoseconds to take one, settle it and release it, beside a bare `await` of an async
 * function. Rounds of all cases are interleaved, so that a machine that slows down slows all of them, and what is measured is the
 * processor time of the thread, which other processes do not add to.
 */
import { setImmediate as turn } from 'node:timers/promises'
import Table from 'cli-table3'
import { systemClock } from '../src/clock.ts'
import { Gate, type GateOptions } from '../src/gate/index.ts'

const ROUNDS = 11

/** Operations of one round. */
const OPERATIONS = 20_000

/** Operations between two turns of the event loop: what a permit leaves for later is paid for within the round, too. */
const BATCH = 1_000

const HUGE = Number.MAX_SAFE_INTEGER
const ONE = [{ limit: HUGE, windowMs: 1_000 }]
const THREE = [...ONE, { limit: HUGE, windowMs: 60_000 }, { limit: HUGE, windowMs: 3_600_000 }]

const CONFIGURATIONS: Record<string, Omit<GateOptions, 'clock'>> = {
  'one limit': { limits: ONE },
  'three limits': { limits: THREE },
  'one limit, concurrency': { limits: ONE, concurrency: HUGE },
  'three limits, concurrency': { limits: THREE, concurrency: HUGE },
}

interface Case {
  name: string
  /** Makes so many operations, one after the other. */
  batch: (operations: number) => Promise<void>
  /** Nanoseconds per operation, by round. */
  rounds: number[]
}

await main()

async function main(): Promise<void> {
  const bare: Case = { name: 'bare await', batch: awaitBare, rounds: [] }
  const cases = [bare, ...Object.entries(CONFIGURATIONS).flatMap(([name, options]) => casesOf(name, options))]
  for (const { batch } of cases) await roundNs(batch)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const each of cases) each.rounds.push(await roundNs(each.batch))
  }
  console.log(`Node ${process.version}, medians of ${ROUNDS} interleaved rounds of ${OPERATIONS} operations`)
  console.log(tableOf(cases, median(bare.rounds)))
}

function casesOf(name: string, options: Omit<GateOptions, 'clock'>): Case[] {
  const gate = (): Gate => new Gate({ ...options, clock: systemClock })
  return [
    { name: `tryAcquire, ${name}`, batch: tryingOf(gate()), rounds: [] },
    { name: `await acquire, ${name}`, batch: awaitingOf(gate()), rounds: [] },
  ]
}

async function awaitBare(operations: number): Promise<void> {
  const nothing = async (): Promise<void> => {}
  for (let left = operations; left > 0; left -= 1) await nothing()
}

function tryingOf(gate: Gate): Case['batch'] {
  return async (operations) => {
    for (let left = operations; left > 0; left -= 1) {
      const permit = gate.tryAcquire()!
      permit.settle()
      permit.release()
    }
  }
}

function awaitingOf(gate: Gate): Case['batch'] {
  return async (operations) => {
    for (let left = operations; left > 0; left -= 1) {
      const permit = await gate.acquire()
      permit.settle()
      permit.release()
    }
  }
}

/** Nanoseconds per operation. */
async function roundNs(batch: Case['batch']): Promise<number> {
  const start = process.threadCpuUsage()
  for (let left = OPERATIONS; left > 0; left -= BATCH) {
    await batch(BATCH)
    await turn()
  }
  const { user, system } = process.threadCpuUsage(start)
  return ((user + system) * 1_000) / OPERATIONS
}

function tableOf(cases: readonly Case[], bareNs: number): string {
  const table = new Table({
    head: ['uncontended: take, settle, release', 'median', 'fastest', 'slowest', 'bare awaits'],
    colAligns: ['left', 'right', 'right', 'right', 'right'],
    style: { head: [], border: [] },
  })
  for (const { name, rounds } of cases) {
    const ns = [median(rounds), Math.min(...rounds), Math.max(...rounds)].map((each) => `${Math.round(each)} ns`)
    table.push([name, ...ns, (median(rounds) / bareNs).toFixed(1)])
  }
  return table.toString()
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!
}
