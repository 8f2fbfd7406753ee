import { describe, expect, test } from 'vitest'
import { createHeadgate, type HeadgateConfig, type UpstreamConfig } from '../../src/index.ts'
import type { Arrival, Fault, UpstreamOptions } from '../../src/testing/index.ts'
import { firstly, outcomeOf, setUp } from '../fetch/support.ts'

// Each test is a sentence of the public-throttling source, in its order.

const url = 'https://registry.example/lib'
const hinted = (retryAfter: string, status = 429): Fault => ({ status, headers: { 'retry-after': retryAfter } })

/** Nothing is retried: every attempt is one that the test asked for. */
const waiting: UpstreamConfig = { retry: false }
const refusing: UpstreamConfig = { retry: false, whenParked: 'refuse', refuseWith: 'response' }

/** Just below 1, the most that a clock draws. */
const MOST = 1 - Number.EPSILON

/** `seconds` after the virtual clock's first instant, as an HTTP date. */
const httpDate = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toUTCString()

/** A headgate whose first call was answered with `fault`, at 0. */
async function throttledBy(
  fault: Fault,
  pacing: UpstreamConfig,
  options: UpstreamOptions = {},
  config?: HeadgateConfig,
) {
  const set = setUp(pacing, { ...firstly(fault), ...options }, config)
  const first = await set.run(set.headgate.fetch(url))
  return { ...set, first }
}

/** How long a call waits that is made right after one that was answered with `fault`. */
async function cooldownAfter(fault: Fault): Promise<number | undefined> {
  const { headgate, run, clock, sentAt } = await throttledBy(fault, waiting)
  clock.random = () => MOST
  await run(headgate.fetch(url))
  return sentAt()[1]
}

/** The cooldowns of an upstream that answers bare 429s for half an hour, as one patient call has them. `skip` draws go before. */
async function fallbacks(random?: () => number, skip = 0): Promise<number[]> {
  const retry = { rateLimited: { maxDurationMs: 7_200_000 } }
  const { headgate, run, clock, sentAt } = setUp({ retry }, { faults: [{ status: 429, toMs: 1_800_000 }] })
  for (let draw = 0; draw < skip; draw += 1) clock.random()
  if (random) clock.random = random
  await run(headgate.fetch(url))
  const sent = sentAt()
  return sent.slice(1).map((at, index) => at - sent[index]!)
}

describe('cooldown applies to the destination authority', () => {
  test('a 429 starts a cooldown for that host and port', async () => {
    const { headgate, run, upstream } = await throttledBy(hinted('30'), refusing)
    const places = [`${url}/other`, 'https://registry.example:8443/', 'http://registry.example/', 'https://b.example/']
    const responses = await run(Promise.all(places.map((place) => headgate.fetch(place))))
    expect(responses.map(({ status }) => status)).toEqual([503, 200, 200, 200])
    expect(upstream.log.map((entry) => entry.url)).toEqual([url, ...places.slice(1)])
  })

  test.each([
    ['30', 30_000],
    [httpDate(30), 30_000],
    [undefined, 0],
    ['', 0],
    ['0', 0],
    ['-30', 0],
    ['soon', 0],
    [httpDate(-30), 0],
  ])('a 503 starts one only with a valid, positive Retry-After: %j, %d ms', async (retryAfter, expected) => {
    expect(await cooldownAfter(retryAfter === undefined ? { status: 503 } : hinted(retryAfter, 503))).toBe(expected)
  })

  test.each([
    ['1', 1_000],
    ['599', 599_000],
    ['600', 600_000],
    ['601', 600_000],
    ['86400', 600_000],
    [httpDate(45), 45_000],
    [httpDate(600), 600_000],
    [httpDate(3_600), 600_000],
  ])('numeric seconds and HTTP dates are accepted, to a maximum of 600 s: %s, %d ms', async (retryAfter, expected) => {
    expect(await cooldownAfter(hinted(retryAfter))).toBe(expected)
  })

  test('a 429 without a usable hint starts with a 60-second fallback, whatever is drawn', async () => {
    for (const random of [0, 0.5, MOST]) expect((await fallbacks(() => random))[0]).toBe(60_000)
  })

  test('failed recovery probes double the fallback ceiling up to 600 s', async () => {
    const ceilings = [60_000, 120_000, 240_000, 480_000, 600_000, 600_000]
    expect((await fallbacks(() => MOST)).map(Math.round)).toEqual(ceilings)
  })

  test('jitter selects a delay between 60 s and that ceiling', async () => {
    expect((await fallbacks(() => 0)).slice(0, 6)).toEqual(Array.from({ length: 6 }, () => 60_000))
    expect(await fallbacks(() => 0.5)).toEqual([60_000, 90_000, 150_000, 270_000, 330_000, 330_000, 330_000, 330_000])
    const drawn = await Promise.all(Array.from({ length: 20 }, (_, skip) => fallbacks(undefined, skip)))
    const fourth = drawn.map((delays) => delays[3]!)
    expect(fourth.every((delay) => delay >= 60_000 && delay <= 480_000)).toBe(true)
    expect(new Set(fourth).size).toBe(20)
  })

  test.each([
    ['missing', undefined],
    ['malformed', 'in a while'],
    ['malformed', '-5'],
    ['zero', '0'],
    ['expired', httpDate(-5)],
  ])('%s hints use this fallback: %j', async (_, retryAfter) => {
    expect(await cooldownAfter(retryAfter === undefined ? { status: 429 } : hinted(retryAfter))).toBe(60_000)
  })

  test('everyone in the process shares the state of an authority', async () => {
    const { headgate, run, upstream } = await throttledBy(hinted('30'), refusing)
    const { fetch } = headgate
    const callers = [fetch, headgate.with({ priority: 9 }).fetch, headgate.with({ maxWaitMs: 600_000 }).fetch]
    const responses = await run(Promise.all(callers.map((call) => call(url))))
    expect([responses.map(({ status }) => status), upstream.log.length]).toEqual([[503, 503, 503], 1])
  })

  test('metadata and files on separate authorities have separate cooldowns, also under one name', async () => {
    const authorities = ['registry.example', 'files.example']
    const config = { upstreams: { registry: { ...refusing, coldStartMs: 0, authorities } } }
    const faults: UpstreamOptions = {
      faults: [
        { index: 0, ...hinted('30') },
        { index: 1, ...hinted('50') },
      ],
    }
    const { headgate, run, clock } = await throttledBy({}, {}, faults, config)
    const both = () => run(Promise.all([url, 'https://files.example/lib.tgz'].map((place) => headgate.fetch(place))))
    const statuses = async () => (await both()).map(({ status }) => status)
    expect(await statuses()).toEqual([503, 429])
    await clock.advance(30_000)
    expect(await statuses()).toEqual([200, 503])
    await clock.advance(20_000)
    expect(await statuses()).toEqual([200, 200])
  })

  test.each([
    ['that stay out of it', { headgate: false }],
    ['with credentials of their own', { headers: { authorization: 'own' } }],
    ['in a partition of their own', { headgate: { partition: 'publish' } }],
  ] as const)('reads and writes %s do not use this cooldown', async (_, init) => {
    const partition: UpstreamConfig['partition'] = ({ headers }) => headers.get('authorization') ?? 'public'
    const { headgate, run, sentAt } = await throttledBy(hinted('30'), { ...refusing, partition })
    expect((await run(headgate.fetch(url, { method: 'PUT', ...init }))).status).toBe(200)
    expect((await run(headgate.fetch(url))).status).toBe(503)
    expect(sentAt()).toEqual([0, 0])
  })
})

describe('what clients and workers receive', () => {
  test.each([
    ['wait', waiting],
    ['are refused', refusing],
  ])('during cooldown no request is sent to that authority: callers %s', async (_, pacing) => {
    const { headgate, clock, upstream } = await throttledBy(hinted('30'), pacing)
    for (let second = 0; second < 30; second += 1) {
      void headgate.fetch(url)
      await clock.advance(second < 29 ? 1_000 : 999)
    }
    expect(upstream.log).toHaveLength(1)
    void headgate.fetch(url)
    await clock.advance(1)
    void headgate.fetch(url)
    await clock.advance(0)
    expect(upstream.log.length).toBeGreaterThan(1)
  })

  test.each([
    [0, '30'],
    [1, '30'],
    [999, '30'],
    [1_000, '29'],
    [17_500, '13'],
    [29_000, '1'],
    [29_999, '1'],
  ])('%d ms into 30 s a request receives 503 with the remaining Retry-After, rounded up: %s', async (ms, seconds) => {
    const { headgate, run, clock } = await throttledBy(hinted('30'), refusing)
    await clock.advance(ms)
    const { status, headers } = await run(headgate.fetch(url))
    expect([status, headers.get('retry-after')]).toEqual([503, seconds])
  })

  test('a fetch that follows still checks its own destination authority', async () => {
    const files = 'https://files.example/lib.tgz'
    const faults = ({ index, request }: Arrival): Fault | undefined => {
      if (request.url !== files) return { status: 302, headers: { location: files } }
      return index === 0 ? hinted('30') : undefined
    }
    const { headgate, run, upstream, clock } = setUp(refusing, { faults })
    await run(headgate.fetch(files))
    const held = await run(headgate.fetch(url))
    expect([held.status, held.headers.get('retry-after')]).toEqual([503, '30'])
    expect(upstream.log.map((entry) => entry.url)).toEqual([files, url])
    await clock.advance(30_000)
    expect((await run(headgate.fetch(url))).status).toBe(200)
  })

  test.each([429, 503])('the first throttled response retains its status and headers: %d', async (status) => {
    const fault = { status, headers: { 'retry-after': '30', 'x-request-id': 'a1', etag: '"e"' }, body: 'slow down' }
    const { first } = await throttledBy(fault, refusing)
    expect([first.status, first.bodyUsed, await first.text()]).toEqual([status, false, 'slow down'])
    expect(Object.fromEntries(first.headers)).toMatchObject(fault.headers)
  })

  test('later local refusals use 503 and the remaining delay', async () => {
    const { headgate, run, clock, sentAt } = await throttledBy(hinted('30'), refusing)
    const told: unknown[] = []
    for (let call = 0; call < 3; call += 1) {
      const { status, headers } = await run(headgate.fetch(url))
      told.push([status, headers.get('retry-after')])
      await clock.advance(10_000)
    }
    expect(told).toEqual([
      [503, '30'],
      [503, '20'],
      [503, '10'],
    ])
    expect(sentAt()).toEqual([0])
  })

  test('after the deadline, one request probes the authority', async () => {
    const { headgate, clock, sentAt } = await throttledBy(hinted('30'), waiting, { latency: { downMs: 5_000 } })
    expect(clock.now()).toBe(5_000)
    for (let call = 0; call < 100; call += 1) void headgate.fetch(url)
    await clock.advance(29_999)
    expect(sentAt()).toEqual([0])
    await clock.advance(1)
    expect(sentAt()).toEqual([0, 35_000])
    await clock.advance(4_999)
    expect(sentAt()).toEqual([0, 35_000])
  })

  test('other callers receive a one-second retry hint while that probe runs', async () => {
    const { headgate, run, clock, sentAt } = await throttledBy(hinted('30'), refusing, { latency: { downMs: 5_000 } })
    await clock.advance(30_000)
    const probe = headgate.fetch(url)
    for (const elapsed of [0, 2_500, 2_499]) {
      await clock.advance(elapsed)
      const { status, headers } = await run(headgate.fetch(url))
      expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    }
    expect([(await run(probe)).status, sentAt()]).toEqual([200, [0, 35_000]])
  })

  test.each([200, 304, 404, 500])('a non-throttling response restores ordinary traffic: %d', async (status) => {
    const { headgate, run, clock, upstream } = await throttledBy(hinted('30'), refusing, { status })
    await clock.advance(30_000)
    expect((await run(headgate.fetch(url))).status).toBe(status)
    const responses = [await run(headgate.fetch(url)), await run(headgate.fetch(url))]
    expect([responses.map((response) => response.status), upstream.log.length]).toEqual([[status, status], 4])
  })

  test.each([
    ['a cancelled probe', { hang: true }, 'AbortError', [0, 30_000, 30_201]],
    ['a reset connection', { error: 'reset', delayMs: 200 }, 'TypeError', [0, 30_000, 30_200]],
    // One that never reaches the upstream is not in its log.
    ['a refused connection', { error: 'refused', delayMs: 200 }, 'TypeError', [0, 30_200]],
  ] as const)('%s releases the probe slot for another request', async (_, lost, outcome, expected) => {
    const faults = ({ index }: Arrival) => [hinted('30'), lost, { delayMs: 1_000 }][index]
    const { headgate, run, at, clock, sentAt } = await throttledBy({}, waiting, { faults })
    const controller = new AbortController()
    const probe = outcomeOf(headgate.fetch(url, { signal: controller.signal }))
    const others = Array.from({ length: 10 }, () => headgate.fetch(url))
    at(30_201, () => controller.abort())
    expect(await run(probe)).toBe(outcome)
    await clock.advance(999)
    expect(sentAt()).toEqual(expected)
    expect((await run(Promise.all(others))).every(({ status }) => status === 200)).toBe(true)
  })
})

describe('scope and observation', () => {
  test('the state belongs to one process', async () => {
    const { run, upstream, clock } = await throttledBy(hinted('30'), refusing)
    const elsewhere = createHeadgate({ clock, fetch: upstream.fetch, default: { coldStartMs: 0, ...refusing } })
    expect((await run(elsewhere.fetch(url))).status).toBe(200)
  })

  test('it does not impose a request budget on a cluster', async () => {
    const pacing = { limits: { limit: 5, windowMs: 60_000 } }
    const { headgate, clock, upstream } = setUp(pacing)
    const elsewhere = createHeadgate({ clock, fetch: upstream.fetch, default: { coldStartMs: 0, ...pacing } })
    for (let call = 0; call < 20; call += 1) void (call % 2 === 0 ? headgate : elsewhere).fetch(url)
    await clock.advance(59_999)
    expect(upstream.report().busiestWindow).toBe(10)
  })

  test('cooldown entry and recovery are told with host and port', async () => {
    const set = setUp(waiting, firstly(hinted('30')))
    const told: unknown[] = []
    for (const name of ['headgate:park', 'headgate:reopen'] as const) {
      set.headgate.on(name, ({ host, port }) => void told.push([name, host, port, set.clock.now()]))
    }
    const place = 'https://registry.example:8443/'
    await set.run(set.headgate.fetch(place))
    await set.run(set.headgate.fetch(place))
    expect(told).toEqual([
      ['headgate:park', 'registry.example', 8443, 0],
      ['headgate:reopen', 'registry.example', 8443, 30_000],
    ])
  })

  test('the counter reports actual attempts by host, kind and outcome', async () => {
    const pacing: UpstreamConfig = { whenParked: 'refuse', retry: { rateLimited: { whenTooLong: 'return' } } }
    const faults = [
      { index: 0, ...hinted('400') },
      { index: 1, status: 500 },
    ]
    const { headgate, run, clock, upstream } = setUp(pacing, { faults })
    const call = (place: string) => run(outcomeOf(headgate.fetch(place)))
    const other = 'https://files.example/'
    expect(await call(url)).toBe(429)
    expect([await call(url), await call(url), await call(other)]).toEqual(['parked', 'parked', 200])
    await clock.advance(400_000)
    expect([await call(url), await call(url)]).toEqual([200, 200])
    const { attempts } = headgate.snapshot()
    expect(attempts).toEqual([
      { host: 'registry.example', port: 443, kind: 'first', outcome: 'throttled', count: 1 },
      { host: 'files.example', port: 443, kind: 'first', outcome: 'error', count: 1 },
      { host: 'files.example', port: 443, kind: 'retry', outcome: 'ok', count: 1 },
      { host: 'registry.example', port: 443, kind: 'probe', outcome: 'ok', count: 1 },
      { host: 'registry.example', port: 443, kind: 'first', outcome: 'ok', count: 1 },
    ])
    const arrived = upstream.log.filter((entry) => entry.url === url)
    const counted = attempts.filter(({ host }) => host === 'registry.example').map(({ count }) => count)
    expect(counted.reduce((sum, count) => sum + count)).toBe(arrived.length)
  })
})
