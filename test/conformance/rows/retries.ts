import { expect } from 'vitest'
import type { Fault } from '../../../src/testing/index.ts'
import type { Row } from '../row.ts'
import { arrivals } from '../stage.ts'

const QUICK = { retry: { failed: { baseMs: 20 } } }

const FAILURES: [string, Fault][] = [
  ['a 500', { status: 500, body: 'sorry' }],
  ['a 408', { status: 408, body: 'sorry' }],
  ['a reset connection', { error: 'reset' }],
]

const afterFailures = FAILURES.map(([name, fault]): Row => {
  const faults = [{ index: 0, ...fault }]
  return {
    name: `${name} is retried for idempotent methods alone`,
    http2: true,
    play: async (set) => {
      for (const method of ['GET', 'PUT']) {
        const stage = await set({ pacing: QUICK, upstream: { faults } })
        expect(await stage.outcome({ method })).toEqual([200, 'ok'])
        expect(stage.upstream.log).toHaveLength(2)
      }
      const stage = await set({ pacing: QUICK, upstream: { faults } })
      const outcome = await stage.outcome({ method: 'POST', body: 'x' })
      if (fault.status) expect(outcome).toEqual([fault.status, 'sorry'])
      else expect(typeof outcome).toBe('string')
      expect(stage.upstream.log).toHaveLength(1)
    },
  }
})

export const retries: Row[] = [
  ...afterFailures,
  {
    name: 'a call may say whether it is idempotent',
    play: async (set) => {
      const faults = [{ index: 0, status: 500 }]
      const post = await set({ pacing: QUICK, upstream: { faults } })
      expect(await post.outcome({ method: 'POST', call: { idempotent: true } })).toEqual([200, 'ok'])
      const get = await set({ pacing: QUICK, upstream: { faults } })
      expect(await get.outcome({ call: { idempotent: false } })).toEqual([500, ''])
    },
  },
  {
    name: 'failures are counted',
    play: async (set) => {
      const retry = { failed: { baseMs: 10, maxAttempts: 3 } }
      const stage = await set({ pacing: { retry }, upstream: { faults: [{ status: 500, body: 'sorry' }] } })
      expect(await stage.outcome()).toEqual([500, 'sorry'])
      expect(stage.upstream.log).toHaveLength(3)
    },
  },
  {
    name: 'retry: false makes one attempt',
    play: async (set) => {
      const stage = await set({ upstream: { faults: [{ status: 429, body: 'slow down' }] } })
      expect(await stage.outcome({ call: { retry: false } })).toEqual([429, 'slow down'])
      expect(stage.upstream.log).toHaveLength(1)
    },
  },
  {
    name: 'each attempt takes a permit',
    play: async (set) => {
      const limits = { limit: 2, windowMs: 300 }
      const stage = await set({
        pacing: { ...QUICK, limits },
        upstream: { faults: [{ first: 2, status: 500 }], limits },
      })
      expect(await stage.outcome()).toEqual([200, 'ok'])
      expect(stage.upstream.report()).toMatchObject({ requests: 3, busiestWindow: 2 })
      expect(arrivals(stage)[2]).toBeGreaterThan(280)
    },
  },
  {
    name: 'a body that can be read once is not sent twice: its response is handed back',
    http2: true,
    play: async (set) => {
      const fault = { status: 429, headers: { 'retry-after': '5' }, body: 'slow down' }
      const stage = await set({ upstream: { faults: [fault] } })
      expect(await stage.outcome({ method: 'PUT', once: ['one ', 'two'] })).toEqual([429, 'slow down'])
      expect(stage.upstream.log.map(({ body }) => body)).toEqual(['one two'])
    },
  },
  {
    name: 'redirects take a permit of the authority they lead to',
    skips: {
      interceptor: 'a dispatcher follows no redirect: an interceptor of undici does, and asks for a permit by hop',
    },
    play: async (set) => {
      const target = await set()
      const stage = await set({
        pacing: { limits: { limit: 9, windowMs: 60_000 } },
        upstream: { faults: [{ status: 302, headers: { location: target.url } }] },
      })
      expect(await stage.outcome()).toEqual([200, 'ok'])
      expect(stage.headgate.snapshot().gates.map(({ limits: [limit] }) => limit?.held)).toEqual([1, 1])
    },
  },
]
