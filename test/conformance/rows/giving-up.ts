import { expect } from 'vitest'
import type { Row } from '../row.ts'
import { elapsed, until } from '../stage.ts'

const waits = (seconds: string, body = 'sorry') => ({ status: 500, headers: { 'retry-after': seconds }, body })
const parks = (seconds: string) => ({ ...waits(seconds, 'slow down'), status: 429 })

export const giving: Row[] = [
  {
    name: 'the end of the allowance hands back the last response as it came',
    http2: true,
    play: async (set) => {
      const retry = { rateLimited: { maxDurationMs: 400 } }
      const fault = { ...parks('0.15'), headers: { 'retry-after': '0.15', 'x-own': 'yes' } }
      const stage = await set({ pacing: { retry }, upstream: { faults: [fault] } })
      const told = await stage.send()
      expect([told.status, told.headers.get('x-own'), await told.text()]).toEqual([429, 'yes', 'slow down'])
      expect(stage.upstream.log.length).toBeGreaterThan(2)
    },
  },
  {
    name: 'or a hint that is too long does, at once',
    play: async (set) => {
      const retry = { rateLimited: { maxDurationMs: 1_000, whenTooLong: 'return' } } as const
      const stage = await set({ pacing: { retry }, upstream: { faults: [parks('30')] } })
      expect(await elapsed(stage.outcome().then((it) => expect(it).toEqual([429, 'slow down'])))).toBeLessThan(800)
      expect(stage.upstream.log).toHaveLength(1)
    },
  },
  {
    name: 'one who waits for no park is handed back the response that parked',
    play: async (set) => {
      const stage = await set({ pacing: { whenParked: 'refuse' }, upstream: { faults: [parks('30')] } })
      expect(await stage.outcome()).toEqual([429, 'slow down'])
    },
  },
  {
    name: 'a response is kept while its call waits, without its connection',
    play: async (set) => {
      const stage = await set({ upstream: { faults: [waits('30')] } })
      const call = stage.outcome()
      await until(() => stage.upstream.log[0]?.answeredAtMs !== undefined)
      await stage.pause(100)
      await stage.headgate.close()
      expect(await call).toEqual([500, 'sorry'])
    },
  },
  {
    name: 'a body too long to be kept says so when it is read',
    play: async (set) => {
      const stage = await set({ upstream: { faults: [waits('30', 'x'.repeat(200_000))] } })
      const call = stage.send()
      await until(() => stage.upstream.log[0]?.answeredAtMs !== undefined)
      await stage.pause(100)
      await stage.headgate.close()
      const told = await call
      expect(told.status).toBe(500)
      await expect(told.text()).rejects.toMatchObject({ code: 'HEADGATE_BODY_NOT_KEPT' })
    },
  },
  {
    name: 'an abort in the queue frees the place and sends nothing',
    http2: true,
    play: async (set) => {
      const stage = await set({ pacing: { limits: { limit: 1, windowMs: 60_000 } } })
      await stage.outcome()
      const aborting = new AbortController()
      const call = stage.send({ signal: aborting.signal })
      await until(() => stage.headgate.snapshot().gates[0]?.queued === 1)
      const reason = new Error('enough')
      aborting.abort(reason)
      await expect(call).rejects.toBe(reason)
      expect([stage.headgate.snapshot().gates[0]?.queued, stage.upstream.log.length]).toEqual([0, 1])
    },
  },
  {
    name: 'one that was aborted before sends nothing and holds nothing',
    play: async (set) => {
      const stage = await set({ pacing: { limits: { limit: 1, windowMs: 60_000 } } })
      const reason = new Error('enough')
      await expect(stage.send({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
      expect(stage.upstream.log).toHaveLength(0)
      expect(await stage.outcome()).toEqual([200, 'ok'])
    },
  },
  {
    name: 'an abort in flight ends the request, and is not retried',
    http2: true,
    play: async (set) => {
      const stage = await set({ pacing: { concurrency: 1 }, upstream: { faults: [{ hang: true }] } })
      const aborting = new AbortController()
      const call = stage.send({ signal: aborting.signal })
      await until(() => stage.upstream.log.length === 1)
      const reason = new Error('enough')
      aborting.abort(reason)
      await expect(call).rejects.toBe(reason)
      await stage.pause(50)
      expect([stage.headgate.snapshot().gates[0]?.held, stage.upstream.log.length]).toEqual([0, 1])
    },
  },
  {
    name: 'an abort between two attempts ends the call',
    http2: true,
    play: async (set) => {
      for (const fault of [waits('30'), parks('30')]) {
        const stage = await set({ upstream: { faults: [fault] } })
        const aborting = new AbortController()
        const call = stage.send({ signal: aborting.signal })
        await until(() => stage.upstream.log[0]?.answeredAtMs !== undefined)
        await stage.pause(50)
        const reason = new Error('enough')
        aborting.abort(reason)
        await expect(call).rejects.toBe(reason)
        expect([stage.headgate.snapshot().gates[0]?.queued, stage.upstream.log.length]).toEqual([0, 1])
      }
    },
  },
  {
    name: 'an abort in the middle of the body frees the place',
    play: async (set) => {
      const stage = await set({ pacing: { concurrency: 1 }, upstream: { bodyMs: 10_000 } })
      const aborting = new AbortController()
      const told = await stage.send({ signal: aborting.signal })
      const text = told.text()
      expect(stage.headgate.snapshot().gates[0]?.held).toBe(1)
      const reason = new Error('enough')
      aborting.abort(reason)
      await expect(text).rejects.toBe(reason)
      await until(() => stage.headgate.snapshot().gates[0]?.held === 0)
      expect(stage.headgate.snapshot().gates[0]?.held).toBe(0)
    },
  },
]
