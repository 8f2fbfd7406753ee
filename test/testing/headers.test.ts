import { describe, expect, test } from 'vitest'
import { createUpstream, type UpstreamOptions, VirtualClock } from '../../src/testing/index.ts'

const url = 'https://api.example/'
const wallStartMs = Date.UTC(2026, 0, 1)
const epoch = wallStartMs / 1000

/** The headers of the answer to the last of `requests`, each `gapMs` after the one before. */
async function headersAfter(
  requests: number,
  gapMs: number,
  options: UpstreamOptions,
): Promise<Record<string, string>> {
  const clock = new VirtualClock({ wallStartMs })
  const upstream = createUpstream({ clock, limits: { limit: 2, windowMs: 60_000 }, ...options })
  let response = await upstream.fetch(url)
  for (let sent = 1; sent < requests; sent++) {
    await clock.advance(gapMs)
    response = await upstream.fetch(url)
  }
  const { 'content-type': _, ...rest } = Object.fromEntries(response.headers)
  return rest
}

describe('rate headers', () => {
  test.each<[UpstreamOptions['headers'] & string, Record<string, string>]>([
    ['x-ratelimit', { 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${epoch + 60}` }],
    ['x-ratelimit-delta', { 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '59' }],
    ['docker-hub', { 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${epoch + 59}` }],
    ['ratelimit', { 'ratelimit-limit': '2', 'ratelimit-remaining': '0', 'ratelimit-reset': '59' }],
    ['none', {}],
  ])('%s', async (headers, expected) => {
    expect(await headersAfter(2, 1_300, { headers, date: false })).toEqual(expected)
  })

  test('x-ratelimit rounds the reset up to a whole second', async () => {
    const clock = new VirtualClock({ wallStartMs: wallStartMs + 1 })
    const upstream = createUpstream({ clock, limits: { limit: 2, windowMs: 60_000 } })
    expect((await upstream.fetch(url)).headers.get('x-ratelimit-reset')).toBe(`${epoch + 61}`)
  })

  test('x-ratelimit is what is stated by default', async () => {
    expect(await headersAfter(1, 0, {})).toMatchObject({ 'x-ratelimit-remaining': '1' })
  })

  test('docker-hub moves the reset with every response, to 58 s from now', async () => {
    const reset = async (requests: number) =>
      (await headersAfter(requests, 7_000, { headers: 'docker-hub' }))['x-ratelimit-reset']
    expect([await reset(1), await reset(2), await reset(3)]).toEqual([epoch + 58, epoch + 65, epoch + 72].map(String))
  })

  test.each([
    [false, '0'],
    [true, '-534'],
  ])('remaining after 1 134 requests against 600, refused ones counted: %s', async (countRefused, remaining) => {
    const options = { limits: { limit: 600, windowMs: 60_000 }, countRefused }
    expect(await headersAfter(1_134, 10, options)).toMatchObject({ 'x-ratelimit-remaining': remaining })
  })

  test('a function writes its own from the whole state', async () => {
    const seen: unknown[] = []
    const headers = await headersAfter(3, 1_000, {
      limits: { limit: 2, windowMs: 60_000, countRefused: true, name: 'core' },
      date: false,
      headers: (state) => {
        seen.push(state)
        return { 'x-left': `${state.name}=${state.remaining}` }
      },
    })
    expect(headers).toEqual({ 'x-left': 'core=-1' })
    const reading = { limit: 2, remaining: -1, used: 3, resetInMs: 58_000, windowMs: 60_000, name: 'core' }
    expect(seen[2]).toEqual({ ...reading, throttled: true, wallMs: wallStartMs + 2_000, readings: [reading] })
  })

  test('of several limits the one with the least remaining is stated', async () => {
    const limits = [
      { limit: 100, windowMs: 1_000 },
      { limit: 5, windowMs: 60_000 },
    ]
    expect(await headersAfter(1, 0, { limits })).toMatchObject({
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '4',
    })
  })

  test('no limits, no rate headers', async () => {
    expect(await headersAfter(1, 0, { limits: [], date: false })).toEqual({})
  })
})

describe('retry-after', () => {
  test.each<[NonNullable<UpstreamOptions['retryAfter']>, string | undefined]>([
    ['none', undefined],
    ['seconds', '58'],
    ['date', 'Thu, 01 Jan 2026 00:01:00 GMT'],
    [7, '7'],
    [({ resetInMs }) => `${resetInMs}ms`, '57400ms'],
  ])('%s', async (retryAfter, expected) => {
    expect((await headersAfter(2, 1_300, { retryAfter }))['retry-after']).toBe(undefined)
    expect((await headersAfter(3, 1_300, { retryAfter }))['retry-after']).toBe(expected)
  })

  test('is at least a second, and that of the refusing limit that resets last', async () => {
    const tiny = { limits: { limit: 1, windowMs: 100 }, retryAfter: 'seconds' } as const
    expect((await headersAfter(2, 10, tiny))['retry-after']).toBe('1')
    const limits = [
      { limit: 1, windowMs: 5_000 },
      { limit: 1, windowMs: 9_000 },
      { limit: 10, windowMs: 60_000 },
    ]
    expect((await headersAfter(2, 0, { limits, retryAfter: 'seconds' }))['retry-after']).toBe('9')
  })

  test('goes on a scripted 429 too, unless the script says another', async () => {
    const options: UpstreamOptions = { retryAfter: 30, limits: [] }
    expect(await headersAfter(1, 0, { ...options, faults: [{ status: 429 }] })).toMatchObject({ 'retry-after': '30' })
    const faults = [{ status: 429, headers: { 'Retry-After': '5' } }]
    expect(await headersAfter(1, 0, { ...options, faults })).toMatchObject({ 'retry-after': '5' })
    expect(await headersAfter(1, 0, { ...options, faults: [{ status: 503 }] })).not.toHaveProperty('retry-after')
  })
})

describe('date', () => {
  test('is cut to whole seconds', async () => {
    expect(await headersAfter(2, 1_999, {})).toMatchObject({ date: 'Thu, 01 Jan 2026 00:00:01 GMT' })
  })

  test('can be left out', async () => {
    expect(await headersAfter(1, 0, { date: false })).not.toHaveProperty('date')
  })

  test("is the upstream's own: skewed, and untouched by jumps of the client's wall clock", async () => {
    const clock = new VirtualClock({ wallStartMs })
    const limits = { limit: 10, windowMs: 60_000 }
    const upstream = createUpstream({ clock, limits, wallSkewMs: 120_000 })
    clock.jumpWall(-3_600_000)
    const { headers } = await upstream.fetch(url)
    expect(headers.get('date')).toBe('Thu, 01 Jan 2026 00:02:00 GMT')
    expect(headers.get('x-ratelimit-reset')).toBe(`${epoch + 120 + 60}`)
  })

  test('is that of the answer when a fault delays it', async () => {
    const clock = new VirtualClock({ wallStartMs })
    const upstream = createUpstream({ clock, faults: [{ delayMs: 5_000 }] })
    const { headers } = await clock.runUntil(upstream.fetch(url))
    expect(headers.get('date')).toBe('Thu, 01 Jan 2026 00:00:05 GMT')
  })
})

test('a fixed window is that of the upstream wall clock', async () => {
  const clock = new VirtualClock({ wallStartMs: wallStartMs + 59_000 })
  const upstream = createUpstream({ clock, limits: { kind: 'fixed', limit: 1, windowMs: 60_000 } })
  const statuses = []
  for (let second = 0; second < 3; second++) {
    statuses.push((await upstream.fetch(url)).status, (await upstream.fetch(url)).status)
    await clock.advance(1_000)
  }
  expect(statuses).toEqual([200, 429, 200, 429, 429, 429])
})
