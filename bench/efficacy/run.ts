import type { Contender } from '../contenders/contender.ts'
import { claimsOf } from './claims.ts'
import { measure, type Played } from './measures.ts'
import { playOmniscient } from './omniscient.ts'
import { type Job, runJobs } from './pool.ts'
import type { Efficacy, EfficacyResult, Timeline } from './result.ts'
import { GRANTED_VIRTUAL_MS, type Run } from './run-one.ts'
import { keyOf, type Scenario } from './scenario.ts'
import { realScenario, scenarios, smokeScenario, timelineScenario } from './scenarios.ts'

export interface EfficacyOptions {
  /** Runs every contender once, for a virtual minute, and throws if one breaks. Default false. */
  smoke?: boolean
  /** Whose requests are told one by one. Default none. */
  timelinesOf?: readonly string[]
  /** Told after each run how many are done. Default: nobody. */
  progress?: (done: number, of: number) => void
}

const SEED = 1
const MINUTE_MS = 60_000
/** Runs beside those that cannot do without real time. */
const REFERENCE = 'headgate'

/** Runs the contenders through all scenarios. In virtual time the same is seen each time. */
export async function runEfficacy(
  contenders: readonly Contender[],
  { smoke = false, timelinesOf = [], progress }: EfficacyOptions = {},
): Promise<Efficacy> {
  const startMs = performance.now()
  const jobs = contenders.flatMap((contender) => jobsOf(contender, contenders, smoke))
  const known = await playAll(jobs)
  const byName = new Map(contenders.map((contender) => [contender.name, contender]))
  const results: EfficacyResult[] = []
  const timelines: Timeline[] = []
  const runs = jobs.reduce((sum, { keys }) => sum + keys.length, 0)
  const take = (job: Job, key: string, run: Run): void => {
    const { scenario, omniscient } = known.get(key) as Known
    const { contender, time } = job
    if (smoke) assertRuns(contender, run)
    const headers = byName.get(contender)?.readsHeaders === true ? scenario.headers : 'either'
    results.push({ contender, time, headers, ...measure(scenario, run, omniscient) })
    if (scenario === timelineScenario && timelinesOf.includes(contender)) timelines.push(timelineOf(job, scenario, run))
    progress?.(results.length, runs)
  }
  // Those against the clock have the machine to themselves.
  for (const kind of ['virtual', 'real']) {
    const ofKind = jobs.filter(({ time }) => time === kind)
    await runJobs(ofKind, take)
  }
  return { ...inOrder(contenders, results, timelines), claims: claimsOf(results), tookMs: performance.now() - startMs }
}

function jobsOf(contender: Contender, all: readonly Contender[], smoke: boolean): Job[] {
  const job = (time: Job['time'], of: readonly Scenario[]): Job => ({
    contender: contender.name,
    time,
    seed: SEED,
    keys: of.map(keyOf),
    grantedVirtualMs: smoke ? MINUTE_MS : GRANTED_VIRTUAL_MS,
  })
  const isReal = contender.time === 'real'
  const inRealTime = isReal || (contender.name === REFERENCE && all.some(({ time }) => time === 'real') && !smoke)
  return [
    ...(isReal ? [] : [job('virtual', smoke ? [smokeScenario] : scenarios.filter((each) => isFor(contender, each)))]),
    ...(inRealTime ? [job('real', [realScenario])] : []),
  ]
}

/** One that does not read rate headers is run once for both, where both are asked for. */
function isFor({ readsHeaders }: Contender, { group, headers }: Scenario): boolean {
  return readsHeaders || group !== 'core' || headers
}

interface Known {
  scenario: Scenario
  omniscient: Played
}

async function playAll(jobs: readonly Job[]): Promise<Map<string, Known>> {
  const wanted = new Set(jobs.flatMap(({ keys }) => keys))
  const known = new Map<string, Known>()
  for (const scenario of [...scenarios, realScenario]) {
    const key = keyOf(scenario)
    if (wanted.has(key)) known.set(key, { scenario, omniscient: await playOmniscient(scenario, SEED) })
  }
  return known
}

function assertRuns(contender: string, { end, calls }: Run): void {
  const served = calls.filter((call) => call.served).length
  const isWell = served > 0 && (end === 'settled' || end === 'virtual-time')
  if (!isWell) throw new Error(`${contender} breaks: ${served} of ${calls.length} calls served, ended by ${end}`)
}

function timelineOf({ contender }: Job, { trip, configured }: Scenario, { counted, calls }: Run): Timeline {
  const { limit = 0, windowMs = 0 } = configured[0] ?? {}
  const startMs = calls[0]?.madeAtMs ?? 0
  return {
    contender,
    latencyMs: trip.medianMs,
    limit,
    windowMs,
    countedAtMs: counted.map(({ atMs }) => atMs - startMs),
    throttled: counted.map(({ throttled }) => throttled),
  }
}

/** Whichever ended first. */
function inOrder(
  contenders: readonly Contender[],
  results: readonly EfficacyResult[],
  timelines: readonly Timeline[],
): Pick<Efficacy, 'results' | 'timelines'> {
  const place = new Map(contenders.map(({ name }, index) => [name, index]))
  const byPlace = (a: { contender: string }, b: { contender: string }): number =>
    Number(place.get(a.contender)) - Number(place.get(b.contender))
  return { results: results.toSorted(byPlace), timelines: timelines.toSorted(byPlace) }
}
