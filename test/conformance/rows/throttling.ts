import { expect } from 'vitest'
import type { Row } from '../row.ts'
import { arrivals, times, until } from '../stage.ts'

const throttled = (headers: Record<string, string>) => ({ index: 0, status: 429, headers, body: 'slow down' })

export const throttling: Row[] = [
  {
    name: 'a 429 with Retry-After parks the gate, and is retried after it',
    http2: true,
    play: async (set) => {
      const stage = await set({ upstream: { faults: [throttled({ 'retry-after': '0.3' })] } })
      const first = stage.outcome()
      await until(() => stage.headgate.snapshot().gates[0]?.state === 'parked')
      const second = stage.outcome()
      expect(await Promise.all([first, second])).toEqual([
        [200, 'ok'],
        [200, 'ok'],
      ])
      expect(arrivals(stage)[1]).toBeGreaterThan(290)
      expect(stage.upstream.report()).toMatchObject({ requests: 3, throttled: 1 })
    },
  },
  {
    name: 'it is retried by any method, with the same body',
    http2: true,
    play: async (set) => {
      const stage = await set({ upstream: { faults: [throttled({ 'retry-after': '0.1' })] } })
      expect(await stage.outcome({ method: 'POST', body: 'text', headers: { 'x-a': '1' } })).toEqual([200, 'ok'])
      expect(stage.upstream.log.map(({ method, body }) => [method, body])).toEqual([
        ['POST', 'text'],
        ['POST', 'text'],
      ])
    },
  },
  {
    name: 'and so does a 503 with Retry-After',
    play: async (set) => {
      const stage = await set({ upstream: { faults: [{ ...throttled({ 'retry-after': '0.2' }), status: 503 }] } })
      expect(await stage.outcome({ method: 'POST' })).toEqual([200, 'ok'])
      expect(arrivals(stage)[1]).toBeGreaterThan(190)
    },
  },
  {
    name: 'the hint in milliseconds is read, too',
    play: async (set) => {
      const stage = await set({ upstream: { faults: [throttled({ 'retry-after-ms': '200' })] } })
      expect(await stage.outcome()).toEqual([200, 'ok'])
      expect(arrivals(stage)[1]).toBeGreaterThan(190)
      expect(arrivals(stage)[1]).toBeLessThan(2_000)
    },
  },
  {
    name: 'after a park one attempt probes, and the others wait for its answer',
    play: async (set) => {
      const faults = [throttled({ 'retry-after': '0.15' }), { index: 1, delayMs: 200 }]
      const stage = await set({ upstream: { faults } })
      const first = stage.outcome()
      await until(() => stage.headgate.snapshot().gates[0]?.state === 'parked')
      await Promise.all([first, ...times(3, () => stage.outcome())])
      const [, probe, next, , last] = arrivals(stage)
      expect(next! - probe!).toBeGreaterThan(190)
      expect(last! - next!).toBeLessThan(150)
    },
  },
  {
    name: 'a dialect says what else throttles',
    play: async (set) => {
      const fault = { index: 0, status: 403, headers: { 'retry-after': '0.2' } }
      const stage = await set({ pacing: { dialect: 'github' }, upstream: { faults: [fault] } })
      expect(await stage.outcome()).toEqual([200, 'ok'])
      expect(arrivals(stage)[1]).toBeGreaterThan(190)
      const plain = await set({ upstream: { faults: [fault] } })
      expect((await plain.send()).status).toBe(403)
    },
  },
  {
    name: 'a limit of the whole authority parks all its partitions',
    play: async (set) => {
      const fault = throttled({ 'retry-after': '5', 'x-ratelimit-global': 'true' })
      const stage = await set({ pacing: { retry: false }, upstream: { faults: [fault] } })
      await stage.outcome({ call: { partition: 'a' } })
      expect(await stage.outcome({ call: { partition: 'b', whenParked: 'refuse' } })).toBe('parked')
    },
  },
  {
    name: 'isThrottled says that a response throttles',
    skips: { interceptor: 'isThrottled is handed a Response, which a dispatcher does not make' },
    play: async (set) => {
      const stage = await set({
        pacing: { isThrottled: ({ status }) => status === 404, cooldown: { baseMs: 100 } },
        upstream: { faults: [{ index: 0, status: 404 }] },
      })
      expect(await stage.outcome()).toEqual([200, 'ok'])
      expect(stage.upstream.log).toHaveLength(2)
    },
  },
]
