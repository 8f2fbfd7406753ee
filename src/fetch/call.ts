import type { AcquireOptions } from '../gate/acquire.ts'
import type { Clock } from '../gate/clock.ts'
import type { Gate } from '../gate/gate.ts'
import type { Observation } from '../gate/observation.ts'
import type { AttemptKind, AttemptOutcome, Place } from '../events.ts'
import type { RateLimitReader } from '../headers/index.ts'
import type { RetryOptions } from '../retry/policy.ts'
import type { Closing } from './closing.ts'
import type { RequestSource } from './request.ts'

/** A gate and what it is called. */
export interface Post {
  readonly gate: Gate
  readonly place: Place
  /** Reads the responses of this partition. */
  readonly reader: RateLimitReader
}

/** One call on its way to one upstream. */
export interface Call {
  readonly source: RequestSource
  /**
   * The gate of the call's partition; asked for before each attempt, since an idle one may have been let go meanwhile. Undefined
   * where requests pass through untouched.
   */
  readonly post: () => Post | undefined
  readonly acquire: Pick<AcquireOptions, 'weight' | 'priority' | 'maxWaitMs' | 'whenParked'>
  /** False for a call that is never retried. */
  readonly retry: RetryOptions | false
  /** A failed attempt may be made again although it may have been carried out. */
  readonly idempotent: boolean
  /** The permit is held to the end of the body. */
  readonly holdsBody: boolean
  readonly isThrottled: ((response: Response) => boolean | Promise<boolean>) | undefined
  /** The same call on its way to where it was redirected. */
  readonly reroute: (source: RequestSource) => Call
}

/** What all calls of one headgate share. */
export interface Wire {
  /** Whose permits these are. */
  readonly owner: object
  readonly clock: Clock
  readonly fetch: typeof fetch
  readonly closing: Closing
  /** Tells what became of an attempt. */
  readonly tell: (place: Place, attempt: AttemptReport) => void
  /** What this gate was told holds for its whole authority. */
  readonly parkAuthority: (post: Post) => void
}

export interface AttemptReport {
  kind: AttemptKind
  outcome: AttemptOutcome
  status?: number
  durationMs: number
}

/** What became of a call. */
export interface CallReport {
  /** HTTP requests made, the first included. */
  attempts: number
  /** Time spent waiting for permits and between attempts, in milliseconds. */
  waitedMs: number
  /** What the last response said of the limits. */
  observation: Observation
}
