import { checkDialect } from './check-dialect.ts'
import * as check from './gate/check.ts'
import type { Observation } from './gate/observation.ts'
import { type HeaderSource, readRateLimit as read, type ReadRateLimitOptions } from './headers/index.ts'

/**
 * What a response says about its client's rate limits, on its own: see `Observation`. Headers are untrusted: never gives NaN or an
 * infinity, does bounded work, and throws a `ConfigError` only for a `dialect` that is none. A field that is not stated, or is malformed, is
 * absent.
 *
 * - `limits` is empty where the response says nothing about this client: 401, 304, or served from a cache (`Age` above 0)
 * - `throttled`: 429, 503 that asks to wait for more than 0 ms, and what the dialect says
 * - `scope`: `authority` where `x-ratelimit-global` is `true` or `x-ratelimit-scope` is `global`
 * - dates are read against the response's own `Date`, so that the difference between the two clocks cancels
 */
export function readRateLimit(headers: HeaderSource, options: ReadRateLimitOptions = {}): Observation {
  if (options.dialect !== undefined) check.assertValid(checkDialect, options.dialect, 'dialect')
  return read(headers, options)
}
