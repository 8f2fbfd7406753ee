import {
  AggregationTemporality,
  type DataPoint,
  type Histogram,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { expect, test } from 'vitest'
import { createHeadgate, type HeadgateConfig } from '../../src/index.ts'
import { instrument } from '../../src/opentelemetry/index.ts'
import { createUpstream, type UpstreamOptions, VirtualClock } from '../../src/testing/index.ts'

const at = { 'headgate.upstream': 'default', 'server.address': 'a.example', 'server.port': 443 }

function setUp(config: HeadgateConfig, options: UpstreamOptions = {}) {
  const clock = new VirtualClock()
  const upstream = createUpstream({ clock, headers: 'none', ...options })
  const headgate = createHeadgate({ clock, fetch: upstream.fetch, ...config })
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 2 ** 30 })
  const stop = instrument(headgate, { meterProvider: new MeterProvider({ readers: [reader] }) })
  const collect = async () => {
    await reader.forceFlush()
    const exported =
      exporter
        .getMetrics()
        .at(-1)
        ?.scopeMetrics.flatMap(({ metrics }) => metrics) ?? []
    return new Map(exported.map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints]))
  }
  return { clock, headgate, stop, collect }
}

const limits = { limit: 1, windowMs: 1_000 }

test('attempts are counted and timed by kind, outcome and status', async () => {
  const { clock, headgate, collect } = setUp(
    {},
    { faults: [{ index: 0, status: 429, headers: { 'retry-after': '1' } }], latency: { downMs: 250 } },
  )
  await clock.runUntil(headgate.fetch('https://a.example/'))
  const metrics = await collect()
  const points = metrics.get('headgate.client.attempts') as DataPoint<number>[]
  expect(points.map(({ attributes, value }) => ({ ...attributes, value }))).toEqual([
    {
      ...at,
      'headgate.attempt.kind': 'first',
      'headgate.attempt.outcome': 'throttled',
      'http.response.status_code': 429,
      value: 1,
    },
    {
      ...at,
      'headgate.attempt.kind': 'probe',
      'headgate.attempt.outcome': 'ok',
      'http.response.status_code': 200,
      value: 1,
    },
  ])
  const [duration] = metrics.get('headgate.client.attempt.duration') as DataPoint<Histogram>[]
  expect(duration!.value).toMatchObject({ count: 1, sum: 0.25 })
})

test('waits are recorded in seconds by cause, and refusals counted by reason', async () => {
  const { clock, headgate, collect } = setUp({ default: { limits, coldStartMs: 0, maxWaitMs: 1_500 } })
  const calls = [1, 2, 3].map(() => headgate.fetch('https://a.example/').catch(() => undefined))
  await clock.runUntil(Promise.all(calls))
  const metrics = await collect()
  const [wait] = metrics.get('headgate.client.wait.duration') as DataPoint<Histogram>[]
  expect(wait!.attributes).toEqual({ ...at, 'headgate.wait.cause': 'limit' })
  expect(wait!.value).toMatchObject({ count: 1, sum: 1 })
  const [refusal] = metrics.get('headgate.client.refusals') as DataPoint<number>[]
  expect([refusal!.attributes, refusal!.value]).toEqual([{ ...at, 'headgate.refusal.reason': 'wait-too-long' }, 1])
})

test('gauges sum the gates of an authority, and no attribute names a partition', async () => {
  const { clock, headgate, collect } = setUp({ default: { limits, coldStartMs: 0 } })
  const call = (partition: string) => headgate.fetch('https://a.example/?secret', { headgate: { partition } })
  const calls = ['secret-1', 'secret-2'].flatMap((partition) => [call(partition), call(partition)])
  headgate.gate('https://b.example/')!.park(60_000)
  const metrics = await collect()
  const valueOf = (name: string, host: string) =>
    (metrics.get(name) as DataPoint<number>[]).find(({ attributes }) => attributes['server.address'] === host)?.value
  expect(['queued', 'held', 'parked'].map((name) => valueOf(`headgate.client.${name}`, 'a.example'))).toEqual([2, 2, 0])
  expect(valueOf('headgate.client.parked', 'b.example')).toBe(1)
  expect(JSON.stringify([...metrics])).not.toContain('secret')
  await clock.runUntil(Promise.all(calls))
})

test('nothing is recorded once it is stopped', async () => {
  const { clock, headgate, stop, collect } = setUp({})
  stop()
  await clock.runUntil(headgate.fetch('https://a.example/'))
  const points = [...(await collect()).values()].flat()
  expect(points).toEqual([])
})
