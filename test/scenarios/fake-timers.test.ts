import { expect, onTestFinished, test, vi } from 'vitest'
import { createHeadgate } from '../../src/index.ts'
import { listen } from '../fetch/support.ts'
import { SLOWNESS } from './slowness.ts'

// Tests that set the mocked date to yesterday saw jobs that never ended: the limiter took it that the time of day only goes forward.

const limits = { limit: 2, windowMs: 1_000 }

test('bottleneck-134: a date that is set back a day holds nobody up, and nothing is sent too soon', async () => {
  const { upstream, url } = await listen()
  const headgate = createHeadgate({ default: { limits } })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 86_400_000 })
  onTestFinished(() => void vi.useRealTimers())
  const startedAt = performance.now()
  await headgate.fetch(url)
  expect(performance.now() - startedAt).toBeLessThan(100 * SLOWNESS)
  await Promise.all([headgate.fetch(url), headgate.fetch(url)])
  const [first, , third] = upstream.log
  expect(third!.countedAtMs - first!.countedAtMs).toBeGreaterThanOrEqual(1_000)
})

test('bottleneck-134: calls are paced by fake timers', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  let sent = 0
  const fetch = () => Promise.resolve(new Response(String((sent += 1))))
  const headgate = createHeadgate({ fetch, default: { coldStartMs: 0, limits } })
  const calls = Promise.all(Array.from({ length: 5 }, () => headgate.fetch('https://api.example/')))
  const sentAfter: Record<number, number> = {}
  for (const [at, advanceMs] of [
    [0, 0],
    [999, 999],
    [1_000, 1],
    [1_999, 999],
    [2_000, 1],
  ] as const) {
    await vi.advanceTimersByTimeAsync(advanceMs)
    sentAfter[at] = sent
  }
  await calls
  expect(sentAfter).toEqual({ 0: 2, 999: 2, 1_000: 4, 1_999: 4, 2_000: 5 })
})
