import { expect, onTestFinished, test } from 'vitest'
import { Agent, interceptors, request } from 'undici'
import { createHeadgate, type Headgate } from '../../src/index.ts'
import { createUpstream, VirtualClock } from '../../src/testing/index.ts'
import { headgateInterceptor } from '../../src/undici/index.ts'
import type { Inner } from '../fetch/support.ts'
import { SLOWNESS } from './slowness.ts'
import { between, times } from './support.ts'

const limitOfA = { limit: 10, windowMs: 1_000 }
const limitOfB = { limit: 2, windowMs: 1_000 }

/** Two servers, of which the first sends everything on to the second. */
function serve(locationOfB: string, clock?: VirtualClock) {
  const options = { headers: 'none' as const, ...(clock && { clock }) }
  const a = createUpstream({
    ...options,
    limits: limitOfA,
    faults: [{ status: 302, headers: { location: locationOfB } }],
  })
  return { a, b: createUpstream({ ...options, limits: limitOfB }) }
}

/** Attempts that took a slot, by port. */
function slots(headgate: Headgate): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { port, count } of headgate.snapshot().attempts) counts[port] = (counts[port] ?? 0) + count
  return counts
}

// What was redirected to another host kept the slot of the first one, so that the limit of the second was never applied.
test('scrapy-2141: each hop is charged to the host that it is sent to', async () => {
  const clock = new VirtualClock()
  const { a, b } = serve('http://b.example:82/', clock)
  const fetch: Inner = (input, init) => (new Request(input).url.includes('a.example') ? a : b).fetch(input, init)
  const upstreams = { 'a.example': { limits: limitOfA }, 'b.example': { limits: limitOfB } }
  const headgate = createHeadgate({ clock, fetch, upstreams })
  const calls = times(6, 'http://a.example:81/').map((url) => headgate.fetch(url))
  const responses = await clock.runUntil(Promise.all(calls))
  expect(responses.map(({ status, url }) => [status, url])).toEqual(times(6, [200, 'http://b.example:82/']))
  expect(a.log.map(({ countedAtMs }) => countedAtMs)).toEqual(times(6, between(0, 200)))
  expect(b.log[5]?.countedAtMs).toEqual(between(2_000, 2_300))
  expect(b.report()).toMatchObject({ requests: 6, throttled: 0, busiestWindow: 2 })
  expect(slots(headgate)).toEqual({ 81: 6, 82: 6 })
})

test('scrapy-2141: so it is where a dispatcher follows them', async () => {
  const target = createUpstream({ headers: 'none', limits: limitOfB })
  const toB = await target.listen()
  const { a } = serve(toB.url)
  const toA = await a.listen()
  onTestFinished(async () => void (await Promise.all([toA.close(), toB.close()])))
  // Nothing is taken as counted before its answer has come, however slow the machine is.
  const transitMs = Infinity
  const headgate = createHeadgate({
    upstreams: {
      [`127.0.0.1:${toA.port}`]: { limits: limitOfA, transitMs },
      [`127.0.0.1:${toB.port}`]: { limits: limitOfB, transitMs },
    },
  })
  const agent = new Agent()
  onTestFinished(() => agent.destroy())
  const dispatcher = agent.compose(headgateInterceptor(headgate), interceptors.redirect({ maxRedirections: 3 }))
  const startedAt = performance.now()
  const calls = times(6, toA.url).map(async (url) => {
    const { statusCode, body } = await request(url, { dispatcher })
    await body.dump()
    return statusCode
  })
  expect(await Promise.all(calls)).toEqual(times(6, 200))
  const arrivals = (log: typeof a.log) => log.map(({ countedAtMs }) => countedAtMs - startedAt)
  expect(arrivals(a.log)).toEqual(times(6, between(0, 200 * SLOWNESS)))
  expect(arrivals(target.log)[5]).toEqual(between(2_000, 2_300 * SLOWNESS))
  expect(target.report()).toMatchObject({ requests: 6, throttled: 0, busiestWindow: 2 })
  expect(slots(headgate)).toEqual({ [toA.port]: 6, [toB.port]: 6 })
})
