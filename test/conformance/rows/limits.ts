import { expect } from 'vitest'
import type { Row } from '../row.ts'
import { arrivals, pause, times, until } from '../stage.ts'

const FIVE = { limit: 5, windowMs: 300 }

export const limits: Row[] = [
  {
    name: 'a limit holds at the server, and is used up',
    http2: true,
    play: async (set) => {
      const stage = await set({ pacing: { limits: FIVE }, upstream: { limits: FIVE } })
      const outcomes = await Promise.all(times(15, () => stage.outcome()))
      expect(outcomes).toEqual(times(15, () => [200, 'ok']))
      expect(stage.upstream.report()).toMatchObject({ requests: 15, throttled: 0, busiestWindow: 5 })
      expect(arrivals(stage)[14]).toBeLessThan(2_000)
    },
  },
  {
    name: 'answers that take long hold nobody up',
    play: async (set) => {
      const limits = { limit: 2, windowMs: 150 }
      const upstream = { limits, latency: { downMs: 3_000 } }
      // A stall of this process for longer than transitMs breaks the limit.
      const stage = await set({ pacing: { limits, transitMs: 500 }, upstream })
      await Promise.all(times(6, () => stage.outcome()))
      expect(stage.upstream.report()).toMatchObject({ requests: 6, throttled: 0 })
      expect(arrivals(stage)[5]).toBeLessThan(2_900)
    },
  },
  {
    name: 'all of several limits hold',
    play: async (set) => {
      const limits = [
        { limit: 3, windowMs: 150 },
        { limit: 5, windowMs: 600 },
      ]
      const stage = await set({ pacing: { limits }, upstream: { limits } })
      await Promise.all(times(8, () => stage.outcome()))
      expect(stage.upstream.report()).toMatchObject({ requests: 8, throttled: 0 })
      expect(arrivals(stage)[5]).toBeGreaterThan(590)
    },
  },
  {
    name: 'a limit that the headers state holds without configuration',
    play: async (set) => {
      const upstream = { limits: { limit: 3, windowMs: 1_000 }, headers: 'ratelimit', status: 200 } as const
      const stage = await set({ pacing: { retry: false, coldStartMs: 1_000 }, upstream })
      await Promise.all(times(3, () => stage.outcome()))
      expect(stage.headgate.snapshot().gates[0]?.limits[0]).toMatchObject({ source: 'learned', limit: 3 })
      expect(stage.headgate.explain(stage.url).boundBy).not.toBe('nothing')
      expect(stage.upstream.report()).toMatchObject({ requests: 3, throttled: 0 })
    },
  },
  {
    name: 'one attempt goes alone while nothing is known',
    play: async (set) => {
      const stage = await set({ pacing: { coldStartMs: 5_000 }, upstream: { latency: { downMs: 800 } } })
      await Promise.all(times(4, () => stage.outcome()))
      expect(arrivals(stage)[1]).toBeGreaterThan(700)
      expect(arrivals(stage)[3]! - arrivals(stage)[1]!).toBeLessThan(700)
    },
  },
  {
    name: 'even pacing spreads them',
    play: async (set) => {
      const stage = await set({ pacing: { limits: { limit: 5, windowMs: 500 }, pace: 'even' } })
      await Promise.all(times(4, () => stage.outcome()))
      expect(arrivals(stage)[1]).toBeGreaterThan(50)
      expect(arrivals(stage)[3]).toBeGreaterThan(200)
    },
  },
  {
    name: 'weights are charged',
    play: async (set) => {
      const limits = { limit: 4, windowMs: 300 }
      const stage = await set({ pacing: { limits }, upstream: { limits, weightOf: () => 2 } })
      await Promise.all(times(6, () => stage.outcome({ call: { weight: 2 } })))
      expect(stage.upstream.report()).toMatchObject({ requests: 6, throttled: 0, busiestWindow: 4 })
    },
  },
  {
    name: 'weights by unit are charged to the limits of the unit',
    play: async (set) => {
      const tokens = { limit: 100, windowMs: 60_000, unit: 'tokens' }
      const stage = await set({ pacing: { limits: [{ limit: 9, windowMs: 60_000 }, tokens] } })
      await stage.outcome({ call: { weight: { tokens: 30 } } })
      expect(stage.headgate.snapshot().gates[0]?.limits.map(({ held }) => held)).toEqual([1, 30])
    },
  },
  {
    name: 'options for every call hold where the call says nothing else',
    play: async (set) => {
      const pacing = { limits: { limit: 100, windowMs: 60_000 } }
      const stage = await set({ pacing, defaults: { weight: 10, partition: 'one' } })
      await stage.outcome()
      await stage.outcome({ call: { weight: 5 } })
      expect(stage.headgate.snapshot().gates.map(({ limits: [limit] }) => limit?.held)).toEqual([15])
    },
  },
  {
    name: 'each partition has limits of its own, chosen by a header',
    play: async (set) => {
      const partition = ({ headers }: { headers: Headers }) => headers.get('x-account') ?? 'none'
      const stage = await set({ pacing: { limits: { limit: 1, windowMs: 60_000 }, maxWaitMs: 50, partition } })
      const as = (account: string) => stage.outcome({ headers: { 'X-Account': account } })
      expect([await as('a'), await as('b'), await as('a')]).toEqual([[200, 'ok'], [200, 'ok'], 'wait-too-long'])
    },
  },
  {
    name: 'a partition may be chosen by address, method and query',
    play: async (set) => {
      const seen: string[] = []
      const partition = ({ url, method }: { url: URL; method: string }) =>
        seen[seen.push(`${method} ${url.pathname} ${url.searchParams.get('q')}`) - 1]!
      const stage = await set({ pacing: { partition } })
      await stage.outcome({ path: '/things?q=1', method: 'PUT', body: 'x' })
      await stage.outcome({ path: '//two/slashes?q=2' })
      expect(seen).toEqual(['PUT /things 1', 'GET //two/slashes 2'])
      expect(stage.headgate.snapshot().gates.map(({ host }) => host)).toEqual(['127.0.0.1', '127.0.0.1'])
    },
  },
  {
    name: 'and by the call itself',
    play: async (set) => {
      const stage = await set({ pacing: { limits: { limit: 1, windowMs: 60_000 }, maxWaitMs: 50 } })
      const as = (partition: string) => stage.outcome({ call: { partition } })
      expect([await as('a'), await as('b'), await as('a')]).toEqual([[200, 'ok'], [200, 'ok'], 'wait-too-long'])
    },
  },
  {
    name: 'higher priority goes first, and first come first served within one',
    play: async (set) => {
      const stage = await set({ pacing: { limits: { limit: 1, windowMs: 100 } } })
      await stage.outcome({ path: '/first' })
      const asked = [
        ['low', -1],
        ['a', 0],
        ['b', 0],
        ['high', 1],
      ] as const
      await Promise.all(asked.map(([name, priority]) => stage.outcome({ path: `/${name}`, call: { priority } })))
      const order = stage.upstream.log.map(({ url }) => new URL(url).pathname)
      expect(order).toEqual(['/first', '/high', '/a', '/b', '/low'])
    },
  },
  {
    name: 'concurrency counts to the end of the body',
    http2: true,
    play: async (set) => {
      const stage = await set({ pacing: { concurrency: 2 }, upstream: { bodyMs: 200 } })
      await Promise.all(times(4, () => stage.outcome()))
      expect(arrivals(stage)[1]).toBeLessThan(150)
      expect(arrivals(stage)[2]).toBeGreaterThan(190)
    },
  },
  {
    name: 'or to the headers',
    play: async (set) => {
      const stage = await set({ pacing: { concurrency: 2, concurrencyUntil: 'headers' }, upstream: { bodyMs: 400 } })
      await Promise.all(times(4, () => stage.outcome()))
      expect(arrivals(stage)[3]).toBeLessThan(300)
    },
  },
  {
    name: 'a response without a body frees its place with the headers',
    play: async (set) => {
      const stage = await set({
        pacing: { concurrency: 1 },
        upstream: { status: ({ index }) => (index === 0 ? 204 : 200) },
      })
      expect((await stage.send()).status).toBe(204)
      await until(() => stage.headgate.snapshot().gates[0]?.held === 0)
      expect((await stage.send({ method: 'HEAD' })).status).toBe(200)
      await until(() => stage.headgate.snapshot().gates[0]?.held === 0)
      expect(stage.headgate.snapshot().gates[0]?.held).toBe(0)
    },
  },
  {
    name: 'a body that does not end is taken back',
    play: async (set) => {
      const stage = await set({ pacing: { concurrency: 1, maxHoldMs: 1_000 }, upstream: { bodyMs: 10_000 } })
      const first = await stage.send()
      await stage.send()
      expect(first.status).toBe(200)
      expect(arrivals(stage)[1]).toBeGreaterThan(500)
      expect(arrivals(stage)[1]).toBeLessThan(8_000)
    },
  },
  {
    name: 'a refused connection spends nothing',
    play: async (set) => {
      const stage = await set({ pacing: { limits: FIVE, retry: false } })
      const nowhere = await set()
      await nowhere.close()
      expect(typeof (await stage.outcome({ at: nowhere.url }))).toBe('string')
      expect(stage.headgate.snapshot().gates[0]?.limits[0]?.held).toBe(0)
    },
  },
  {
    name: 'a request that was sent and failed is held',
    play: async (set) => {
      const pacing = { limits: { limit: 5, windowMs: 60_000 }, retry: false as const }
      const stage = await set({ pacing, upstream: { faults: [{ error: 'reset' }] } })
      expect(typeof (await stage.outcome())).toBe('string')
      await pause(0)
      expect(stage.headgate.snapshot().gates[0]?.limits[0]?.held).toBe(1)
    },
  },
]
