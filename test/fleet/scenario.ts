import { SHARED_DEFAULTS } from '../../src/shared/index.ts'
import { Fleet, type FleetOptions } from './fleet.ts'
import { LIMIT, type MemberReport } from './messages.ts'
import type { Upstream } from './upstream.ts'
import { wait } from './wait.ts'

const SIZE = 6
const MAX_WAIT_MS = 1_000

/** Until everybody has been let in and the first window has passed. */
const WARM_UP_MS = 2_000
const BEFORE_MS = 700

/** What is charged when a fault ends shows within two windows. */
const AFTER_MS = 2_200

/** One row of the table: a fleet, what is offered to it, and what happens to it meanwhile. */
export interface Row {
  name: string
  callsPerS: number
  shared?: FleetOptions['shared']
  /** What has to be there before members begin. */
  prepare?: (fleet: Fleet) => Promise<void>
  /** Resolves when the fault is over. Absent for a row without one. */
  fault?: (fleet: Fleet) => Promise<void>
  /** Members do without the engine while it lasts. */
  engineAway?: boolean
}

/** What became of it. */
export interface Result {
  servedPerS: number
  servedPerSInFault: number | undefined
  /** Arrivals at the upstream beyond its limit, from the first one on. */
  over: number
  /** Those among the attempts that were no longer on the wire than the fleet had been told: only a fault of the fleet can be why. */
  overInTime: number
  /** Most arrivals in any window. */
  peak: number
  refused: number
  faultsSeen: Record<string, number>
  sentWithoutEngine: number
  engineCallsPerS: number
  callsPerRequest: number
  engineCallsMs: number[]
  /** How long the slowest attempt took from its sending to its arrival, in ms. */
  longestTransitMs: number
}

/** How long a row without a fault is measured. */
const UNDISTURBED_MS = 6_000

/** Plays one row. `inspect` is called while the fleet still runs. */
export async function play(row: Row, inspect?: (fleet: Fleet) => Promise<void>): Promise<Result> {
  const { callsPerS, shared = {}, prepare, fault } = row
  const { transitMs = SHARED_DEFAULTS.transitMs } = shared
  const fleet = await Fleet.start({ size: SIZE, callsPerS, shared, maxWaitMs: MAX_WAIT_MS })
  try {
    await prepare?.(fleet)
    fleet.order('begin')
    await wait(WARM_UP_MS)
    fleet.order('count')
    const from = performance.now()
    const duringFault = fault ? await suffer(fleet, fault) : await undisturbed()
    const until = performance.now()
    await inspect?.(fleet)
    return resultOf(fleet, await fleet.reports(), { from, until, duringFault, transitMs })
  } finally {
    await fleet.stop()
  }
}

/**
 * Plays a row again, a few times at most, while the machine was too busy for its result to say anything of the fleet: all that
 * overshot was long on the wire, or not enough was done in the time. What overshot in time counts from every play.
 */
export async function playQuietly(row: Row, { plays = 3, inspect, isEnough }: QuietOptions = {}): Promise<Result> {
  const result = await play(row, inspect)
  const wasBusy = result.over > 0 || isEnough?.(result) === false
  if (result.overInTime > 0 || !wasBusy || plays === 1) return result
  return playQuietly(row, { plays: plays - 1, ...(inspect && { inspect }), ...(isEnough && { isEnough }) })
}

interface QuietOptions {
  plays?: number
  inspect?: (fleet: Fleet) => Promise<void>
  /** Whether as much was done as on a machine that has the time for it. */
  isEnough?: (result: Result) => boolean
}

async function undisturbed(): Promise<undefined> {
  await wait(UNDISTURBED_MS)
}

/** Resolves to what was served a second while the fault lasted. */
async function suffer(fleet: Fleet, fault: (fleet: Fleet) => Promise<void>): Promise<number> {
  await wait(BEFORE_MS)
  const from = performance.now()
  await fault(fleet)
  const until = performance.now()
  await wait(AFTER_MS)
  return perSecond(fleet.upstream.served(from, until), until - from)
}

interface Measured {
  from: number
  until: number
  duringFault: number | undefined
  transitMs: number
}

function resultOf(
  { upstream }: Fleet,
  reports: readonly MemberReport[],
  { from, until, duringFault, transitMs }: Measured,
): Result {
  const engineCallsMs = reports.flatMap((report) => report.engineCallsMs)
  const served = upstream.served(from, until)
  const longestTransitMs = upstream.arrivals.reduce((most, arrival) => Math.max(most, arrival.transitMs), 0)
  return {
    servedPerS: servedPerS(upstream, from, until),
    servedPerSInFault: duringFault,
    over: upstream.over(),
    overInTime: upstream.overWithin(transitMs / 2),
    peak: upstream.arrivals.reduce((most, { inWindow }) => Math.max(most, inWindow), 0),
    refused: sum(reports.flatMap(({ refused }) => Object.values(refused))),
    faultsSeen: added(reports.map(({ faults }) => faults)),
    sentWithoutEngine: sum(reports.map(({ sentWithoutEngine }) => sentWithoutEngine)),
    engineCallsPerS: perSecond(engineCallsMs.length, until - from),
    callsPerRequest: engineCallsMs.length / served,
    engineCallsMs,
    longestTransitMs,
  }
}

/** On average over the phases of a window, since a budget is spent in bursts. */
function servedPerS(upstream: Upstream, from: number, until: number): number {
  const phases = Array.from({ length: 50 }, (_, index) => (LIMIT.windowMs * index) / 50)
  const overMs = until - from - LIMIT.windowMs
  return sum(phases.map((phase) => perSecond(upstream.served(from + phase, from + phase + overMs), overMs))) / 50
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function added(counts: readonly Record<string, number>[]): Record<string, number> {
  const total: Record<string, number> = {}
  for (const each of counts) for (const [kind, count] of Object.entries(each)) total[kind] = (total[kind] ?? 0) + count
  return total
}

function perSecond(count: number, overMs: number): number {
  return (count / overMs) * 1_000
}
