import { describe, expect, test } from 'vitest'
import { run } from './run.ts'

describe('one client on a rolling 600 per minute, refused requests counted, from a cold start', () => {
  test.each([
    { medianMs: 100, sigma: 0.3, atLeast: 598 },
    { medianMs: 100, sigma: 0.5, atLeast: 598 },
    { medianMs: 400, sigma: 0.3, atLeast: 598 },
    { medianMs: 400, sigma: 0.5, atLeast: 598 },
    { medianMs: 2_000, sigma: 0.3, atLeast: 588 },
  ])('median $medianMs ms, sigma $sigma: at least $atLeast a minute, no 429', async ({ medianMs, sigma, atLeast }) => {
    const result = await run({ medianMs, sigma, minutes: 20 })
    expect(result.okPerMinute).toBeGreaterThanOrEqual(atLeast)
    expect(result.throttled).toBe(0)
    expect(result.busiestWindow).toBeLessThanOrEqual(600)
  })

  test('200 minutes at a median of 400 ms: the rule costs the latency of a window, 596 to 598 a minute', async () => {
    const result = await run({ medianMs: 400, sigma: 0.3, minutes: 200 })
    expect(result.okPerMinute).toBeGreaterThanOrEqual(596)
    expect(result.okPerMinute).toBeLessThan(598)
    expect(result.throttled).toBe(0)
    expect(result.busiestWindow).toBeLessThanOrEqual(600)
  })

  test('send times alone overshoot: transitMs 0 draws 429s on the same account', async () => {
    const config = { limits: { limit: 600, windowMs: 60_000 }, concurrency: 25, transitMs: 0 }
    const result = await run({ config, medianMs: 400, sigma: 0.5, minutes: 20 })
    expect(result.throttled).toBeGreaterThan(0)
    expect(result.busiestWindow).toBeGreaterThan(600)
  })

  test('one request every 2.2 s reads remaining flat at 573', async () => {
    const result = await run({ workers: 1, everyMs: 2_100, medianMs: 100, sigma: 0, minutes: 3 })
    expect(result.throttled).toBe(0)
    expect(600 - result.busiestWindow).toBeGreaterThanOrEqual(572)
    expect(600 - result.busiestWindow).toBeLessThanOrEqual(573)
  })
})

describe('other windows', () => {
  test.each([
    { medianMs: 100, sigma: 0.3 },
    { medianMs: 400, sigma: 0.5 },
  ])('fixed, told in whole epoch seconds, median $medianMs ms: at least 580 a minute, no 429', async (latency) => {
    const limit = { limit: 600, windowMs: 60_000, kind: 'fixed' as const }
    const upstream = { limits: limit, headers: 'x-ratelimit' as const }
    const result = await run({ upstream, config: { limits: limit, concurrency: 25 }, ...latency, minutes: 20 })
    expect(result.okPerMinute).toBeGreaterThanOrEqual(580)
    expect(result.throttled).toBe(0)
  })

  test.each([
    { medianMs: 100, sigma: 0.3 },
    { medianMs: 400, sigma: 0.5 },
  ])(
    'nothing configured, reset recomputed as now + 58 s, median $medianMs ms: at least 590, at most two 429s',
    async (latency) => {
      const result = await run({ config: { concurrency: 25 }, ...latency, minutes: 20 })
      expect(result.okPerMinute).toBeGreaterThanOrEqual(590)
      expect(result.throttled).toBeLessThanOrEqual(2)
    },
  )

  test('slow answers do not starve a short window: 10 per second with 5 s answers', async () => {
    const limit = { limit: 10, windowMs: 1_000 }
    const upstream = { limits: { kind: 'rolling' as const, ...limit } }
    const result = await run({
      upstream,
      config: { limits: limit, concurrency: 100 },
      medianMs: 5_000,
      sigma: 0,
      workers: 100,
      minutes: 20,
    })
    expect(result.okPerMinute).toBeGreaterThanOrEqual(290)
    expect(result.throttled).toBe(0)
    expect(result.busiestWindow).toBeLessThanOrEqual(10)
  })

  test('a token bucket is never overdrawn by a rolling limit of its size per refill time', async () => {
    const upstream = {
      limits: { kind: 'token-bucket' as const, limit: 600, windowMs: 60_000 },
      headers: 'none' as const,
    }
    const result = await run({ upstream, medianMs: 400, sigma: 0.5, minutes: 20 })
    expect(result.throttled).toBe(0)
    expect(result.okPerMinute).toBeGreaterThanOrEqual(590)
  })
})
