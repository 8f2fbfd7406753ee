import {
  type Attributes,
  type BatchObservableResult,
  type MeterProvider,
  metrics,
  type Observable,
} from '@opentelemetry/api'
import type { Place } from '../events.ts'
import type { Headgate } from '../headgate.ts'

const NAME = 'headgate'

/** Waits in seconds: a slot that is about to open, a short window, a minute's window, a park. */
const WAIT_BOUNDARIES = [0.005, 0.025, 0.1, 0.25, 1, 2.5, 10, 30, 60, 120, 300, 600]

export interface InstrumentOptions {
  /** Default: the global one. */
  meterProvider?: MeterProvider
}

/**
 * Records what a headgate does as metrics, until what it returns is called:
 *
 * - `headgate.client.attempts`, counter: by `headgate.attempt.kind`, `headgate.attempt.outcome` and `http.response.status_code`
 * - `headgate.client.attempt.duration`, histogram in seconds, to the headers: the same attributes
 * - `headgate.client.wait.duration`, histogram in seconds: by `headgate.wait.cause`
 * - `headgate.client.refusals`, counter: by `headgate.refusal.reason`
 * - `headgate.client.queued`, `.held` and `.parked`, gauges: callers that wait, permits held, and gates that are parked or probing
 *
 * All carry `headgate.upstream`, `server.address` and `server.port`; none a partition.
 */
export function instrument(
  headgate: Headgate,
  { meterProvider = metrics.getMeterProvider() }: InstrumentOptions = {},
): () => void {
  const meter = meterProvider.getMeter(NAME)
  const seconds = { unit: 's', advice: { explicitBucketBoundaries: WAIT_BOUNDARIES } }
  const attempts = meter.createCounter('headgate.client.attempts', { unit: '{attempt}' })
  const durations = meter.createHistogram('headgate.client.attempt.duration', seconds)
  const waits = meter.createHistogram('headgate.client.wait.duration', seconds)
  const refusals = meter.createCounter('headgate.client.refusals', { unit: '{refusal}' })
  const gauges = {
    queued: meter.createObservableGauge('headgate.client.queued', { unit: '{caller}' }),
    held: meter.createObservableGauge('headgate.client.held', { unit: '{permit}' }),
    parked: meter.createObservableGauge('headgate.client.parked', { unit: '{gate}' }),
  }
  const observe = (result: BatchObservableResult): void => observeGates(headgate, gauges, result)
  meter.addBatchObservableCallback(observe, Object.values(gauges))
  const stops = [
    headgate.on('headgate:attempt', ({ kind, outcome, status, durationMs, ...place }) => {
      const attributes = { ...placeOf(place), 'headgate.attempt.kind': kind, 'headgate.attempt.outcome': outcome }
      const all = status === undefined ? attributes : { ...attributes, 'http.response.status_code': status }
      attempts.add(1, all)
      durations.record(durationMs / 1_000, all)
    }),
    headgate.on('headgate:wait', ({ waitedMs, cause, ...place }) =>
      waits.record(waitedMs / 1_000, { ...placeOf(place), 'headgate.wait.cause': cause }),
    ),
    headgate.on('headgate:refuse', ({ reason, ...place }) =>
      refusals.add(1, { ...placeOf(place), 'headgate.refusal.reason': reason }),
    ),
    () => meter.removeBatchObservableCallback(observe, Object.values(gauges)),
  ]
  return () => stops.forEach((stop) => stop())
}

interface Gauges {
  queued: Observable
  held: Observable
  parked: Observable
}

/** The gates of one authority together: what sets them apart is their partition, which stays out of attributes. */
function observeGates(headgate: Headgate, gauges: Gauges, result: BatchObservableResult): void {
  const sums = new Map<string, { attributes: Attributes; queued: number; held: number; parked: number }>()
  for (const gate of headgate.snapshot().gates) {
    const attributes = placeOf(gate)
    const key = JSON.stringify(attributes)
    const sum = sums.get(key) ?? { attributes, queued: 0, held: 0, parked: 0 }
    sum.queued += gate.queued
    sum.held += gate.held
    sum.parked += gate.state === 'open' ? 0 : 1
    sums.set(key, sum)
  }
  for (const { attributes, queued, held, parked } of sums.values()) {
    result.observe(gauges.queued, queued, attributes)
    result.observe(gauges.held, held, attributes)
    result.observe(gauges.parked, parked, attributes)
  }
}

function placeOf({ upstream, host, port }: Pick<Place, 'upstream' | 'host' | 'port'>): Attributes {
  return { 'headgate.upstream': upstream, 'server.address': host, 'server.port': port }
}
