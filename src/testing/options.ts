import type { Clock } from '../gate/clock.ts'
import type { Charge } from './charge.ts'
import type { Arrival, Faults, UpstreamRequest } from './faults.ts'
import type { RateHeaders, RetryAfter } from './headers.ts'
import type { Latency } from './latency.ts'
import type { MeterOptions } from './meter.ts'
import type { OtherClient } from './other-clients.ts'
import type { Random } from '../random.ts'

export interface UpstreamOptions {
  /** Default the system's. */
  clock?: Clock
  /**
   * The limits, all of which must let a request in; one that any of them refuses is counted only by those with
   * `countRefused`. `anchorMs` of a fixed window is the upstream's wall time, in ms since the epoch. Default none.
   */
  limits?: MeterOptions | MeterOptions[]
  /** Default of every limit's `countRefused`. Default false. */
  countRefused?: boolean
  /**
   * Default `x-ratelimit`. Of several limits, those presets that state one state that with the least remaining, or the
   * refusing one that resets last.
   */
  headers?: RateHeaders
  /** What a throttled answer says in `retry-after`. Default `none`. */
  retryAfter?: RetryAfter
  /** Whether the `date` header is stated. Default true. */
  date?: boolean
  /**
   * How far the upstream's wall clock is ahead of the client's, in ms. The upstream's is read from the clock when it is
   * created; later jumps of the client's wall time do not move it. Default 0.
   */
  wallSkewMs?: number
  /** The way up, until a request is counted, and down, until its headers arrive. Default 0 each. */
  latency?: { upMs?: Latency; downMs?: Latency }
  /** The longest the way up takes, in ms; longer draws are cut to it. Default unbounded. */
  maxUpMs?: number
  /** How long after the headers the body arrives. Default 0: with them. */
  bodyMs?: Latency
  /** What a request is charged. Default 1 of each limit. */
  weightOf?: (request: UpstreamRequest) => Charge
  /** Status of an answer that is not throttled. Default 200. */
  status?: number | ((arrival: Arrival) => number)
  /** Status of an answer that a limit refuses. Default 429. */
  throttledStatus?: number
  /** Body of every answer. Default `ok` below status 400, else empty. */
  body?: string | ((arrival: Arrival, status: number) => string)
  /** What other clients send to the same limits. Counted as time goes, with no timer of their own. */
  otherClients?: OtherClient[]
  faults?: Faults
  /** Seed of latencies and other clients, each with a sequence of its own. Default 1. */
  seed?: number
  /** Source of latencies instead of the seed's. */
  random?: Random
  /** Whether `log` is kept. Default true; the report's counters are kept either way. */
  log?: boolean
}
