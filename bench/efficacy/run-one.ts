import { createUpstream, systemClock, type Upstream, type UpstreamReport } from '../built.ts'
import type { Contender } from '../contenders/contender.ts'
import type { End, FakedTime } from './faked-time.ts'
import { type Call, play } from './play.ts'
import type { Scenario } from './scenario.ts'
import { tripLatency } from './trip.ts'

/** An attempt that was answered with a 2xx. */
export interface Answered {
  sentAtMs: number
  answeredAtMs: number
}

/** What happened in one run, before anything is made of it. */
export interface Run {
  end: End
  calls: Call[]
  answered: Answered[]
  report: UpstreamReport
  /** When each own request was counted, and whether a limit refused it. */
  counted: { atMs: number; throttled: boolean }[]
}

/** How much virtual time a run may take, and how much of the processor's, against clients that never rest. */
export const GRANTED_VIRTUAL_MS = 3_600_000
const GRANTED_CPU_MS = 30_000

const URL = 'https://upstream.test/v1/things'

/** Plays one scenario with one contender under faked time. */
export async function runOne(
  contender: Contender,
  scenario: Scenario,
  { time, seed, virtualMs }: { time: FakedTime; seed: number; virtualMs: number },
): Promise<Run> {
  time.restart(seed)
  const upstream = createScenarioUpstream(scenario, seed)
  const { configured: limits, headers: headersStated } = scenario
  const client = await contender.create({ limits, fetch: upstream.fetch, url: URL, headersStated })
  const calls: Call[] = []
  const end = await time.runUntil(play(scenario.load, client, systemClock, seed, calls), {
    virtualMs,
    cpuMs: GRANTED_CPU_MS,
  })
  return { end, calls, ...recordOf(upstream) }
}

/** It states its limits as Discord does, which all contenders that read rate headers understand, and on 429s `Retry-After` either way. */
export function createScenarioUpstream({ upstream, trip, headers }: Scenario, seed: number): Upstream {
  return createUpstream({
    ...upstream,
    headers: headers ? 'discord' : 'none',
    retryAfter: 'seconds',
    latency: tripLatency(trip),
    seed,
  })
}

export function recordOf(upstream: Upstream): Pick<Run, 'answered' | 'report' | 'counted'> {
  const answered: Answered[] = []
  for (const { status = 0, sentAtMs, answeredAtMs } of upstream.log) {
    if (status >= 200 && status < 300 && answeredAtMs !== undefined) answered.push({ sentAtMs, answeredAtMs })
  }
  const counted = upstream.log.map(({ countedAtMs, status }) => ({ atMs: countedAtMs, throttled: status === 429 }))
  return { answered, counted, report: upstream.report() }
}
