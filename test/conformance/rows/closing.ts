import { expect } from 'vitest'
import type { Row } from '../row.ts'
import { times, until } from '../stage.ts'

const ONE = { limits: { limit: 1, windowMs: 100 } }

export const closing: Row[] = [
  {
    name: 'close refuses those that wait and those that come',
    play: async (set) => {
      const stage = await set({ pacing: { limits: { limit: 1, windowMs: 60_000 } } })
      await stage.outcome()
      const waiting = stage.outcome()
      await until(() => stage.headgate.snapshot().gates[0]?.queued === 1)
      await stage.headgate.close()
      expect([await waiting, await stage.outcome()]).toEqual(['closed', 'closed'])
      expect(await stage.outcome({ call: false })).toEqual([200, 'ok'])
    },
  },
  {
    name: 'with drainMs those that wait go first',
    play: async (set) => {
      const stage = await set({ pacing: ONE })
      const calls = times(3, () => stage.outcome())
      await until(() => stage.headgate.snapshot().gates[0]?.queued === 2)
      const closed = stage.headgate.close({ drainMs: 5_000 })
      expect(await stage.outcome()).toBe('closed')
      expect(await Promise.all(calls)).toEqual(times(3, () => [200, 'ok']))
      await closed
    },
  },
  {
    name: 'headgate: false stays out of it',
    play: async (set) => {
      const stage = await set({ pacing: { limits: { limit: 1, windowMs: 60_000 } } })
      const outcomes = await Promise.all(times(3, () => stage.outcome({ call: false })))
      expect(outcomes).toEqual(times(3, () => [200, 'ok']))
      expect(stage.headgate.snapshot().gates).toEqual([])
    },
  },
  {
    name: 'and so does an authority that is passed through',
    play: async (set) => {
      const stage = await set({ config: { default: false } })
      expect(await stage.outcome()).toEqual([200, 'ok'])
      expect(stage.headgate.snapshot().gates).toEqual([])
    },
  },
  {
    name: 'mode observe sends everything at once, retries nothing, and tells what would have been',
    play: async (set) => {
      const limits = { limit: 1, windowMs: 60_000 }
      const stage = await set({
        config: { mode: 'observe', default: { limits, coldStartMs: 0 } },
        upstream: { limits, retryAfter: 'seconds' },
      })
      const waits: string[] = []
      stage.headgate.on('headgate:wait', ({ cause }) => waits.push(cause))
      const first = await stage.send()
      const others = await Promise.all(times(2, () => stage.send()))
      expect([first, ...others].map(({ status }) => status)).toEqual([200, 429, 429])
      expect([stage.upstream.log.length, waits]).toEqual([3, ['limit', 'limit']])
    },
  },
]
