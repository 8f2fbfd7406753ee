import { expect, test } from 'vitest'
import { freePort } from '../../support/redis-server.ts'
import { SLOWNESS } from '../slowness.ts'
import { peakOf, play, type ProcessSettings } from './play.ts'

// The store of a rate limiter could not be reached. Each request waited half a minute for it and was then said to be rate limited, with
// numbers that were undefined: trouble of the store passed for trouble of the quota, and everything stopped.

const limit = { limit: 10, windowMs: 1_000 }
const PART = 5
const STORE_TIMEOUT_MS = 100

test('firecrawl-3728: without the store each process goes by its own part, at once', async () => {
  const settings: ProcessSettings = {
    calls: [{ atMs: 0, count: 20 }],
    config: { default: { limits: limit } },
    shared: { port: await freePort(), deadlineMs: STORE_TIMEOUT_MS, assumeProcesses: 2 },
  }
  const { arrivals, outcomes, reports, doneMs } = await play({ upstream: {}, processes: [settings, settings] })
  expect(outcomes).toEqual(Array(2).fill(Array(20).fill(200)))
  expect(reports.map(({ degraded }) => degraded)).toEqual(
    Array(2).fill([['share', expect.stringMatching(/^(unreachable|timeout)$/)]]),
  )
  expect(doneMs).toBeLessThanOrEqual(4_500)
  for (const index of [0, 1]) {
    const own = arrivals.filter(({ process }) => process === index)
    expect(own[0]!.atMs).toBeLessThanOrEqual(150 * SLOWNESS)
    expect(peakOf(own, limit)).toBe(PART)
    const gapsMs = own.slice(PART).map(({ atMs }, later) => atMs - own[later]!.atMs)
    expect(Math.min(...gapsMs)).toBeLessThan(limit.windowMs + STORE_TIMEOUT_MS)
  }
})
