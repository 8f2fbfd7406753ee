import { expect } from 'vitest'
import type { Row } from '../row.ts'
import type { Stage } from '../stage.ts'

/** Kind, outcome and status of each attempt. */
function attemptsOf({ headgate }: Stage): unknown[][] {
  const attempts: unknown[][] = []
  headgate.on('headgate:attempt', ({ kind, outcome, status }) => attempts.push([kind, outcome, status]))
  return attempts
}

export const telling: Row[] = [
  {
    name: 'events and counters tell of each attempt, park, probe and reopening',
    http2: true,
    play: async (set) => {
      const faults = [{ index: 0, status: 429, headers: { 'retry-after': '0.1' } }]
      const stage = await set({ upstream: { faults } })
      const attempts = attemptsOf(stage)
      const others: string[] = []
      for (const name of ['park', 'probe', 'reopen'] as const) {
        stage.headgate.on(`headgate:${name}`, () => others.push(name))
      }
      await stage.outcome()
      await stage.outcome()
      expect(attempts).toEqual([
        ['first', 'throttled', 429],
        ['probe', 'ok', 200],
        ['first', 'ok', 200],
      ])
      expect(others).toEqual(['park', 'probe', 'reopen'])
      expect(stage.headgate.snapshot().attempts.map(({ kind, outcome, count }) => [kind, outcome, count])).toEqual([
        ['first', 'throttled', 1],
        ['probe', 'ok', 1],
        ['first', 'ok', 1],
      ])
    },
  },
  {
    name: 'of failures, retries and aborts',
    play: async (set) => {
      const faults = [
        { index: 0, error: 'reset' as const },
        { index: 1, status: 500 },
        { index: 3, hang: true },
      ]
      const stage = await set({ pacing: { retry: { failed: { baseMs: 10 } } }, upstream: { faults } })
      const attempts = attemptsOf(stage)
      await stage.outcome()
      await stage.outcome({ signal: AbortSignal.timeout(100) })
      expect(attempts).toEqual([
        ['first', 'error', undefined],
        ['retry', 'error', 500],
        ['retry', 'ok', 200],
        ['first', 'aborted', undefined],
      ])
    },
  },
  {
    name: 'of waits, refusals and readings',
    play: async (set) => {
      const limits = { limit: 1, windowMs: 100 }
      const stage = await set({ pacing: { limits }, upstream: { limits, headers: 'ratelimit' } })
      const told: unknown[] = []
      stage.headgate.on('headgate:wait', ({ cause }) => told.push(cause))
      stage.headgate.on('headgate:refuse', ({ reason }) => told.push(reason))
      stage.headgate.on('headgate:reading', ({ limits: [limit] }) => told.push(limit?.limit))
      await stage.outcome()
      await stage.outcome({ call: { maxWaitMs: 0 } })
      await stage.outcome()
      expect(told).toEqual([1, 'wait-too-long', 'limit', 1])
    },
  },
]
