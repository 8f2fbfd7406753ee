/** What a call may spend on attempts that the upstream throttled. */
export interface RateLimitedAllowance {
  /** How long a call may go on retrying, from its first throttled response. Milliseconds. Default 300 000. */
  maxDurationMs?: number
  /** A backstop far behind the duration. Default 1 000. */
  maxAttempts?: number
  /** A guard against an absurd hint: no single one is waited for longer. It is no second allowance. Milliseconds. Default 300 000. */
  maxRetryAfterMs?: number
  /**
   * What a wait beyond the end of the duration does. `clamp` (default) waits to the end and makes one last attempt there, for
   * which a park is broken at most once, whoever asks; `return` hands back the throttled response at once.
   */
  whenTooLong?: 'clamp' | 'return'
}

/** What a call may spend on attempts that failed otherwise. */
export interface FailedAllowance {
  /** Attempts in all, the first included. Default 5. */
  maxAttempts?: number
  /** Ceiling of the first backoff; it doubles with each failure. Milliseconds. Default 500. */
  baseMs?: number
  /** Highest ceiling. Milliseconds. Default 60 000. */
  maxMs?: number
  /** Methods retried after a failure. Default GET, HEAD, PUT, DELETE, OPTIONS and TRACE: those that RFC 9110 calls idempotent. */
  methods?: readonly string[]
  /** Statuses that count as a failure. Default 408 and all from 500. */
  statuses?: readonly number[]
}

/** Two separate allowances: an attempt that was throttled is never charged to the second. */
export interface RetryOptions {
  rateLimited?: RateLimitedAllowance
  failed?: FailedAllowance
}

/** A policy with defaults filled in. */
export interface RetryPolicy {
  rateLimited: Required<RateLimitedAllowance>
  failed: Required<Omit<FailedAllowance, 'statuses'>> & Pick<FailedAllowance, 'statuses'>
}

export const RETRY_DEFAULTS: RetryPolicy = {
  rateLimited: { maxDurationMs: 300_000, maxAttempts: 1_000, maxRetryAfterMs: 300_000, whenTooLong: 'clamp' },
  failed: {
    maxAttempts: 5,
    baseMs: 500,
    maxMs: 60_000,
    methods: ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'],
  },
}

/** Fills in defaults. */
export function resolveRetry(options: RetryOptions = RETRY_DEFAULTS): RetryPolicy {
  if (options === RETRY_DEFAULTS) return RETRY_DEFAULTS
  return {
    rateLimited: fill(RETRY_DEFAULTS.rateLimited, options.rateLimited),
    failed: fill<RetryPolicy['failed']>(RETRY_DEFAULTS.failed, options.failed),
  }
}

/** An option that is there and undefined is left out: as a bound it would never be reached. */
function fill<T extends object>(defaults: T, given: Partial<T> = {}): T {
  const stated = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...defaults, ...(Object.fromEntries(stated) as Partial<T>) }
}
