import { describe, expect, test } from 'vitest'
import { createHeadgate } from '../../src/index.ts'
import { createUpstream, sample, VirtualClock } from '../../src/testing/index.ts'
import { createRandom } from '../../src/random.ts'
import { DOCKER_HUB } from './run.ts'

const MINUTE_MS = 60_000
const SETTLED_MS = 20 * MINUTE_MS
const END_MS = 40 * MINUTE_MS
const WORKERS = 25

/**
 * Clients of one account, each with a headgate of its own, as fast as they may. What each was let in for a minute once they have settled, and the
 * 429s that all of them were answered a minute.
 */
async function share(clients: number, medianMs: number, fairShare = true, seed = 1) {
  const clock = new VirtualClock({ seed })
  const random = createRandom(seed)
  const whole = { medianMs, sigma: 0.3 }
  const upstream = createUpstream({
    ...DOCKER_HUB,
    clock,
    latency: {
      upMs: (chance) => sample(whole, chance) * chance(),
      downMs: (chance) => sample(whole, chance) * chance(),
    },
    maxUpMs: 400,
    log: false,
    seed,
  })
  const answered = { ok: Array.from({ length: clients }, () => 0), throttled: 0 }
  const limits = { limit: 600, windowMs: MINUTE_MS }
  for (let client = 0; client < clients; client += 1) {
    const config = { limits, concurrency: WORKERS, retry: false as const, fairShare }
    const headgate = createHeadgate({ clock, fetch: upstream.fetch, upstreams: { 'hub.docker.com': config } })
    const work = async (): Promise<void> => {
      while (clock.now() < END_MS) {
        const response = await headgate.fetch('https://hub.docker.com/v2/')
        await response.text()
        if (clock.now() < SETTLED_MS) continue
        if (response.ok) answered.ok[client]! += 1
        else answered.throttled += 1
      }
    }
    const start = (): void => void Promise.all(Array.from({ length: WORKERS }, work))
    clock.setTimer(start, random() * MINUTE_MS, { keepAlive: true })
  }
  await clock.advance(END_MS)
  const minutes = (END_MS - SETTLED_MS) / MINUTE_MS
  const each = answered.ok.map((ok) => ok / minutes)
  const total = each.reduce((sum, ok) => sum + ok, 0)
  const jain = total ** 2 / (clients * each.reduce((sum, ok) => sum + ok ** 2, 0))
  return { total, throttled: answered.throttled / minutes, jain, upstream: upstream.report() }
}

describe('fairShare, headers alone, 600 per 60 s', () => {
  test.each([
    { clients: 2, medianMs: 20 },
    { clients: 2, medianMs: 100 },
    { clients: 2, medianMs: 400 },
    { clients: 4, medianMs: 20 },
    { clients: 4, medianMs: 400 },
    { clients: 8, medianMs: 20 },
    { clients: 8, medianMs: 400 },
  ])('$clients clients, median $medianMs ms: at least 560 a minute, at most 5 429s, Jain 0.98', async (row) => {
    const { total, throttled, jain } = await share(row.clients, row.medianMs)
    expect(total).toBeGreaterThanOrEqual(560)
    expect(throttled).toBeLessThanOrEqual(5)
    expect(jain).toBeGreaterThanOrEqual(0.98)
  })

  test('one client alone: 600 a minute and no 429', async () => {
    const { total, upstream } = await share(1, 100)
    expect([total, upstream.throttled, upstream.busiestWindow]).toEqual([600, 0, 600])
  })

  test('without it one of four has it all', async () => {
    const { jain } = await share(4, 100, false)
    expect(jain).toBeLessThan(0.6)
  })
})
