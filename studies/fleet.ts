/**
 * Six processes that share one budget over a real engine, row by row as `test/fleet` plays them, and what the engine's part of it costs.
 * `node studies/fleet.ts [runs] [words of a row's name]`: of several runs of a row the worst is told.
 */
import Table from 'cli-table3'
import type { EngineCall } from '../src/shared/index.ts'
import { FleetEngine } from '../test/fleet/engine.ts'
import type { Fleet } from '../test/fleet/fleet.ts'
import { LIMIT } from '../test/fleet/messages.ts'
import { median, playParks } from '../test/fleet/parks.ts'
import { CONTROLS, FAULTS, NEARLY_FULL, SATURATED } from '../test/fleet/rows.ts'
import { playQuietly, type Result, type Row, sum } from '../test/fleet/scenario.ts'
import { engineAt } from '../test/support/timed-engine.ts'

const RUNS = Number(process.argv[2] ?? 1)
const CHOSEN = process.argv[3] ?? ''

const WINDOWS = [
  { name: `${LIMIT.limit} a second`, limit: LIMIT.limit, windowMs: LIMIT.windowMs },
  { name: '600 a minute', limit: 600, windowMs: 60_000 },
  { name: '10 000 a minute', limit: 10_000, windowMs: 60_000 },
]

await main()

async function main(): Promise<void> {
  console.log(`Node ${process.version}, limit ${LIMIT.limit} in any ${LIMIT.windowMs} ms, worst of ${RUNS}`)
  const table = newTable([
    'row',
    'offered/s',
    'served/s',
    'in the fault',
    'over',
    'peak',
    'refused',
    'faults seen',
    'without engine',
    'engine calls/s',
    'a request',
    'longest transit',
  ])
  const rows = [SATURATED, NEARLY_FULL, ...FAULTS, ...CONTROLS].filter(({ name }) => name.includes(CHOSEN))
  for (const row of rows) table.push(cellsOf(row, await worstOf(row)))
  console.log(table.toString())
  console.log(await parksLine())
  console.log(await bytesTable())
}

async function worstOf(row: Row): Promise<Result> {
  const results: Result[] = []
  for (let run = 0; run < RUNS; run++) {
    const costs: string[] = []
    const result = await playQuietly(row, { inspect: async (fleet) => void costs.push(await serverCost(fleet)) })
    console.error(`${row.name}, run ${run + 1}: ${told(result)}; ${costs.at(-1)}`)
    results.push(result)
  }
  return results.toSorted((one, other) => other.over - one.over || one.servedPerS - other.servedPerS)[0]!
}

function told({ over, peak, servedPerS, faultsSeen, engineCallsMs, longestTransitMs, overInTime }: Result): string {
  const sorted = engineCallsMs.toSorted((one, other) => one - other)
  const at = (part: number): string => `${(sorted[Math.floor(part * sorted.length)] ?? NaN).toFixed(2)} ms`
  const transit = `${longestTransitMs.toFixed(0)} ms`
  const served = `${servedPerS.toFixed(1)}/s, over ${over} (${overInTime} in time), peak ${peak}`
  return `${served}, transit ${transit}; calls p50 ${at(0.5)}, p99 ${at(0.99)}; ${JSON.stringify(faultsSeen)}`
}

/** What the server says of the script's cost since it started. */
async function serverCost({ engine }: Fleet): Promise<string> {
  const info = await engine.ask((client) => client.info('commandstats'))
  return (
    /cmdstat_evalsha:calls=(\d+),usec=\d+,usec_per_call=([\d.]+)/.exec(info)?.slice(1).join(' calls, µs each: ') ?? ''
  )
}

function cellsOf({ name, callsPerS }: Row, result: Result): (string | number)[] {
  const { servedPerS, servedPerSInFault, over, peak, refused, faultsSeen, sentWithoutEngine } = result
  return [
    name,
    callsPerS,
    servedPerS.toFixed(1),
    servedPerSInFault?.toFixed(1) ?? '',
    over,
    peak,
    refused,
    sum(Object.values(faultsSeen)),
    sentWithoutEngine,
    result.engineCallsPerS.toFixed(1),
    result.callsPerRequest.toFixed(2),
    `${result.longestTransitMs.toFixed(0)} ms`,
  ]
}

async function parksLine(): Promise<string> {
  const rounds = await playParks()
  const delaysMs = rounds.flatMap((round) => round.delaysMs)
  const probes = rounds.map((round) => round.probes).join(', ')
  const [p50, most] = [median(delaysMs), Math.max(...delaysMs)].map((ms) => ms.toFixed(1))
  return `A park reached the five others after ${p50} ms (median; at most ${most} ms). Probes, park by park: ${probes}`
}

/** Bytes of each key once windows have been full, evenly, for as long as anything of them is kept. */
async function bytesTable(): Promise<string> {
  const engine = await FleetEngine.start()
  try {
    const table = newTable(['window full of', 'state', 'members', 'log'])
    for (const { name, limit, windowMs } of WINDOWS) {
      const bytes = await engine.ask(async (client) => {
        await client.flushall()
        const stepUs = (windowMs * 1_000) / limit
        for (let call = 0; call < limit * 1.5; call++)
          await engineAt(client, Math.round(1e12 + call * stepUs)).call('gate', callOf(call % 6, { limit, windowMs }))
        const keys = ['state', 'members', 'log:limit'].map((key) => `hg1:{gate}:${key}`)
        return Promise.all(keys.map((key) => client.memory('USAGE', key, 'SAMPLES', 0)))
      })
      table.push([name, ...bytes.map((each) => each ?? 0)])
    }
    return table.toString()
  } finally {
    await engine.stop()
  }
}

/** One attempt of one of six members. */
function callOf(member: number, { limit, windowMs }: { limit: number; windowMs: number }): EngineCall {
  return {
    member: `member-${member}-${'0'.repeat(7)}`,
    epoch: 0,
    newEpoch: 2 ** 47 + 1,
    at: 0,
    patienceUs: 250_000,
    jumped: false,
    heartbeatUs: 1_000_000,
    horizonUs: 250_000,
    members: 6,
    parts: 0,
    heardAt: 0,
    away: false,
    back: false,
    leaves: false,
    holdBackUs: 0,
    limits: [{ id: 'limit', limit, windowUs: windowMs * 1_000, granted: 0, extra: 0, recent: 0 }],
    wants: [{ count: 1, charges: [1] }],
    park: undefined,
    probe: undefined,
    readings: [],
  }
}

function newTable(head: string[]): InstanceType<typeof Table> {
  return new Table({
    head,
    colAligns: head.map((_, index) => (index === 0 ? 'left' : 'right')),
    style: { head: [], border: [] },
  })
}
