import { describe, expect, test } from 'vitest'
import { createUpstream, type UpstreamOptions, VirtualClock } from '../../src/testing/index.ts'

const url = 'https://api.example/'

async function runAt(instantsMs: number[], options: UpstreamOptions) {
  const clock = new VirtualClock()
  const upstream = createUpstream({ clock, ...options })
  for (const atMs of instantsMs) {
    await clock.advance(atMs - clock.now())
    await upstream.fetch(url)
  }
  return upstream
}

describe('report', () => {
  test('of nothing', () => {
    expect(createUpstream({ clock: new VirtualClock() }).report()).toEqual({
      requests: 0,
      throttled: 0,
      ok: 0,
      busiestWindow: 0,
      ownBusiestWindow: 0,
      perMinute: [],
      byStatus: {},
    })
  })

  test('busiest window is half-open: what is exactly windowMs apart is not in one', async () => {
    const limits = { limit: 2, windowMs: 1_000 }
    expect((await runAt([0, 1_000, 2_000], { limits })).report().busiestWindow).toBe(1)
    expect((await runAt([0, 999, 2_000], { limits })).report().busiestWindow).toBe(2)
  })

  test('busiest window shows what the limit refused', async () => {
    const upstream = await runAt([0, 0, 0, 0, 0], { limits: { limit: 2, windowMs: 1_000 } })
    expect(upstream.report()).toMatchObject({ requests: 5, ok: 2, throttled: 3, busiestWindow: 5, ownBusiestWindow: 5 })
  })

  test('busiest window is by weight, that of the first limit, 60 000 ms without one', async () => {
    const weightOf = () => 3
    const limits = [
      { limit: 100, windowMs: 1_000 },
      { limit: 100, windowMs: 60_000 },
    ]
    expect((await runAt([0, 500, 5_000], { limits, weightOf })).report().busiestWindow).toBe(6)
    expect((await runAt([0, 500, 5_000, 60_000], { weightOf })).report().busiestWindow).toBe(9)
  })

  test('per minute: own requests that were not throttled, minutes without any included', async () => {
    const limits = { limit: 2, windowMs: 10_000 }
    const upstream = await runAt([0, 1, 2, 59_999, 60_000, 180_000], {
      limits,
      otherClients: [{ perMinute: 1, startMs: 30_000 }],
    })
    expect(upstream.report()).toMatchObject({ perMinute: [3, 1, 0, 1], byStatus: { 200: 5, 429: 1 } })
  })

  test('log: false keeps the same counters and no log', async () => {
    const instantsMs = Array.from({ length: 500 }, (_, index) => ((index * index) % 7) + index * 40)
    const options = { limits: { limit: 20, windowMs: 1_000 }, otherClients: [{ perMinute: 300 }] }
    const logged = await runAt(instantsMs, options)
    const unlogged = await runAt(instantsMs, { ...options, log: false })
    expect([logged.log.length, unlogged.log.length]).toEqual([500, 0])
    expect(unlogged.report()).toEqual(logged.report())
  })

  test('busiest window agrees with the log', async () => {
    const instantsMs = Array.from({ length: 400 }, (_, index) => index * 30 + ((index * 7_919) % 29))
    const upstream = await runAt(instantsMs, { limits: { limit: 10, windowMs: 1_000 } })
    const counted = upstream.log.map(({ countedAtMs }) => countedAtMs)
    const within = counted.map((t) => counted.filter((atMs) => atMs > t - 1_000 && atMs <= t).length)
    expect(upstream.report().busiestWindow).toBe(Math.max(...within))
  })
})

test('20 virtual minutes of 12 000 requests', async () => {
  const clock = new VirtualClock()
  const latency = { upMs: { medianMs: 50, sigma: 0.5 }, downMs: { medianMs: 50, sigma: 0.5 } }
  const limits = { limit: 600, windowMs: 60_000 }
  const upstream = createUpstream({ clock, limits, countRefused: true, latency })
  const send = async () => {
    const pending = []
    for (let sent = 0; sent < 12_000; sent++) {
      pending.push(upstream.fetch(url).then((response) => response.text()))
      await clock.sleep(100)
    }
    await Promise.all(pending)
  }
  const startedMs = performance.now()
  await clock.runUntil(send())
  expect(performance.now() - startedMs).toBeLessThan(20_000)
  expect(upstream.report().requests).toBe(12_000)
  expect(upstream.report().busiestWindow).toBeGreaterThanOrEqual(600)
})
