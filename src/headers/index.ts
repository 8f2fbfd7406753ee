import type { Observation, Reading } from '../gate/observation.ts'
import { readDate } from './dates.ts'
import { type Fields, fieldsOf, type HeaderSource } from './fields.ts'
import { readLimits } from './limits.ts'
import { readInteger } from './numbers.ts'
import { readRetryAfter } from './retry-after.ts'

export type { HeaderGetter, HeaderSource } from './fields.ts'

export interface ReadRateLimitOptions {
  /** The response's status. Default: unknown, which is neither a refusal nor a status that says nothing. */
  status?: number | undefined
  /**
   * The client's time in milliseconds since the Unix epoch, to read dates against where the response has no readable
   * `Date` of its own. Default: unknown; then such dates are taken for absent.
   */
  nowMs?: number | undefined
}

/**
 * What a response says about its client's rate limits. Headers are untrusted: never throws, never gives NaN or an
 * infinity, and does bounded work. A field that is not stated, or is malformed, is absent.
 *
 * - `limits` is empty where the response says nothing about this client: 401, 304, or served from a cache (`Age` above
 *   0)
 * - `throttled`: 429, and 503 that asks to wait for more than 0 ms
 * - `scope`: `authority` where `x-ratelimit-global` is `true` or `x-ratelimit-scope` is `global`
 * - dates are read against the response's own `Date`, so that the difference between the two clocks cancels
 */
export function readRateLimit(headers: HeaderSource, { status, nowMs }: ReadRateLimitOptions = {}): Observation {
  const fields = fieldsOf(headers)
  const context = { nowMs: responseTime(fields, nowMs) }
  const retryAfterMs = readRetryAfter(fields, context.nowMs)
  const limits: readonly Reading[] = concernsClient(fields, status) ? readLimits(fields, context) : []
  const throttled = status === 429 || (status === 503 && (retryAfterMs ?? 0) > 0)
  return { limits, ...(retryAfterMs !== undefined && { retryAfterMs }), throttled, scope: scopeOf(fields) }
}

function responseTime(fields: Fields, clientMs: number | undefined): number | undefined {
  const nowMs = Number.isFinite(clientMs) ? clientMs : undefined
  return readDate(fields.get('date') ?? '', nowMs) ?? nowMs
}

/** Discord says so of the limit that holds for all routes together. */
function scopeOf(fields: Fields): Observation['scope'] {
  const global = fields.get('x-ratelimit-global') === 'true' || fields.get('x-ratelimit-scope') === 'global'
  return global ? 'authority' : 'partition'
}

/**
 * RFC 9111 section 5.1: a cache adds `Age`. A 401 was counted for nobody, and a 304 may not have been counted at all.
 */
function concernsClient(fields: Fields, status: number | undefined): boolean {
  return status !== 401 && status !== 304 && (readInteger(fields.get('age') ?? '') ?? 0) === 0
}
