import { assertValid } from '../gate/check.ts'
import { assertWait, checkFleet, type FleetOptions, MOST_SIMULATED, mostWaitMs } from './options.ts'
import { erlangB } from './rolling.ts'
import { smallest } from './search.ts'
import { refusedOfWaiting, type RefusedShare } from './waiting.ts'

/** What each way to share one limit between the processes of a fleet gives. All of them limit any trailing window. */
export interface FleetPlan {
  /** One gate that every call goes through. */
  oneLimiter: SharingPlan
  /** A gate in each process, with `limit / processes`, rounded down. */
  staticShares: SharingPlan
  /** One window that the processes share through an engine. */
  sharedWindow: SharingPlan
}

/** What one way to share gives. */
export interface SharingPlan {
  /** What each limiter allows per window. */
  limit: number
  /** Calls offered to a limiter for each that it can let in. Above 1 calls fail however long they wait. `Infinity` where its limit is 0. */
  load: number
  /** Where calls do not wait. Computed. */
  withoutWaiting: FleetOutcome
  /** Where calls wait up to `maxWaitMs`. Simulated, as by `waitingRejections`. */
  withWaiting: FleetOutcome
  /** What to set, to have no more than the target fail. Only where a `target` is given. */
  forTarget?: TargetPlan
}

/** What becomes of the calls of the whole fleet. */
export interface FleetOutcome {
  /** Attempts per window that are refused. */
  rejections: number
  /** The share of calls of which every attempt is refused. From 0 to 1. */
  failing: number
  /** Standard error of `failing`. 0 where it is computed. */
  standardError: number
}

/** Either of these keeps the share of failing calls at the target. */
export interface TargetPlan {
  /** The shortest wait that does it with the limit as it is, in whole ms. Absent where ten windows are not enough. */
  maxWaitMs?: number
  /** The smallest limit of each limiter that does it with the wait as it is. Absent where 100 000 are not enough. */
  limit?: number
}

/**
 * How many calls of a fleet are refused, by the way that its processes share one limit, and what to set instead. Calls arrive as a Poisson
 * stream. A call that is refused makes its other attempts at once, and those meet the same full window: they are refused, too, and
 * `attempts` multiplies rejections, not failing calls.
 *
 * Takes some 30 ms, with a `target` about a second, at limits above 10 000 some seconds. Throws a `ConfigError` for options out of range.
 */
export function planFleet(options: FleetOptions): FleetPlan {
  assertValid(checkFleet, options, '')
  const { rate, limit, processes, windowMs = 1_000, latencyMs = 0, transitMs = 100 } = options
  const { maxWaitMs = Math.min(250, mostWaitMs(windowMs)) } = options
  assertWait(maxWaitMs, windowMs)
  const asked = { ...options, maxWaitMs, windowMs }
  const whole = { rate, limit }
  const share = { rate: rate / processes, limit: Math.floor(limit / processes) }
  return {
    oneLimiter: planOf({ ...whole, heldMs: windowMs + latencyMs }, asked),
    staticShares: planOf({ ...share, heldMs: windowMs + latencyMs }, asked),
    sharedWindow: planOf({ ...whole, heldMs: windowMs + transitMs }, asked),
  }
}

interface Limiter {
  /** Calls per window offered to it. */
  rate: number
  limit: number
  /** How long it holds a call that it lets in, in ms. */
  heldMs: number
}

type Asked = FleetOptions & Required<Pick<FleetOptions, 'maxWaitMs' | 'windowMs'>>

function planOf(limiter: Limiter, asked: Asked): SharingPlan {
  const { limit } = limiter
  const offered = offeredTo(limiter, asked)
  const plan = {
    limit,
    load: offered === 0 ? 0 : offered / limit,
    withoutWaiting: outcomeOf({ share: erlangB(limit, offered), standardError: 0 }, asked),
    withWaiting: outcomeOf(refusedWithin(asked.maxWaitMs, limiter, asked), asked),
  }
  return asked.target === undefined ? plan : { ...plan, forTarget: searchFor(asked.target, limiter, asked) }
}

/** Calls that arrive while one is held. */
function offeredTo({ rate, heldMs }: Limiter, { windowMs }: Asked): number {
  return (rate * heldMs) / windowMs
}

function refusedWithin(maxWaitMs: number, limiter: Limiter, asked: Asked): RefusedShare {
  const { limit, heldMs } = limiter
  return refusedOfWaiting({ rate: offeredTo(limiter, asked), limit, maxWait: maxWaitMs / heldMs })
}

function outcomeOf(refused: RefusedShare, { rate, attempts = 1 }: Asked): FleetOutcome {
  const { share: failing, standardError } = refused
  return { rejections: rate * failing * attempts, failing, standardError }
}

function searchFor(target: number, limiter: Limiter, asked: Asked): TargetPlan {
  const isEnough = (waitMs: number, limit: number): boolean =>
    refusedWithin(waitMs, { ...limiter, limit }, asked).share <= target
  const maxWaitMs = smallest(Math.floor(mostWaitMs(asked.windowMs)), (waitMs) => isEnough(waitMs, limiter.limit))
  const limit = smallest(MOST_SIMULATED, (each) => isEnough(asked.maxWaitMs, each))
  return { ...(maxWaitMs !== undefined && { maxWaitMs }), ...(limit !== undefined && { limit }) }
}
