import type { Reading } from '../gate/observation.ts'
import type { LimitHeaders } from './counts.ts'
import { ownOf } from './own.ts'
import type { WaitUnit } from './waits.ts'

/** The request that a bucket is told for. */
export interface BucketRequest {
  method: string
  /** Path of the URL, without the query. */
  path: string
}

/** What an upstream's headers do not say of themselves. Every field may be left out; what headers do say goes first. */
export interface Dialect {
  /** Limits told in headers that are not read anyway. */
  limits?: readonly LimitHeaders[]
  /** Length of the window in milliseconds: of every limit, or by its name, `''` for one without. */
  windowMs?: number | Readonly<Record<string, number>>
  /** `fixed`: all units come back at the reset. Default: each comes back a window after it was spent. */
  kind?: 'rolling' | 'fixed'
  /** Units allowed, where only those left or used are told: of every limit, or by its name. */
  limit?: number | Readonly<Record<string, number>>
  /** What is counted, by the name of the limit. Default: requests, or what the names of the headers say. */
  units?: Readonly<Record<string, string>>
  /** What a bare number in a reset counts. Default: seconds, until two readings show that it is milliseconds. */
  resetUnit?: WaitUnit
  /** What a bare number in `Retry-After` counts. Default: seconds. */
  retryAfterUnit?: WaitUnit
  /**
   * Statuses that throttle, besides 429 and a 503 that asks to wait: `always`, or `when-told`, where the response asks to wait or says that
   * nothing is left.
   */
  throttles?: Readonly<Record<number, 'always' | 'when-told'>>
  /** Headers that tell what the request has cost, by unit. */
  cost?: Readonly<Record<string, string>>
  /** Which of several budgets a request counts against, where its path decides that: each has a gate of its own. */
  bucket?: (request: BucketRequest) => string
}

/** Resets are told in whole seconds. */
const SLACK_MS = 2_000

/** A reading with what the dialect knows of it. */
export function complete(reading: Reading, { windowMs, kind, limit, units }: Dialect): Reading {
  const { name = '' } = reading
  const unit = reading.unit ?? (units && ownOf(units, name))
  const length = reading.windowMs ?? windowFor(reading, byName(windowMs, name))
  const allowed = reading.limit ?? byName(limit, name)
  const kindOf = reading.kind ?? kind
  return {
    ...reading,
    ...(allowed !== undefined && { limit: allowed }),
    ...(length !== undefined && { windowMs: length }),
    ...(kindOf !== undefined && { kind: kindOf }),
    ...(unit !== undefined && unit !== 'requests' && { unit }),
  }
}

/** Whether a response refuses the attempt for its rate. */
export function isThrottled(
  status: number | undefined,
  retryAfterMs: number | undefined,
  limits: readonly Reading[],
  { throttles }: Dialect,
): boolean {
  if (status === undefined) return false
  const told = (retryAfterMs ?? 0) > 0
  const rule = throttles?.[status]
  if (status === 429 || rule === 'always' || (status === 503 && told)) return true
  return rule === 'when-told' && (told || limits.some(isUsedUp))
}

/** A reset beyond its end shows that the window is another one: some endpoints have limits of their own. */
function windowFor({ resetInMs = 0 }: Reading, windowMs: number | undefined): number | undefined {
  return resetInMs <= (windowMs ?? 0) + SLACK_MS ? windowMs : undefined
}

/** What is not told compares with nothing. */
function isUsedUp({ limit, remaining, used }: Reading): boolean {
  if (remaining !== undefined) return remaining <= 0
  return (used ?? NaN) >= (limit ?? NaN)
}

function byName(value: number | Readonly<Record<string, number>> | undefined, name: string): number | undefined {
  return typeof value === 'object' ? ownOf(value, name) : value
}
