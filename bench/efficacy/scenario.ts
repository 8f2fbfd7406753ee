import type { Latency, UpstreamOptions } from '../built.ts'
import type { ConfiguredLimit } from '../contenders/contender.ts'

/** What an upstream is and what is asked of it. All in virtual time. */
export interface Scenario {
  /** `steady`, `burst-after-idle`, ... */
  id: string
  /** For tables. */
  title: string
  /** The upstream as it is. */
  upstream: Omit<UpstreamOptions, 'clock' | 'latency' | 'seed' | 'headers'>
  /** What the contenders are told of its limits. */
  configured: readonly ConfiguredLimit[]
  /** From a request's sending to its headers. */
  latencyMs: Latency
  /** Whether the upstream states rate headers. */
  headers: boolean
  /** When calls are made, in ms, ascending, and by which caller. */
  calls: readonly Call[]
}

export interface Call {
  atMs: number
  /** 0, 1, ... of as many callers as there are. */
  caller: number
}

/** What one contender came to in one scenario. */
export interface EfficacyResult {
  contender: string
  scenario: string
  /** Median of the latency. */
  latencyMs: number
  headers: boolean
  time: 'virtual' | 'real'
  calls: number
  /** Calls that ended with a 2xx. */
  served: number
  /** Calls that ended otherwise, or never. */
  failed: number
  /** Requests at the upstream. */
  attempts: number
  /** 429s at the upstream. */
  throttled: number
  /** The most that reached the upstream in any window of its first limit. */
  busiestWindow: number
  /**
   * Of the ceiling, 0 to 1: the calls served of those made, times how long a scheduler that knows the upstream needs for all of them over
   * how long this one took, from the first call to the last one served; never above 1.
   */
  share: number
  /** From a call to the counting of the attempt that served it, less what its way up took: ms, over calls served. */
  waitMs: { p50: number; p99: number; max: number }
  /** The same for the scheduler that knows. */
  omniscientWaitMs: { p50: number; p99: number; max: number }
  /** Jain's index of the callers' mean waits ... see `fairness.ts`. */
  fairness: number
}
