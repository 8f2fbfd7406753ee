/**
 * What `fairShare` does for several gates on one account, with nothing but headers between them: the tables of docs/fleet-headers.md.
 * All in virtual time; `node studies/fair-share.ts 3` makes 3 seeds do instead of 20.
 */
import Table from 'cli-table3'
import { createRandom, type Random } from '../src/random.ts'
import { type Client, MINUTE_MS, perMinute, refusedPerMinute, type Run, run, STEP_MS, total } from './fleet-run.ts'
import { jain } from './jain.ts'

const SEEDS = Number(process.argv[2] ?? 20)
const MEDIANS_MS = [20, 100, 400]
const MEASURED = { from: 20, to: 40 }
/** One that is alone bursts once in a window: its minutes are counted from its first burst on. */
const FROM_COLD = { from: 0, to: 20 }
const STEPS_PER_MINUTE = MINUTE_MS / STEP_MS

/** When a client comes or goes in the scenarios with a change. */
const CHANGE = 20

await main()

async function main(): Promise<void> {
  console.log(`${SEEDS} seeds, latencies of median ${MEDIANS_MS.join(', ')} ms; mean (worst)`)
  for (const fairShare of [true, false]) await printSteady(fairShare)
  await printNewcomers()
  await printLeavers()
  await printShares()
}

/** Clients that start within a minute of each other. */
function together(count: number, random: Random, more: Client = { fairShare: true }): Client[] {
  return Array.from({ length: count }, () => ({ startMs: random() * MINUTE_MS, ...more }))
}

async function runs(make: (random: Random) => Client[], minutes: number): Promise<Run[]> {
  const done: Run[] = []
  for (const medianMs of MEDIANS_MS) {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      done.push(await run({ clients: make(createRandom(seed * 31)), medianMs, seed, minutes }))
    }
  }
  return done
}

async function printSteady(fairShare: boolean): Promise<void> {
  const rows: (string | number)[][] = []
  for (const clients of [1, 2, 4, 8, 16]) {
    const { from, to } = clients === 1 ? FROM_COLD : MEASURED
    const alone: Client[] = [{ fairShare }]
    const all = await runs((random) => (clients === 1 ? alone : together(clients, random, { fairShare })), to)
    const shares = all.map((each) => perMinute(each, from, to))
    const refused = all.map((each) => refusedPerMinute(each, from, to))
    rows.push([clients, least(shares.map(total), 0), most(refused, 1), least(shares.map(jain), 4)])
  }
  print(['clients', 'served a minute', '429s a minute', 'Jain'], rows, fairShare ? 'fairShare' : 'without')
}

/** Minutes until the newcomer was served 80 % of an equal part in a minute. */
async function printNewcomers(): Promise<void> {
  const rows: (string | number)[][] = []
  for (const fairShare of [true, false]) {
    for (const before of [1, 3, 7]) {
      const make = (random: Random): Client[] => [
        ...together(before, random, { fairShare }),
        { startMs: (CHANGE + random()) * MINUTE_MS, fairShare },
      ]
      const all = await runs(make, CHANGE + 30)
      const joined = all.map((each) =>
        minutesUntil(each, (minute) => minute.at(-1)! >= (0.8 * total(minute)) / (before + 1)),
      )
      const refused = all.map((each) => refusedPerMinute(each, CHANGE, CHANGE + 10) * 10)
      rows.push([fairShare ? 'fairShare' : 'without', before, most(joined, 1), most(refused, 0)])
    }
  }
  print(['', 'clients before', 'minutes until it has 80 %', '429s in 10 minutes'], rows, 'A newcomer')
}

/** Minutes until the others are served 95 % of what they are in the end. */
async function printLeavers(): Promise<void> {
  const rows: (string | number)[][] = []
  for (const clients of [2, 4, 8]) {
    const make = (random: Random): Client[] =>
      together(clients, random).map((each, index) => (index === 0 ? { ...each, untilMs: CHANGE * MINUTE_MS } : each))
    const all = await runs(make, CHANGE + 20)
    const taken = all.map((each) => {
      const end = total(perMinute(each, CHANGE + 10, CHANGE + 20))
      return minutesUntil(each, (minute) => total(minute) - minute[0]! >= 0.95 * end)
    })
    rows.push([
      clients,
      most(taken, 1),
      most(
        all.map((each) => refusedPerMinute(each, CHANGE, CHANGE + 10) * 10),
        0,
      ),
    ])
  }
  print(['clients', 'minutes until the rest have its share', '429s in 10 minutes'], rows, 'One leaves')
}

/** What each has in the end, where clients differ. */
async function printShares(): Promise<void> {
  const fair = { fairShare: true }
  const cases: [name: string, make: (random: Random) => Client[]][] = [
    [
      'wants 20, 100, all, all',
      (random) =>
        [20, 100, 0, 0].map((wants) => ({ ...together(1, random)[0]!, ...(wants > 0 && { perMinute: wants }) })),
    ],
    ['4 with weights from 1 to 5', (random) => together(4, random, { ...fair, maxWeight: 5 })],
    ['1, and 1 without', (random) => [...together(1, random), ...together(1, random, {})]],
    ['3, and 1 without', (random) => [...together(3, random), ...together(1, random, {})]],
    [
      '3, and 1 without that wants 300',
      (random) => [...together(3, random), ...together(1, random, { perMinute: 300 })],
    ],
  ]
  const rows: (string | number)[][] = []
  for (const [name, make] of cases) {
    const all = await runs(make, MEASURED.to)
    const shares = all.map((each) => perMinute(each, MEASURED.from, MEASURED.to))
    const each = shares[0]!
      .map((_, client) =>
        least(
          shares.map((share) => share[client]!),
          0,
        ),
      )
      .join(', ')
    rows.push([
      name,
      each,
      most(
        all.map((one) => refusedPerMinute(one, MEASURED.from, MEASURED.to)),
        1,
      ),
    ])
  }
  print(['clients', 'units a minute of each', '429s a minute'], rows, 'Clients that differ')
}

/** Minutes from the change until a trailing minute fulfils `is`; as long as was looked where none does. */
function minutesUntil({ served }: Run, is: (minute: number[]) => boolean): number {
  const first = CHANGE * STEPS_PER_MINUTE
  const last = served[0]!.length
  for (let step = first + STEPS_PER_MINUTE; step <= last; step += 1) {
    const minute = served.map((steps) => total(steps.slice(step - STEPS_PER_MINUTE, step)))
    if (is(minute)) return (step - first) / STEPS_PER_MINUTE
  }
  return Infinity
}

function least(values: readonly number[], digits: number): string {
  return meanAnd(values, Math.min(...values), digits)
}

function most(values: readonly number[], digits: number): string {
  return meanAnd(values, Math.max(...values), digits)
}

/** Where some never come to it, how many do. */
function meanAnd(values: readonly number[], worst: number, digits: number): string {
  const known = values.filter((value) => value < Infinity)
  const mean = known.length === 0 ? 'never' : (total(known) / known.length).toFixed(digits)
  if (known.length < values.length) return `${mean} (never in ${values.length - known.length} of ${values.length})`
  return `${mean} (${worst.toFixed(digits)})`
}

function print(head: string[], rows: (string | number)[][], title: string): void {
  const table = new Table({ head, style: { head: [], border: [] } })
  table.push(...rows)
  console.log(`\n${title}\n${table.toString()}`)
}
