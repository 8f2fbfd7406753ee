import type { Signal } from '../gate/abort.ts'
import type { AcquireOptions } from '../gate/acquire.ts'
import type { Clock } from '../gate/clock.ts'
import type { Gate } from '../gate/gate.ts'
import type { Observation } from '../gate/observation.ts'
import type { Permit } from '../gate/permit.ts'
import type { AttemptKind, AttemptOutcome, Place } from '../events.ts'
import type { HeaderSource, RateLimitReader } from '../headers/index.ts'
import type { RetryOptions } from '../retry/policy.ts'
import type { Closing } from './closing.ts'

/** A gate and what it is called. */
export interface Post {
  readonly gate: Gate
  readonly place: Place
  /** Reads the responses of this partition. */
  readonly reader: RateLimitReader
}

/** What comes back of an attempt, whoever makes it. */
export interface Reply {
  readonly status: number
  readonly headers: HeaderSource
}

/** A reply that may yet be its caller's, without the connection that it came on. */
export interface Kept<R> {
  /** It is not needed any more. */
  drop(): void
  handBack(): Promise<R>
}

/** One call's request, and how an attempt at it is made: by fetch, or by a dispatcher. */
export interface Exchange<R extends Reply> {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  readonly signal: Signal | undefined
  /** Whether another attempt can send the same body. */
  readonly replayable: boolean
  /** Whether an attempt says itself when it goes on a connection. */
  readonly startsLater: boolean
  /** Makes one attempt, and starts its permit as it goes on a connection. Rejects where there is no reply. */
  send(owner: object, permit: Pick<Permit, 'start'> | undefined): Promise<R>
  /** Whether `error` says that no request can be made of this: another attempt would fail the same way. */
  isRefusedWith(error: unknown): boolean
  /** Lets the connection of a reply that nobody will read go. */
  discard(reply: R): void
  keep(reply: R, clock: Clock): Kept<R>
  /** Calls `done` when the reply has been read to its end, has failed or is given up. */
  whenEnds(reply: R, done: () => void): void
  /** The call is over. */
  dispose(): void
}

/** One call on its way to one upstream. */
export interface Call<R extends Reply> extends Pick<
  AcquireOptions,
  'weight' | 'priority' | 'maxWaitMs' | 'whenParked'
> {
  readonly exchange: Exchange<R>
  /**
   * The gate of the call's partition; asked for before each attempt, since an idle one may have been let go meanwhile. Undefined
   * where requests pass through untouched.
   */
  readonly post: () => Post | undefined
  /** False for a call that is never retried. */
  readonly retry: RetryOptions | false
  /** A failed attempt may be made again although it may have been carried out. */
  readonly idempotent: boolean
  /** The permit is held to the end of the reply. */
  readonly holdsBody: boolean
  readonly isThrottled?: ((reply: R) => boolean | Promise<boolean>) | undefined
  /** The same call on its way to where this reply sends it; undefined where it does not. `followed` were before it. */
  readonly redirect?: ((reply: R, followed: number) => Call<R> | undefined) | undefined
}

/** What all calls of one headgate share. */
export interface Wire {
  /** Whose permits these are. */
  readonly owner: object
  readonly clock: Clock
  readonly closing: Closing
  /** Tells what became of an attempt. */
  readonly tell: (place: Place, attempt: AttemptReport) => void
  /** What this gate was told holds for its whole authority. */
  readonly parkAuthority: (post: Post, observation: Observation) => void
}

export interface AttemptReport {
  kind: AttemptKind
  outcome: AttemptOutcome
  status: number | undefined
  /** From when it went on its way until its headers arrived, or it was known that none will. */
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
