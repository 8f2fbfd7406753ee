/**
 * What each rule of `fairShare` is for: the figures without it. Each gate is compiled from the source with one rule taken out. All in virtual
 * time; the second table of docs/fleet-headers.md.
 */
import Table from 'cli-table3'
import { createRandom } from '../src/random.ts'
import { jain } from './jain.ts'
import { type Rule, without } from '../test/support/without.ts'
import { MINUTE_MS, perMinute, refusedPerMinute, run, total } from './fleet-run.ts'

const SEEDS = 5
const MEDIANS_MS = [20, 100, 400]

/** The newcomer of the last column comes then, and is looked at in the tenth minute after that. */
const JOINS = 20

const rule = (snippet: string, instead: string): Rule => ({ file: 'fair-share.ts', snippet, instead })

const CASES: Record<string, Rule> = {
  'as it is': rule('GROWTH = 0.4', 'GROWTH = 0.4'),
  'no spacing of sends': rule('this.#nextAt = Math.max', 'void Math.max'),
  'own weight beyond the share': rule('const excess = this.#excessOf(weight)', 'const excess = 0'),
  'nothing left free': rule('SPARE_PART = 0.02', 'SPARE_PART = 0'),
  'no look at a stale reading': rule('if (!idle) return at', 'if (this !== undefined) return at'),
  'what is still to be sent not counted': rule('used + this.#share - held', 'used'),
  'contested for one window': rule('CONTESTED_WINDOWS = 2', 'CONTESTED_WINDOWS = 1'),
  'half the growth and half the loss': rule('this.#share + step * (GROWTH', 'this.#share + 0.5 * step * (GROWTH'),
}

await main()

async function main(): Promise<void> {
  const head = ['', '4: served', '429s', 'Jain', '8: served', '429s', 'Jain', '16: served', '429s', 'Jain', 'newcomer']
  const table = new Table({ head, style: { head: [], border: [] } })
  for (const [name, removed] of Object.entries(CASES)) table.push([name, ...(await figuresOf(removed))])
  console.log(table.toString())
}

/** Served, 429s and Jain's index for 4, 8 and 16 clients, the worst of all runs, and what a newcomer to 3 has of an equal part. */
async function figuresOf(removed: Rule): Promise<string[]> {
  const { Gate } = await without(removed)
  const figures: string[] = []
  for (const clients of [4, 8, 16]) {
    const runs = await all((random) => startsOf(clients, random), Gate)
    const shares = runs.map((each) => perMinute(each, 20, 40))
    figures.push(Math.min(...shares.map(total)).toFixed(0))
    figures.push(Math.max(...runs.map((each) => refusedPerMinute(each, 20, 40))).toFixed(1))
    figures.push(Math.min(...shares.map(jain)).toFixed(3))
  }
  const joined = await all((random) => [...startsOf(3, random), (JOINS + random()) * MINUTE_MS], Gate)
  const parts = joined.map((each) => {
    const shares = perMinute(each, JOINS + 9, JOINS + 10)
    return (shares.at(-1)! * shares.length) / total(shares)
  })
  return [...figures, `${(Math.min(...parts) * 100).toFixed(0)} %`]
}

function startsOf(clients: number, random: () => number): number[] {
  return Array.from({ length: clients }, () => random() * MINUTE_MS)
}

async function all(
  startsMs: (random: () => number) => number[],
  GateClass: Awaited<ReturnType<typeof without>>['Gate'],
) {
  const runs = MEDIANS_MS.flatMap((medianMs) =>
    Array.from({ length: SEEDS }, (_, seed) => {
      const clients = startsMs(createRandom(seed * 31 + 7)).map((startMs) => ({ startMs, fairShare: true }))
      return () => run({ clients, medianMs, seed: seed + 1, minutes: 40, GateClass })
    }),
  )
  const done = []
  for (const each of runs) done.push(await each())
  return done
}
