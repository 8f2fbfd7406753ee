import { expect } from 'vitest'
import type { Row } from '../row.ts'
import { elapsed, until } from '../stage.ts'

const ONE = { limits: { limit: 1, windowMs: 60_000 } }
const PARKS = { faults: [{ index: 0, status: 429, headers: { 'retry-after': '30' }, body: 'slow down' }] }

export const refusals: Row[] = [
  {
    name: 'a parked gate refuses with an error',
    http2: true,
    play: async (set) => {
      const stage = await set({ pacing: { whenParked: 'refuse', retry: false }, upstream: PARKS })
      await stage.outcome()
      const error: unknown = await stage.send().catch((reason: unknown) => reason)
      expect(error).toMatchObject({ name: 'RateLimitError', code: 'HEADGATE_PARKED', reason: 'parked' })
      expect((error as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(20_000)
      expect(stage.upstream.log).toHaveLength(1)
    },
  },
  {
    name: 'or with a response',
    http2: true,
    play: async (set) => {
      const pacing = { whenParked: 'refuse', refuseWith: 'response', retry: false } as const
      const stage = await set({ pacing, upstream: PARKS })
      await stage.outcome()
      const told = await stage.send()
      const seconds = Number(told.headers.get('retry-after'))
      expect([told.status, told.headers.get('content-type')]).toEqual([503, 'text/plain; charset=utf-8'])
      expect(seconds).toBeGreaterThan(20)
      expect(Number.isInteger(seconds)).toBe(true)
      expect(await told.text()).toContain('the upstream asked to slow down')
      expect(stage.upstream.log).toHaveLength(1)
    },
  },
  {
    name: 'a call may choose for itself',
    play: async (set) => {
      const stage = await set({ pacing: { retry: false }, upstream: PARKS })
      await stage.outcome()
      expect(await stage.outcome({ call: { whenParked: 'refuse' } })).toBe('parked')
      expect((await stage.send({ call: { whenParked: 'refuse', refuseWith: 'response' } })).status).toBe(503)
    },
  },
  {
    name: 'one who waits is refused when a park begins',
    play: async (set) => {
      const stage = await set({
        pacing: { concurrency: 1, retry: false, whenParked: 'refuse' },
        upstream: { ...PARKS, latency: { downMs: 100 } },
      })
      const first = stage.outcome()
      const second = stage.outcome()
      expect(await Promise.all([first, second])).toEqual([[429, 'slow down'], 'parked'])
    },
  },
  {
    name: 'a wait longer than maxWaitMs is refused at once',
    play: async (set) => {
      const stage = await set({ pacing: { ...ONE, maxWaitMs: 100 } })
      await stage.outcome()
      expect(await elapsed(stage.outcome().then((outcome) => expect(outcome).toBe('wait-too-long')))).toBeLessThan(90)
      expect(stage.headgate.snapshot().gates[0]?.queued).toBe(0)
    },
  },
  {
    name: 'a full queue refuses',
    play: async (set) => {
      const stage = await set({ pacing: { ...ONE, maxQueueSize: 1 } })
      await stage.outcome()
      const queued = stage.outcome()
      await until(() => stage.headgate.snapshot().gates[0]?.queued === 1)
      expect(await stage.outcome()).toBe('queue-full')
      await stage.headgate.close()
      expect(await queued).toBe('closed')
    },
  },
  {
    name: 'a weight above the limit is refused, with an error in any case',
    play: async (set) => {
      const stage = await set({ pacing: { ...ONE, refuseWith: 'response' } })
      expect(await stage.outcome({ call: { weight: 2 } })).toBe('never')
      expect(stage.upstream.log).toHaveLength(0)
    },
  },
  {
    name: 'options that make no sense are refused',
    play: async (set) => {
      const stage = await set()
      expect(await stage.outcome({ call: { weight: -1 } })).toBe('HEADGATE_CONFIG')
      expect(stage.upstream.log).toHaveLength(0)
    },
  },
]
