import { describe, expect, test } from 'vitest'
import { createUpstream, type UpstreamOptions, VirtualClock } from '../../src/testing/index.ts'

const url = 'https://api.example/v1/things?page=2'

function setUp(options: UpstreamOptions = {}) {
  const clock = new VirtualClock()
  const upstream = createUpstream({ clock, limits: { limit: 3, windowMs: 60_000 }, ...options })
  return { clock, upstream }
}

describe('an answer', () => {
  test('is a Response of the URL that was asked for', async () => {
    const { fetch } = setUp().upstream
    const response = await fetch(`${url}#part`)
    expect(response).toBeInstanceOf(Response)
    expect([response.status, response.ok, response.url, await response.text()]).toEqual([200, true, url, 'ok'])
  })

  test('is never there at once, even without latency, and takes no time then', async () => {
    const { clock, upstream } = setUp()
    let answered = false
    const pending = upstream.fetch(url).then(() => (answered = true))
    expect([answered, upstream.log.length]).toEqual([false, 0])
    await pending
    expect([answered, clock.now()]).toEqual([true, 0])
  })

  test('of latency 0 keeps the order of sending', async () => {
    const { upstream } = setUp()
    await Promise.all(['/a', '/b', '/c'].map((path) => upstream.fetch(`https://api.example${path}`)))
    expect(upstream.log.map((entry) => new URL(entry.url).pathname)).toEqual(['/a', '/b', '/c'])
  })

  test('is 429 beyond the limit', async () => {
    const { upstream } = setUp({ body: (arrival, status) => `${arrival.index}: ${status}` })
    const bodies = []
    for (let index = 0; index < 4; index++) bodies.push(await (await upstream.fetch(url)).text())
    expect(bodies).toEqual(['0: 200', '1: 200', '2: 200', '3: 429'])
  })

  test('has the status and the body it is told', async () => {
    const fixed = await setUp({ status: 201, body: '{}' }).upstream.fetch(url)
    expect([fixed.status, await fixed.text()]).toEqual([201, '{}'])
    const { upstream } = setUp({ status: ({ index }) => 200 + index, throttledStatus: 418 })
    const statuses = []
    for (let index = 0; index < 4; index++) statuses.push((await upstream.fetch(url)).status)
    expect(statuses).toEqual([200, 201, 202, 418])
    expect(upstream.report()).toMatchObject({ throttled: 1, ok: 3 })
  })

  test.each([
    ['a status without one', 204, 'GET'],
    ['a status without one', 304, 'GET'],
    ['HEAD', 200, 'HEAD'],
  ])('has no body for %s', async (_, status, method) => {
    const response = await setUp({ status }).upstream.fetch(url, { method })
    expect([response.status, response.body]).toEqual([status, null])
  })

  test('of a redirect is handed back', async () => {
    const { upstream } = setUp({ faults: [{ status: 302, headers: { location: '/other' } }] })
    const response = await upstream.fetch(url)
    expect([response.status, response.headers.get('location')]).toEqual([302, '/other'])
  })
})

describe('a request', () => {
  test.each<[string, Parameters<typeof fetch>, Record<string, unknown>]>([
    ['a string', [url], { method: 'GET' }],
    ['a URL', [new URL(url), { method: 'delete' }], { method: 'DELETE' }],
    ['a string body', [url, { method: 'POST', body: 'a=1' }], { method: 'POST', body: 'a=1' }],
    ['a form', [url, { method: 'PUT', body: new URLSearchParams({ a: '1' }) }], { method: 'PUT', body: 'a=1' }],
    ['a Request', [new Request(url, { method: 'POST', body: 'x' })], { method: 'POST', body: 'x' }],
    ['a Request and an init', [new Request(url), { method: 'PATCH', body: 'y' }], { method: 'PATCH', body: 'y' }],
    [
      'a stream',
      [url, { method: 'POST', body: new Blob(['z']).stream(), duplex: 'half' }],
      { method: 'POST', body: 'z' },
    ],
  ])('from %s is logged', async (_, args, expected) => {
    const { clock, upstream } = setUp()
    await clock.runUntil(upstream.fetch(...args))
    const instants = { sentAtMs: 0, countedAtMs: 0, answeredAtMs: 0 }
    expect(upstream.log).toEqual([{ ...instants, url, status: 200, weight: 1, own: true, ...expected }])
  })

  test('is weighed', async () => {
    const { upstream } = setUp({ weightOf: ({ headers }) => Number(headers.get('x-weight')) })
    const ask = async (weight: number) => (await upstream.fetch(url, { headers: { 'x-weight': `${weight}` } })).status
    expect([await ask(2), await ask(2), await ask(1)]).toEqual([200, 429, 200])
    expect(upstream.log.map(({ weight }) => weight)).toEqual([2, 2, 1])
  })

  test('that makes no sense rejects, as fetch does', async () => {
    const { upstream } = setUp()
    await expect(upstream.fetch('/relative')).rejects.toThrow(TypeError)
    expect(upstream.log).toEqual([])
  })

  test('must pass all limits; what one refuses no other charges', async () => {
    const limits = [
      { limit: 1, windowMs: 1_000, name: 'second' },
      { limit: 2, windowMs: 60_000, name: 'minute' },
    ]
    const { clock, upstream } = setUp({ limits })
    const statuses = []
    for (const gapMs of [0, 0, 1_000, 1_000, 58_000]) {
      await clock.advance(gapMs)
      statuses.push((await upstream.fetch(url)).status)
    }
    expect(statuses).toEqual([200, 429, 200, 429, 200])
  })

  test('that one limit refuses is charged by those that count refused ones', async () => {
    const limits = [
      { limit: 1, windowMs: 1_000 },
      { limit: 2, windowMs: 60_000, countRefused: true },
    ]
    const { clock, upstream } = setUp({ limits })
    expect([(await upstream.fetch(url)).status, (await upstream.fetch(url)).status]).toEqual([200, 429])
    await clock.advance(1_000)
    expect((await upstream.fetch(url)).status).toBe(429)
  })
})

describe('latency', () => {
  test('is waited for on the way up and on the way down', async () => {
    const { clock, upstream } = setUp({ latency: { upMs: 40, downMs: 60 } })
    const pending = upstream.fetch(url)
    expect(clock.keepAliveTimers).toBe(0)
    await clock.advance(39)
    expect([clock.keepAliveTimers, upstream.log.length]).toEqual([1, 0])
    await clock.advance(1)
    expect(upstream.log).toMatchObject([{ sentAtMs: 0, countedAtMs: 40, status: 200 }])
    expect(upstream.log[0]).not.toHaveProperty('answeredAtMs')
    await clock.advance(60)
    expect(upstream.log).toMatchObject([{ answeredAtMs: 100 }])
    expect((await pending).status).toBe(200)
  })

  test('counts in the order of arrival, not of sending', async () => {
    const upsMs = [50, 10]
    const { clock, upstream } = setUp({ latency: { upMs: () => upsMs.shift() ?? 0 } })
    const both = Promise.all([upstream.fetch(`${url}&n=1`), upstream.fetch(`${url}&n=2`)])
    await clock.runUntil(both)
    expect(upstream.log.map(({ countedAtMs }) => countedAtMs)).toEqual([10, 50])
  })

  test('on the way up is cut to maxUpMs', async () => {
    const { clock, upstream } = setUp({ latency: { upMs: { minMs: 500, maxMs: 900 } }, maxUpMs: 200 })
    await clock.runUntil(upstream.fetch(url))
    expect(clock.now()).toBe(200)
  })

  test('is the same for the same seed, and another for another', async () => {
    const endMs = async (options: UpstreamOptions) => {
      const { clock, upstream } = setUp({ ...options, latency: { upMs: { medianMs: 100, sigma: 1 } } })
      await clock.runUntil(upstream.fetch(url))
      return clock.now()
    }
    expect(await endMs({ seed: 5 })).toBe(await endMs({ seed: 5 }))
    expect(await endMs({ seed: 5 })).not.toBe(await endMs({ seed: 6 }))
    expect(await endMs({ random: () => 0 })).toBe(100)
  })

  test('of the body: headers first', async () => {
    const { clock, upstream } = setUp({ latency: { downMs: 10 }, bodyMs: 300, body: 'grüße' })
    const response = await clock.runUntil(upstream.fetch(url))
    expect(clock.now()).toBe(10)
    expect(await clock.runUntil(response.text())).toBe('grüße')
    expect(clock.now()).toBe(310)
  })

  test('of a body that is cancelled leaves no timer', async () => {
    const { clock, upstream } = setUp({ bodyMs: 300 })
    const response = await upstream.fetch(url)
    expect(clock.pendingTimers).toBe(1)
    await response.body?.cancel()
    expect(clock.pendingTimers).toBe(0)
  })
})
