import { describe, expect, test } from 'vitest'
import { run } from './run.ts'

const SEEDS = [1, 2]

describe('another client on the same account, 30 minutes', () => {
  test.each(SEEDS.flatMap((seed) => [0, 90_000].map((startMs) => ({ seed, startMs }))))(
    'bursts of 200 every 3 windows from $startMs ms, seed $seed: at most 105 own 429s',
    async ({ seed, startMs }) => {
      const otherClients = [{ burst: 200, everyMs: 180_000, startMs }]
      const result = await run({ upstream: { otherClients }, seed, minutes: 30 })
      expect(result.throttled).toBeLessThanOrEqual(105)
      expect(result.ownBusiestWindow).toBeLessThanOrEqual(600)
      expect(result.okPerMinute).toBeGreaterThanOrEqual(500)
    },
  )

  test.each(
    SEEDS.flatMap((seed) => [
      { seed, medianMs: 100 },
      { seed, medianMs: 400 },
    ]),
  )('a steady 300 a minute, median $medianMs ms, seed $seed: at most 15 own 429s', async ({ seed, medianMs }) => {
    const result = await run({ upstream: { otherClients: [{ perMinute: 300 }] }, medianMs, seed, minutes: 30 })
    expect(result.throttled).toBeLessThanOrEqual(15)
    expect(result.okPerMinute).toBeGreaterThanOrEqual(285)
  })

  test.each([
    { burst: 573, everyMs: 60_000 },
    { burst: 590, everyMs: 60_000 },
    { burst: 600, everyMs: 120_000 },
    { burst: 800, everyMs: 180_000 },
  ])('92 requests at 27 a minute beside bursts of $burst every $everyMs ms: at most 5 429s', async (burst) => {
    const otherClients = [{ ...burst, startMs: 20_000 }]
    const result = await run({ upstream: { otherClients }, workers: 1, everyMs: 2_122, calls: 92, minutes: 60 })
    expect(result.requests).toBe(92)
    expect(result.throttled).toBeLessThanOrEqual(5)
  })
  test('a reading of -534 holds the gate until that much has aged out', async () => {
    const otherClients = [{ burst: 1_133, everyMs: 3_600_000 }]
    const first = await run({ upstream: { otherClients }, minutes: 0.99 })
    expect(first.requests).toBe(1)
    const after = await run({ upstream: { otherClients }, minutes: 3 })
    expect(after.throttled).toBe(1)
    expect(after.perMinute[1]).toBeGreaterThan(590)
  })
})
