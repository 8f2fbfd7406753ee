import type { UpstreamOptions } from '../built.ts'
import type { ConfiguredLimit } from '../contenders/contender.ts'

/** What an upstream is, what is told of it and what is asked of it. All in virtual time. */
export interface Scenario {
  /** `steady`, `burst-after-idle`, ... */
  id: string
  /** For tables. */
  title: string
  /** `core`: at every latency, with rate headers and without. `waits`: at every constant latency. */
  group: 'core' | 'other' | 'waits'
  /** The upstream as it is. */
  upstream: Pick<UpstreamOptions, 'limits' | 'countRefused' | 'otherClients' | 'faults'>
  /** What the contenders are told of its limits. */
  configured: readonly ConfiguredLimit[]
  trip: Trip
  /** Whether the upstream states rate headers. */
  headers: boolean
  load: Load
}

/** From a request's sending to its headers: constant and half of it each way, or log-normal and split at random. */
export interface Trip {
  medianMs: number
  /** Of the logarithm; 0 for a constant one. */
  sigma: number
  /** What is drawn is clipped to these. Default 0 and unbounded. */
  minMs?: number
  maxMs?: number
  /** Until a request is counted, at most. Default unbounded. */
  maxUpMs?: number
}

export type Load =
  /** So many share the calls, each makes the next when its last one is answered. */
  | { kind: 'workers'; workers: number; calls: number }
  /** One call, and then so many times nothing for `idleMs` and `calls` at once. What is idle begins when all are answered. */
  | { kind: 'bursts'; bursts: number; calls: number; idleMs: number }
  /** At random at this mean, whatever becomes of them. */
  | { kind: 'poisson'; perMinute: number; forMs: number }

/** Tells one run's scenario from all others. */
export function keyOf({ id, trip, headers }: Scenario): string {
  return `${id}, ${trip.medianMs} ms, ${headers ? 'with' : 'without'} rate headers`
}
