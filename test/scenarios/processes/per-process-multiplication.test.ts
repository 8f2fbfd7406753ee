import { describe, expect, test } from 'vitest'
import { needingServer, serverProgram } from '../../support/redis-server.ts'
import { useServer } from '../../support/use-server.ts'
import { peakOf, PATIENCE_MS, play, playInTime, type ProcessSettings } from './play.ts'

// Each shard of a bot counted by itself what is limited for all of them. Together they drew 429s, and went on at thirty a second until
// the edge shut the whole account out for an hour.

const limits = { limit: 50, windowMs: 1_000 }
const calls = [{ atMs: 0, count: 100 }]

describe.skipIf(serverProgram === undefined)(needingServer('four processes over a store'), () => {
  const used = useServer()

  test('discordjs-4926: together they send what one may', { timeout: PATIENCE_MS }, async ({ skip }) => {
    const shared = { port: used.server.port }
    const processes = Array<ProcessSettings>(4).fill({ calls, config: { default: { limits } }, shared })
    const scene = { upstream: { limits, retryAfter: 'seconds' as const }, processes }
    const { upstream, outcomes, doneMs } = await playInTime(scene, { limit: limits, doneByMs: 9_000, skip })
    expect(upstream).toMatchObject({ requests: 400, throttled: 0 })
    expect(upstream.busiestWindow).toBeLessThanOrEqual(50)
    expect(outcomes.flat()).toEqual(Array(400).fill(200))
    expect(doneMs).toBeLessThanOrEqual(9_000)
  })
})

test('discordjs-4926: without a store each sends its part', async () => {
  const { arrivals, upstream, outcomes, doneMs } = await play({
    upstream: { limits, retryAfter: 'seconds' as const },
    processes: Array<ProcessSettings>(4).fill({ calls, config: { processes: 4, default: { limits } } }),
  })
  expect(upstream).toMatchObject({ requests: 400, throttled: 0 })
  expect(upstream.busiestWindow).toBeLessThanOrEqual(50)
  for (const index of [0, 1, 2, 3]) {
    const own = arrivals.filter(({ process }) => process === index)
    expect(peakOf(own, limits)).toBeLessThanOrEqual(12)
  }
  expect(outcomes.flat()).toEqual(Array(400).fill(200))
  expect(doneMs).toBeLessThanOrEqual(9_500)
})
