import type { Clock } from './gate/clock.ts'
import type { Limit } from './gate/limit.ts'
import type { Cooldown } from './gate/park.ts'
import type { Weight } from './gate/weight.ts'
import type { Dialect, DialectName } from './headers/index.ts'
import type { RetryOptions } from './retry/policy.ts'
import type { SharedBudget } from './shared/shared-budget.ts'

/** The request that a partition is chosen for. */
export interface PartitionedRequest {
  url: URL
  method: string
  headers: Headers
}

/** How one upstream is paced. Durations are milliseconds; what is left out is unbounded or the default. */
export interface UpstreamConfig {
  /**
   * Authorities, `host` (any port), `host:port` or `*.example.com`, that go by this name. Default: the key itself. Their
   * partitions are still per authority unless `partition` says otherwise.
   */
  authorities?: readonly string[]
  /** All of them must hold, for each partition. Default none: the limits are learned from headers. */
  limits?: Limit | readonly Limit[] | ((partition: string) => readonly Limit[])
  /**
   * Attempts in flight, per partition. 1 or more. Default unbounded. An attempt counts until its body has been read or cancelled; see
   * `concurrencyUntil`. One that is left unread is taken back when its response is garbage-collected, or after `maxHoldMs`.
   */
  concurrency?: number
  /** What ends an attempt for `concurrency`: the end of its body (default) or its headers. */
  concurrencyUntil?: 'headers' | 'body'
  /**
   * What limits are kept for: an account, a token, a route. Default: the authority. One key is one gate for all authorities of a named
   * upstream; under `default`, for each authority.
   */
  partition?: (request: PartitionedRequest) => string
  /** `burst` (default) sends as soon as the limits allow, `even` spreads sends over the window. */
  pace?: 'burst' | 'even'
  /**
   * Makes room for other clients of the same account, where readings of a rolling limit show them: own sends keep to a share that all
   * who do the same come to. Default false: beside a client that does not yield, one that does is left with little.
   */
  fairShare?: boolean
  /** How long a request takes to be counted, at most. 0 to Infinity. Default 1 000. */
  transitMs?: number
  /** How long others wait for a lone first attempt. 0 switches it off. Default 1 000. */
  coldStartMs?: number
  /** A permit held longer is taken back. Default 120 000. */
  maxHoldMs?: number
  /** Callers that may wait, per partition. Default unbounded. */
  maxQueueSize?: number
  /** A caller whose projected wait is longer is refused as it is queued. Default unbounded. */
  maxWaitMs?: number
  /** What a caller gets while the gate is parked or probing. Default `wait`. */
  whenParked?: 'wait' | 'refuse'
  /** How a caller is refused: a `RateLimitError` (default), or a 503 response with a `Retry-After` in whole seconds. */
  refuseWith?: 'error' | 'response'
  cooldown?: Cooldown
  /**
   * Whose headers it sends. `auto` (default) reads what names and values decide, and recognises some upstreams by headers of theirs; a name, or
   * an object, adds what headers do not say: the length of a window, which statuses throttle, what a number counts.
   */
  dialect?: 'auto' | DialectName | Dialect
  /** Whether a response that headers and status do not mark as throttled is; it clones what it must read. */
  isThrottled?: (response: Response) => boolean | Promise<boolean>
  /**
   * `per-hop` (default) follows redirects by the Fetch standard, and each hop takes a permit of the authority it is sent to.
   * `native` (default in browsers, which show no redirect) leaves them to the inner fetch, as part of the attempt.
   */
  redirects?: 'per-hop' | 'native'
  /** False for no retries. */
  retry?: false | RetryOptions
}

export interface HeadgateConfig {
  /** By `host` (any port, each with a gate of its own), `host:port`, `*.example.com`, or a name with `authorities`. The most specific match wins. */
  upstreams?: Record<string, UpstreamConfig>
  /** For authorities not named above; false passes their requests through untouched. Default {}. */
  default?: UpstreamConfig | false
  /** Default `globalThis.fetch` as it is when the headgate is made. */
  fetch?: typeof fetch
  /** Default the system's. */
  clock?: Clock
  /**
   * `enforce` (default), or `observe`: everything is sent at once, nothing is retried, and events tell what would have waited or been
   * refused.
   */
  mode?: 'enforce' | 'observe'
  /** Gates kept; the least recently used idle one goes first. Default 10 000. */
  maxGates?: number
  /** A gate unused for so long goes, unless anything is held, parked or queued. Milliseconds. Default 600 000. */
  gateIdleMs?: number
  /** One budget for many processes: `sharedBudget` of `headgate/shared`. Default none: every process has all of each limit. */
  shared?: SharedBudget
  /**
   * How many processes draw on each limit without an engine: each has an equal part, rounded down. A whole number from 1 up to the smallest
   * limit. Default 1. Not beside `shared`, which counts them.
   */
  processes?: number
  /** Which of the `processes` this is, from 0: what is left over goes to the first ones. Default unknown: it is left unused. */
  process?: number
}

/** What one call may say for itself, in `init.headgate` or through `headgate.with`. */
export interface CallOptions {
  /** What each attempt spends. Default 1. */
  weight?: Weight
  /** Higher goes first. Default 0. */
  priority?: number
  /** Overrides the upstream's partition. */
  partition?: string
  /** Overrides the upstream's. Milliseconds. */
  maxWaitMs?: number
  /** Overrides the upstream's. */
  whenParked?: 'wait' | 'refuse'
  /** Overrides the upstream's. */
  refuseWith?: 'error' | 'response'
  /** Whether a failed attempt may be made again. Default: whether its method is one of `retry.failed.methods`. */
  idempotent?: boolean
  /** Overrides the upstream's; false for no retries. */
  retry?: false | RetryOptions
}

/** `fetch`, whose init may say more about the call, or with `headgate: false` stay out of it. */
export type HeadgateFetch = (
  input: string | URL | Request,
  init?: RequestInit & { headgate?: CallOptions | false },
) => Promise<Response>
