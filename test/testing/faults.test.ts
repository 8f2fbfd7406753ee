import { describe, expect, test } from 'vitest'
import { createUpstream, type Faults, type UpstreamOptions, VirtualClock } from '../../src/testing/index.ts'

const url = 'https://api.example/'
const limits = { limit: 10, windowMs: 60_000 }

function setUp(faults: Faults, options: UpstreamOptions = {}) {
  const clock = new VirtualClock({ startMs: 5_000 })
  const upstream = createUpstream({ clock, limits, faults, ...options })
  const ask = () => clock.runUntil(upstream.fetch(url))
  const used = async () => 10 - Number((await ask()).headers.get('x-ratelimit-remaining')) - 1
  return { clock, upstream, ask, used }
}

describe('when', () => {
  async function statuses(faults: Faults, seconds = 5): Promise<number[]> {
    const { clock, ask } = setUp(faults)
    const list = []
    for (let second = 0; second < seconds; second++) {
      list.push((await ask()).status)
      await clock.advance(1_000)
    }
    return list
  }

  test.each<[string, Faults, number[]]>([
    ['index', [{ index: 1, status: 500 }], [200, 500, 200, 200, 200]],
    ['first', [{ first: 2, status: 500 }], [500, 500, 200, 200, 200]],
    ['fromMs and toMs', [{ fromMs: 1_000, toMs: 3_000, status: 500 }], [200, 500, 500, 200, 200]],
    ['fromMs', [{ fromMs: 3_000, status: 500 }], [200, 200, 200, 500, 500]],
    ['toMs', [{ toMs: 1_000, status: 500 }], [500, 200, 200, 200, 200]],
    ['no condition', [{ status: 500 }], [500, 500, 500, 500, 500]],
    ['all conditions must hold', [{ first: 3, fromMs: 2_000, status: 500 }], [200, 200, 500, 200, 200]],
    [
      'the first entry that holds',
      [
        { index: 0, status: 501 },
        { first: 2, status: 502 },
      ],
      [501, 502, 200, 200, 200],
    ],
    ['a function', ({ index }) => (index % 2 === 1 ? { status: 500 } : undefined), [200, 500, 200, 500, 200]],
  ])('%s', async (_, faults, expected) => {
    expect(await statuses(faults)).toEqual(expected)
  })

  test('a function is told the arrival', async () => {
    const seen: unknown[] = []
    const { clock, upstream } = setUp(({ request, ...rest }) => {
      seen.push({ ...rest, method: request.method, token: request.headers.get('authorization'), body: request.body })
      return undefined
    })
    await clock.advance(250)
    await upstream.fetch(url, { method: 'POST', headers: { authorization: 'Bearer a' }, body: 'x=1' })
    expect(seen).toEqual([
      { index: 0, nowMs: 5_250, sinceStartMs: 250, method: 'POST', token: 'Bearer a', body: 'x=1' },
    ])
  })
})

describe('status', () => {
  test('answers instead, with its headers and body, and is counted', async () => {
    const { ask, upstream, used } = setUp([{ index: 0, status: 503, headers: { 'Retry-After': '3' }, body: 'busy' }])
    const response = await ask()
    expect([response.status, response.headers.get('retry-after'), await response.text()]).toEqual([503, '3', 'busy'])
    expect(response.headers.get('x-ratelimit-remaining')).toBe('9')
    expect(await used()).toBe(1)
    expect(upstream.report()).toMatchObject({ requests: 2, ok: 1, throttled: 0, byStatus: { 200: 1, 503: 1 } })
  })

  test('counted: false leaves the limits alone and states no rate headers', async () => {
    const { ask, used, upstream } = setUp([{ index: 0, status: 401, counted: false }])
    const { headers } = await ask()
    expect(headers.has('x-ratelimit-remaining')).toBe(false)
    expect(headers.has('date')).toBe(true)
    expect(await used()).toBe(0)
    expect(upstream.report()).toMatchObject({ requests: 2, busiestWindow: 1 })
  })

  test('rateHeaders overrides that either way', async () => {
    const silent = await setUp([{ status: 502, rateHeaders: false }]).ask()
    expect(silent.headers.has('x-ratelimit-limit')).toBe(false)
    const stating = await setUp([{ status: 304, counted: false, rateHeaders: true }]).ask()
    expect(stating.headers.get('x-ratelimit-remaining')).toBe('10')
  })

  test('headers alone are added to the ordinary answer; an empty one takes it away', async () => {
    const faults = [{ headers: { 'X-RateLimit-Remaining': '77', 'X-RateLimit-Reset': '' } }]
    const { status, headers } = await setUp(faults).ask()
    expect(status).toBe(200)
    expect([headers.get('x-ratelimit-remaining'), headers.has('x-ratelimit-reset')]).toEqual(['77', false])
  })

  test('stands even where the limit refuses', async () => {
    const { ask } = setUp([{ status: 500 }], { limits: { limit: 0, windowMs: 1_000 } })
    expect((await ask()).status).toBe(500)
  })
})

describe('error', () => {
  test('refused: rejects after the way up, counts nothing, logs nothing', async () => {
    const { clock, upstream, ask, used } = setUp([{ index: 0, error: 'refused' }], { latency: { upMs: 30 } })
    const error = await ask().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(TypeError)
    expect(error).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } })
    expect([clock.now(), upstream.log.length, upstream.report().requests]).toEqual([5_030, 0, 0])
    expect(await used()).toBe(0)
  })

  test('reset: counted, then rejects after the way down', async () => {
    const { clock, upstream, ask, used } = setUp([{ index: 0, error: 'reset' }], { latency: { upMs: 30, downMs: 20 } })
    await expect(ask()).rejects.toMatchObject({ name: 'TypeError', cause: { code: 'ECONNRESET' } })
    expect(clock.now()).toBe(5_050)
    expect(upstream.log).toEqual([{ sentAtMs: 5_000, countedAtMs: 5_030, weight: 1, url, method: 'GET', own: true }])
    expect(await used()).toBe(1)
    expect(upstream.report()).toMatchObject({ requests: 2, ok: 1, byStatus: { reset: 1, 200: 1 } })
  })
})

describe('hang', () => {
  test('is counted and never answered', async () => {
    const { ask, upstream } = setUp([{ hang: true }])
    await expect(ask()).rejects.toThrow('no timer is left')
    expect(upstream.report()).toMatchObject({ requests: 1, ok: 0, busiestWindow: 1, byStatus: { hang: 1 } })
    expect(upstream.log[0]).not.toHaveProperty('status')
  })

  test('ends with the signal', async () => {
    const { clock, upstream } = setUp([{ hang: true }])
    const controller = new AbortController()
    const pending = upstream.fetch(url, { signal: controller.signal })
    clock.setTimer(() => controller.abort('enough'), 700, { keepAlive: true })
    await expect(clock.runUntil(pending)).rejects.toBe('enough')
    expect(clock.now()).toBe(5_700)
  })
})

test('delayMs comes on top of the way down', async () => {
  const { clock, ask, upstream } = setUp([{ index: 0, delayMs: 400 }], { latency: { upMs: 1, downMs: 2 } })
  expect((await ask()).status).toBe(200)
  expect(clock.now()).toBe(5_403)
  expect(upstream.log[0]).toMatchObject({ countedAtMs: 5_001, answeredAtMs: 5_403 })
})

test('what a script throws rejects the fetch', async () => {
  const { ask } = setUp(() => {
    throw new Error('from the script')
  })
  await expect(ask()).rejects.toThrow('from the script')
})
