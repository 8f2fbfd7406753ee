import { expect, test } from 'vitest'
import { createHeadgate, type HeadgateConfig } from '../src/index.ts'
import { createUpstream, VirtualClock } from '../src/testing/index.ts'

const url = 'https://api.example.com/'

function setUp(config: HeadgateConfig) {
  const clock = new VirtualClock()
  const upstream = createUpstream({ clock, limits: { kind: 'rolling', limit: 2, windowMs: 1_000 }, headers: 'none' })
  const headgate = createHeadgate({ clock, fetch: upstream.fetch, ...config })
  return { clock, upstream, headgate }
}

const limits = { limit: 2, windowMs: 1_000 }

test('what would have waited is sent at once, and told with its wait and cause', async () => {
  const { clock, upstream, headgate } = setUp({ mode: 'observe', default: { limits, coldStartMs: 0 } })
  const waits: unknown[] = []
  headgate.on('headgate:wait', ({ waitedMs, cause }) => waits.push({ waitedMs, cause }))
  const responses = await clock.runUntil(Promise.all([1, 2, 3].map(() => headgate.fetch(url))))
  expect(upstream.log.map(({ countedAtMs }) => countedAtMs)).toEqual([0, 0, 0])
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 429])
  expect(waits).toEqual([{ waitedMs: 1_000, cause: 'limit' }])
})

test('what would have been refused is sent at once, and told with its reason', async () => {
  const { clock, upstream, headgate } = setUp({
    mode: 'observe',
    default: { limits, coldStartMs: 0, maxWaitMs: 500 },
  })
  const refusals: unknown[] = []
  headgate.on('headgate:refuse', ({ reason, retryAfterMs }) => refusals.push({ reason, retryAfterMs }))
  const calls = [{}, {}, {}, { headgate: { weight: 3 } }].map((init) => headgate.fetch(url, init))
  await clock.runUntil(Promise.all(calls))
  expect(upstream.report().requests).toBe(4)
  expect(refusals).toEqual([
    { reason: 'wait-too-long', retryAfterMs: 1_000 },
    { reason: 'never', retryAfterMs: undefined },
  ])
})

test('a park is told and holds nobody, and nothing is retried', async () => {
  const { clock, upstream, headgate } = setUp({ mode: 'observe', default: { coldStartMs: 0 } })
  const parks: number[] = []
  headgate.on('headgate:park', ({ forMs }) => parks.push(forMs))
  const send = () => clock.runUntil(headgate.fetch(url))
  const responses = [await send(), await send(), await send(), await send()]
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 429, 429])
  expect(parks).toEqual([60_000])
  expect(upstream.report().requests).toBe(4)
})
