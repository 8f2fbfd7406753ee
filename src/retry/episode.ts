import { backoffCeilingMs, backoffMs } from './backoff.ts'
import type { RetryPolicy } from './policy.ts'

/** What an attempt came to, as far as another one is concerned. */
export interface Outcome {
  /** Monotonic milliseconds. */
  now: number
  /** In [0, 1), for the backoff. */
  random: number
  /** The upstream refused it for its rate. */
  throttled: boolean
  /** Absent for a transport error. */
  status?: number | undefined
  /** The upstream's hint: 0 for a zero or past one, absent for none. */
  retryAfterMs?: number | undefined
}

/** What the call does next. */
export type Verdict = { retry: true; afterMs: number } | { retry: false }

const DONE: Verdict = { retry: false }

/**
 * How often and how long one call goes on trying. Rate-limited attempts are bounded by the duration of the episode, which begins
 * with the first of them, and failed ones by their count.
 */
export class RetryEpisode {
  readonly #policy: RetryPolicy
  #rateLimited = 0
  #failed = 0
  #startedAt: number | undefined

  constructor(policy: RetryPolicy) {
    this.#policy = policy
  }

  /** How long the rate-limited allowance still lasts; all of it while nothing was throttled. Milliseconds. */
  remainingMs(now: number): number {
    const { maxDurationMs } = this.#policy.rateLimited
    return this.#startedAt === undefined ? maxDurationMs : Math.max(0, this.#startedAt + maxDurationMs - now)
  }

  /** Charges one attempt to the allowance it belongs to. `idempotent` says whether a failed one may have been carried out twice. */
  after(outcome: Outcome, idempotent: boolean): Verdict {
    const { throttled, retryAfterMs } = outcome
    const failed = this.#failedWith(outcome.status)
    if (throttled || (failed && (retryAfterMs ?? 0) > 0 && this.#mayRepeat(outcome, idempotent))) {
      return this.#afterRateLimited(outcome)
    }
    return failed && idempotent ? this.#afterFailure(outcome) : DONE
  }

  #afterRateLimited({ now, random, retryAfterMs = 0 }: Outcome): Verdict {
    const { maxAttempts, maxRetryAfterMs } = this.#policy.rateLimited
    this.#startedAt ??= now
    this.#rateLimited += 1
    if (this.#rateLimited >= maxAttempts || retryAfterMs > maxRetryAfterMs) return DONE
    const ceilingMs = backoffCeilingMs(this.#policy.failed, this.#rateLimited)
    const afterMs = retryAfterMs > 0 ? retryAfterMs : ceilingMs * (1 + random) * 0.5
    return afterMs > this.remainingMs(now) ? DONE : { retry: true, afterMs }
  }

  #afterFailure({ random }: Outcome): Verdict {
    this.#failed += 1
    if (this.#failed >= this.#policy.failed.maxAttempts) return DONE
    return { retry: true, afterMs: backoffMs(this.#policy.failed, this.#failed, random) }
  }

  /** A transport error has no status. */
  #failedWith(status: number | undefined): boolean {
    if (status === undefined) return true
    return this.#policy.failed.statuses?.includes(status) ?? (status === 408 || status >= 500)
  }

  /** 503 with a hint did no work, whatever the method. */
  #mayRepeat({ status }: Outcome, idempotent: boolean): boolean {
    return idempotent || status === 503
  }
}
