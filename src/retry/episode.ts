import type { Allowance } from '../gate/acquire.ts'
import { backoffCeilingMs, backoffMs } from './backoff.ts'
import { resolveRetry, RETRY_DEFAULTS, type RetryOptions, type RetryPolicy } from './policy.ts'

/** What an attempt came to, as far as another one is concerned. */
export interface Outcome {
  /** Monotonic milliseconds. */
  now: number
  /** In [0, 1), for jitter. */
  random: number
  /** The upstream refused it for its rate. */
  throttled: boolean
  /** Absent for a transport error. */
  status?: number | undefined
  /** The upstream's hint in milliseconds: 0 for a zero or past one, absent for none. */
  retryAfterMs?: number | undefined
}

/** What the call does next: another attempt, no earlier than `afterMs` from now, or none. */
export type Verdict = { retry: true; afterMs: number } | { retry: false }

/** How often a call has tried: all of an episode that outlives its process. */
export interface RetryCounts {
  rateLimited: number
  failed: number
}

const DONE: Verdict = { retry: false }

/**
 * How often and how long one call goes on trying. Rate-limited attempts are bounded by the duration of the episode, and failed
 * ones by their count; neither is charged to the other. For a job that is retried across restarts: `JSON.stringify(episode)` keeps
 * the counts, and `new RetryEpisode(options, counts)` goes on with them and a fresh duration, since the time in which no process ran
 * was not spent on retrying.
 */
export class RetryEpisode {
  readonly #policy: RetryPolicy
  readonly #counts: RetryCounts
  #startedAt: number | undefined

  constructor(options: RetryOptions = RETRY_DEFAULTS, { rateLimited = 0, failed = 0 }: Partial<RetryCounts> = {}) {
    this.#policy = resolveRetry(options)
    this.#counts = { rateLimited, failed }
  }

  /** Since when the call has been held up by a limit, in monotonic milliseconds; undefined where it has not. */
  get startedAt(): number | undefined {
    return this.#startedAt
  }

  /** How long a gate may hold the call up, as its `acquire` takes it. */
  get allowance(): Allowance {
    const { maxDurationMs, whenTooLong } = this.#policy.rateLimited
    return { maxDurationMs, whenTooLong, startedAt: this.#startedAt }
  }

  /** The episode begins, unless it has: the call waits behind a park. */
  begin(now: number): void {
    this.#startedAt ??= now
  }

  /** How long the rate-limited allowance still lasts; all of it before the episode. Milliseconds. */
  remainingMs(now: number): number {
    const { maxDurationMs } = this.#policy.rateLimited
    return this.#startedAt === undefined ? maxDurationMs : Math.max(0, this.#startedAt + maxDurationMs - now)
  }

  /** Charges one attempt to the allowance it belongs to. `idempotent` says whether a failed one may be carried out twice. */
  after(outcome: Outcome, idempotent: boolean): Verdict {
    if (outcome.throttled) return this.#afterRateLimited(outcome)
    if (!this.#isFailure(outcome.status)) return DONE
    if ((outcome.retryAfterMs ?? 0) > 0 && (idempotent || outcome.status === 503))
      return this.#afterRateLimited(outcome)
    return idempotent ? this.#afterFailure(outcome) : DONE
  }

  toJSON(): RetryCounts {
    return { ...this.#counts }
  }

  #afterRateLimited(outcome: Outcome): Verdict {
    const { maxAttempts, whenTooLong } = this.#policy.rateLimited
    this.begin(outcome.now)
    this.#counts.rateLimited += 1
    const remainingMs = this.remainingMs(outcome.now)
    if (this.#counts.rateLimited >= maxAttempts || remainingMs === 0) return DONE
    const afterMs = this.#waitMs(outcome)
    if (afterMs <= remainingMs) return { retry: true, afterMs }
    return whenTooLong === 'return' ? DONE : { retry: true, afterMs: remainingMs }
  }

  /** A hint is waited for as given, up to the cap; a zero one, or none, leaves it to a growing backoff. Jitter only adds. */
  #waitMs({ random, retryAfterMs = 0 }: Outcome): number {
    if (retryAfterMs > 0) return Math.min(retryAfterMs, this.#policy.rateLimited.maxRetryAfterMs)
    return (backoffCeilingMs(this.#policy.failed, this.#counts.rateLimited) * (1 + random)) / 2
  }

  #afterFailure({ random }: Outcome): Verdict {
    this.#counts.failed += 1
    if (this.#counts.failed >= this.#policy.failed.maxAttempts) return DONE
    return { retry: true, afterMs: backoffMs(this.#policy.failed, this.#counts.failed, random) }
  }

  /** A transport error has no status. */
  #isFailure(status: number | undefined): boolean {
    if (status === undefined) return true
    return this.#policy.failed.statuses?.includes(status) ?? (status === 408 || status >= 500)
  }
}
