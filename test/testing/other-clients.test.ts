import { describe, expect, test } from 'vitest'
import { createUpstream, type OtherClient, VirtualClock } from '../../src/testing/index.ts'
import { createOtherClients } from '../../src/testing/other-clients.ts'

const url = 'https://api.example/'

function arrivals(clients: OtherClient[], toMs: number, seed = 1): [atMs: number, weight: number][] {
  const list: [number, number][] = []
  createOtherClients(clients, seed)(toMs, (atMs, weight) => list.push([atMs, weight]))
  return list
}

describe('arrivals', () => {
  test('steady: evenly spaced from startMs, untilMs exclusive', () => {
    const client = { perMinute: 60, startMs: 500, untilMs: 3_500, weight: 2 }
    expect(arrivals([client], 60_000)).toEqual([
      [500, 2],
      [1_500, 2],
      [2_500, 2],
    ])
  })

  test('bursts: all at one instant, each request on its own', () => {
    const at = arrivals([{ burst: 3, everyMs: 1_000, startMs: 100 }], 1_100).map(([atMs]) => atMs)
    expect(at).toEqual([100, 100, 100, 1_100, 1_100, 1_100])
  })

  test('poisson: the mean, irregular, the same for the same seed', () => {
    const client = { perMinute: 600, poisson: true, startMs: 60_000 }
    const at = arrivals([client], 660_000).map(([atMs]) => atMs)
    expect(at.length).toBeGreaterThan(5_700)
    expect(at.length).toBeLessThan(6_300)
    expect(at[0]).toBeGreaterThan(60_000)
    const gaps = at.slice(1).map((atMs, index) => atMs - (at[index] ?? 0))
    const mean = gaps.reduce((a, b) => a + b) / gaps.length
    const deviation = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length)
    expect(deviation / mean).toBeCloseTo(1, 1)
    expect(arrivals([client], 660_000)).toEqual(arrivals([client], 660_000))
    expect(arrivals([client], 660_000, 2)).not.toEqual(arrivals([client], 660_000))
  })

  test('several clients: merged in time order', () => {
    const at = arrivals([{ perMinute: 6 }, { burst: 2, everyMs: 7_000, startMs: 3_000 }], 20_000).map(([atMs]) => atMs)
    expect(at).toEqual([0, 3_000, 3_000, 10_000, 10_000, 10_000, 17_000, 17_000, 20_000])
  })

  test.each<OtherClient>([{ perMinute: 0 }, { perMinute: NaN }, { burst: 1, everyMs: 0 }])(
    '%o is refused',
    (client) => {
      expect(() => createUpstream({ otherClients: [client] })).toThrow(RangeError)
    },
  )
})

describe('they spend the same limits', () => {
  test('those due by the same instant come first, and are charged at their own', async () => {
    const clock = new VirtualClock()
    const upstream = createUpstream({
      clock,
      limits: { limit: 3, windowMs: 10_000 },
      otherClients: [{ burst: 2, everyMs: 60_000, startMs: 5_000 }],
    })
    const remaining = async (atMs: number) => {
      await clock.advance(atMs - clock.now())
      const response = await upstream.fetch(url)
      return [response.status, Number(response.headers.get('x-ratelimit-remaining'))]
    }
    expect(await remaining(4_999)).toEqual([200, 2])
    expect(await remaining(5_000)).toEqual([429, 0])
    expect(await remaining(14_999)).toEqual([200, 0])
    expect(await remaining(15_000)).toEqual([200, 1])
    expect(upstream.report()).toMatchObject({ requests: 4, throttled: 1, busiestWindow: 4, ownBusiestWindow: 2 })
  })

  test('they count while nobody asks, and the report brings them up to now', async () => {
    const clock = new VirtualClock({ startMs: 1_000_000 })
    const upstream = createUpstream({
      clock,
      limits: { limit: 300, windowMs: 60_000 },
      otherClients: [{ perMinute: 120 }, { burst: 50, everyMs: 60_000, startMs: 600_001 }],
    })
    await clock.advance(600_000)
    expect(clock.pendingTimers).toBe(0)
    expect(upstream.report()).toMatchObject({ requests: 0, busiestWindow: 120, ownBusiestWindow: 0, perMinute: [] })
    const { headers } = await upstream.fetch(url)
    expect(headers.get('x-ratelimit-remaining')).toBe(String(300 - 120 - 1))
  })

  test('their refused ones are counted where the upstream counts refused ones', async () => {
    const clock = new VirtualClock()
    const limits = { limit: 5, windowMs: 60_000 }
    const otherClients = [{ burst: 9, everyMs: 60_000 }]
    const remaining = async (countRefused: boolean) => {
      const { headers } = await createUpstream({ clock, limits, otherClients, countRefused }).fetch(url)
      return headers.get('x-ratelimit-remaining')
    }
    expect([await remaining(false), await remaining(true)]).toEqual(['0', '-5'])
  })
})
