import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import { createUpstream, type UpstreamOptions, VirtualClock } from '../../src/testing/index.ts'

const url = 'https://api.example/v1/things?page=2'

function setUp(options: UpstreamOptions = {}) {
  const clock = new VirtualClock()
  const upstream = createUpstream({ clock, limits: { limit: 3, windowMs: 60_000 }, ...options })
  const at = (ms: number, act: () => void) => clock.setTimer(act, ms, { keepAlive: true })
  return { clock, upstream, at }
}

describe('abort', () => {
  test('before sending: rejects with the reason and sends nothing', async () => {
    const { clock, upstream } = setUp()
    await expect(upstream.fetch(url, { signal: AbortSignal.abort('no') })).rejects.toBe('no')
    await clock.advance(1_000)
    expect(upstream.log).toEqual([])
  })

  test.each([0, 50])('on the way up: rejects at once, counted on arrival all the same; downMs %d', async (downMs) => {
    const { clock, upstream, at } = setUp({ latency: { upMs: 100, downMs } })
    const controller = new AbortController()
    const reason = new Error('changed my mind')
    at(30, () => controller.abort(reason))
    await expect(clock.runUntil(upstream.fetch(url, { signal: controller.signal }))).rejects.toBe(reason)
    expect([clock.now(), upstream.log.length]).toEqual([30, 0])
    await clock.runAll()
    expect(clock.now()).toBe(100)
    expect(upstream.log).toEqual([
      { sentAtMs: 0, countedAtMs: 100, status: 200, weight: 1, url, method: 'GET', own: true },
    ])
  })

  test('on the way down: rejects at once and leaves no timer', async () => {
    const { clock, upstream, at } = setUp({ latency: { upMs: 10, downMs: 500 } })
    const request = new Request(url, { signal: AbortSignal.any([]) })
    const controller = new AbortController()
    at(200, () => controller.abort())
    const pending = upstream.fetch(request, { signal: controller.signal })
    await expect(clock.runUntil(pending)).rejects.toMatchObject({ name: 'AbortError' })
    expect([clock.now(), clock.pendingTimers]).toEqual([200, 0])
    expect(upstream.log[0]).not.toHaveProperty('answeredAtMs')
  })

  test("by a Request's own signal", async () => {
    const { clock, upstream, at } = setUp({ latency: { upMs: 100 } })
    const controller = new AbortController()
    at(30, () => controller.abort())
    const pending = upstream.fetch(new Request(url, { signal: controller.signal }))
    await expect(clock.runUntil(pending)).rejects.toMatchObject({ name: 'AbortError' })
    expect(clock.now()).toBe(30)
  })

  test('after the headers: the body that is still to come fails with the reason', async () => {
    const { clock, upstream } = setUp({ bodyMs: 300 })
    const controller = new AbortController()
    const response = await upstream.fetch(url, { signal: controller.signal })
    const text = response.text()
    controller.abort('too slow')
    await expect(text).rejects.toBe('too slow')
    expect(clock.pendingTimers).toBe(0)
  })

  test('no listener is left on the signal, however it ends', async () => {
    const faults = [{ index: 1, error: 'reset' as const }]
    const { clock, upstream } = setUp({ latency: { upMs: 10 }, bodyMs: 10, faults })
    const { signal } = new AbortController()
    const listeners = () => getEventListeners(signal, 'abort').length
    const pending = upstream.fetch(url, { signal })
    expect(listeners()).toBe(1)
    await clock.runUntil(pending.then((response) => response.text()))
    expect(listeners()).toBe(0)
    await clock.runUntil(upstream.fetch(url, { signal }).catch(() => {}))
    await clock.advance(0)
    expect(listeners()).toBe(0)
  })
})
