/**
 * What a permit costs where nobody has to wait: nanoseconds to take one, settle it and release it, beside a bare `await` of an async
 * function. Rounds of all cases are interleaved, so that a machine that slows down slows all of them.
 */
import { setImmediate as turn } from 'node:timers/promises'
import Table from 'cli-table3'
import { systemClock } from '../src/clock.ts'
import { Gate, type GateOptions } from '../src/gate/index.ts'

/** On a machine that has much else to do, no more rounds than fit in `ENOUGH_MS`, but for the least that a median is worth. */
const ROUNDS = { most: 31, least: 7 }
const ENOUGH_MS = 10_000

/** Operations of one round: enough for garbage to be collected in each, few enough for most rounds to pass undisturbed. */
const OPERATIONS = 10_000

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
  const rounds = await runRounds(cases)
  console.log(`Node ${process.version}, medians of ${rounds} interleaved rounds of ${OPERATIONS} operations`)
  console.log(tableOf(cases, median(bare.rounds)))
}

/** Runs every case in each round. Returns how many rounds there were. */
async function runRounds(cases: readonly Case[]): Promise<number> {
  const startMs = performance.now()
  for (let round = 0; ; round += 1) {
    const enough = round >= ROUNDS.least && performance.now() - startMs > ENOUGH_MS
    if (enough || round === ROUNDS.most) return round
    for (const each of cases) each.rounds.push(await roundNs(each.batch))
  }
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
  const startMs = performance.now()
  for (let left = OPERATIONS; left > 0; left -= BATCH) {
    await batch(BATCH)
    await turn()
  }
  return ((performance.now() - startMs) * 1e6) / OPERATIONS
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
