import { quantile } from 'simple-statistics'
import { jain } from '../../studies/jain.ts'
import type { EfficacyResult, Spread } from './result.ts'
import type { Answered, Run } from './run-one.ts'
import type { Call } from './play.ts'
import type { Scenario } from './scenario.ts'

/** A run's calls, and the attempts that served them. */
export interface Played {
  calls: readonly Call[]
  answered: readonly Answered[]
}

type Measured = Omit<EfficacyResult, 'contender' | 'time' | 'headers'>

/** What a run came to, beside what the scheduler that knows came to. */
export function measure(scenario: Scenario, run: Run, omniscient: Played): Measured {
  const { id, title, group, trip } = scenario
  const { calls, report, end } = run
  const asked = omniscient.calls.length
  const served = calls.filter((call) => call.served).length
  return {
    scenario: id,
    title,
    group,
    latencyMs: trip.medianMs,
    ...(end !== 'settled' && { cutBy: end }),
    calls: asked,
    served,
    failed: asked - served,
    attempts: report.requests,
    throttled: report.throttled,
    busiestWindow: report.busiestWindow,
    share: shareOfCeiling(calls, omniscient.calls),
    omniscientWaitMs: spread(waitsOf(omniscient).map(Number)),
    ...(served > 0 && measureServed(scenario, run)),
    ...(group === 'waits' && { allowedWaitMs: quantile(allowedWaits(scenario, omniscient), 0.99) }),
  }
}

function measureServed(
  { load }: Scenario,
  run: Run,
): Pick<EfficacyResult, 'attemptsPerServed' | 'waitMs' | 'fairness'> {
  const waits = waitsOf(run).filter((wait) => wait !== undefined)
  return {
    attemptsPerServed: run.report.requests / waits.length,
    waitMs: spread(waits),
    ...(load.kind === 'workers' && { fairness: jain(servedByCaller(run.calls)) }),
  }
}

/**
 * How long each call waited to be sent, in the order of the calls; undefined for those not served. Calls end as their attempts are answered:
 * the first answered served the first that ended, and so on.
 */
export function waitsOf({ calls, answered }: Played): (number | undefined)[] {
  const served = calls.filter((call) => call.served)
  if (served.length > answered.length) throw new Error(`${served.length} calls served by ${answered.length} answers`)
  const byEnd = served.toSorted((a, b) => Number(a.endedAtMs) - Number(b.endedAtMs))
  const byAnswer = answered.toSorted((a, b) => a.answeredAtMs - b.answeredAtMs)
  const sentAtMs = new Map(byEnd.map((call, index) => [call, (byAnswer[index] as Answered).sentAtMs]))
  return calls.map((call) => {
    const sent = sentAtMs.get(call)
    return sent === undefined ? undefined : sent - call.madeAtMs
  })
}

export function shareOfCeiling(own: readonly Call[], omniscient: readonly Call[]): number {
  const best = timesByBurst(omniscient)
  const times = timesByBurst(own)
  let ownMs = 0
  let bestMs = 0
  for (const [burst, ms] of best) {
    bestMs += ms
    ownMs += Math.max(ms, times.get(burst) ?? 0)
  }
  const inBursts = (calls: readonly Call[]): number => calls.filter((call) => call.burst !== undefined).length
  const served = own.filter((call) => call.served && call.burst !== undefined).length
  return (served / inBursts(omniscient)) * (bestMs / ownMs)
}

/** From the first call of each burst to the last end of those served. */
function timesByBurst(calls: readonly Call[]): Map<number, number> {
  const times = new Map<number, number>()
  const starts = new Map<number, number>()
  for (const { burst, madeAtMs, endedAtMs, served } of calls) {
    if (burst === undefined) continue
    const startMs = starts.get(burst) ?? madeAtMs
    starts.set(burst, startMs)
    if (served) times.set(burst, Math.max(times.get(burst) ?? 0, Number(endedAtMs) - startMs))
  }
  return times
}

/**
 * What each call may wait where latency is constant: what it waits with the scheduler that knows, one latency for each full window since the
 * busy period began (the rule holds a slot for a window and a latency), and one of cold start. A busy period begins with a call that need
 * not wait.
 */
export function allowedWaits({ trip, configured }: Scenario, omniscient: Played): number[] {
  const { windowMs = Infinity } = configured[0] ?? {}
  let busySinceMs = 0
  return waitsOf(omniscient).map((wait = 0, index) => {
    const { madeAtMs } = omniscient.calls[index] as Call
    if (wait === 0) busySinceMs = madeAtMs
    const fullWindows = Math.floor((madeAtMs + wait - busySinceMs) / windowMs)
    return wait + trip.medianMs * (fullWindows + 1)
  })
}

function servedByCaller(calls: readonly Call[]): number[] {
  const counts = new Map<number, number>()
  for (const { caller, served } of calls) counts.set(caller, (counts.get(caller) ?? 0) + Number(served))
  return [...counts.values()]
}

function spread(values: number[]): Spread {
  return { p50: quantile(values, 0.5), p99: quantile(values, 0.99), max: quantile(values, 1) }
}
