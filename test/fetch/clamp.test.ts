import { describe, expect, test } from 'vitest'
import { isRateLimitError, type UpstreamConfig } from '../../src/index.ts'
import type { Arrival, Fault } from '../../src/testing/index.ts'
import { firstly, outcomeOf, setUp, url } from './support.ts'

const throttled = (retryAfter: string): Fault => ({ status: 429, headers: { 'retry-after': retryAfter } })

/** The default allowance, and what a wait beyond its end does. */
const within = (whenTooLong: 'clamp' | 'return', maxDurationMs = 300_000): UpstreamConfig => ({
  retry: { rateLimited: { maxDurationMs, whenTooLong } },
})

describe('a wait is clamped to the end of the allowance', () => {
  test.each([
    ['180', [0, 180_000, 300_000]],
    ['300', [0, 300_000]],
    ['3600', [0, 300_000]],
    ['299.999', [0, 299_999, 300_000]],
  ])('a Retry-After of %s makes attempts at %j', async (retryAfter, expected) => {
    const { headgate, run, clock, sentAt } = setUp({}, { faults: [throttled(retryAfter)] })
    const response = await run(headgate.fetch(url))
    expect([response.status, sentAt(), clock.now()]).toEqual([429, expected, 300_000])
    expect(headgate.inspect(response)).toMatchObject({ attempts: expected.length, waitedMs: 300_000 })
  })

  test.each([
    ['clamp', [0, 299_000, 300_000]],
    ['return', [0, 299_000]],
  ] as const)('with one second left, told to wait for sixty: %s', async (whenTooLong, expected) => {
    const faults = [throttled('299'), throttled('60'), throttled('60')]
    const { headgate, run, clock, sentAt } = setUp(within(whenTooLong), firstly(...faults))
    expect((await run(headgate.fetch(url))).status).toBe(429)
    expect([sentAt(), clock.now()]).toEqual([expected, expected.at(-1)])
  })

  test.each(['1', '59.5', '180', '299'])('one of %s that fits is used as it is given', async (retryAfter) => {
    for (const whenTooLong of ['clamp', 'return'] as const) {
      const { headgate, run, sentAt } = setUp(within(whenTooLong), firstly(throttled(retryAfter)))
      expect((await run(headgate.fetch(url))).status).toBe(200)
      expect(sentAt()).toEqual([0, Number(retryAfter) * 1_000])
    }
  })

  test('the last attempt is the answer where it succeeds', async () => {
    const { headgate, run, sentAt } = setUp({}, firstly(throttled('3600')))
    expect((await run(headgate.fetch(url))).status).toBe(200)
    expect(sentAt()).toEqual([0, 300_000])
  })

  test('of a second and more, the duration ends the episode, not the count', async () => {
    for (const [retryAfter, attempts] of [
      ['1', 301],
      ['7', 44],
      ['60', 6],
    ] as const) {
      const { headgate, run, clock, upstream } = setUp({}, { faults: [throttled(retryAfter)] })
      await run(headgate.fetch(url))
      expect([upstream.log.length, clock.now()]).toEqual([attempts, 300_000])
    }
  })
})

describe('a failure with a hint', () => {
  const failed = { status: 500, headers: { 'retry-after': '60' } }

  test('is waited for by its call alone', async () => {
    const { headgate, run, at, clock, sentAt } = setUp({}, firstly(failed))
    at(1_000, () => void headgate.fetch(url))
    expect((await run(headgate.fetch(url))).status).toBe(200)
    expect([sentAt(), clock.now()]).toEqual([[0, 1_000, 60_000], 60_000])
  })

  test.each([
    ['clamp', [0, 10_000]],
    ['return', [0]],
  ] as const)('longer than the allowance: %s', async (whenTooLong, expected) => {
    const { headgate, run, clock, sentAt } = setUp(within(whenTooLong, 10_000), { faults: [failed] })
    expect((await run(headgate.fetch(url))).status).toBe(500)
    expect([sentAt(), clock.now()]).toEqual([expected, expected.at(-1)])
  })
})

describe('many whose allowances end during one park', () => {
  const CALLS = 1_000
  const parkOf = (retryAfter: string) => ({
    faults: ({ index, request }: Arrival): Fault => ({
      status: 429,
      headers: { 'retry-after': retryAfter, 'x-call': new URL(request.url).pathname, 'x-arrival': String(index) },
      body: `refused ${new URL(request.url).pathname}`,
    }),
    latency: { downMs: 5_000 },
  })

  /** Each call is sent a little after the one before, and answered before it knows of a park. */
  async function callAll(whenTooLong: 'clamp' | 'return', spreadMs: number) {
    const set = setUp(within(whenTooLong), parkOf('600'))
    const { headgate, upstream, at, run } = set
    const calls = Array.from(
      { length: CALLS },
      (_, call) =>
        new Promise<Response>((resolve, reject) =>
          at(call * spreadMs, () => void headgate.fetch(`https://api.example/${call}`).then(resolve, reject)),
        ),
    )
    const responses = await run(Promise.all(calls))
    const early = upstream.log.slice(CALLS)
    expect(upstream.log.slice(0, CALLS).every(({ sentAtMs }) => sentAtMs < 5_000)).toBe(true)
    return { ...set, responses, early }
  }

  test.each([
    ['clamp', 0, [305_000]],
    ['clamp', 1, [305_000]],
    ['return', 0, []],
    ['return', 1, []],
  ] as const)('%s, sent %d ms apart: early attempts at %j', async (whenTooLong, spreadMs, expected) => {
    const { responses, early } = await callAll(whenTooLong, spreadMs)
    expect(early.map(({ sentAtMs }) => sentAtMs)).toEqual(expected)
    const handedBack = responses.map(({ status, headers, bodyUsed }) => [status, headers.get('x-call'), bodyUsed])
    expect(handedBack).toEqual(Array.from({ length: CALLS }, (_, call) => [429, `/${call}`, false]))
    const bodies = await Promise.all(responses.map((response) => response.text()))
    expect(bodies).toEqual(Array.from({ length: CALLS }, (_, call) => `refused /${call}`))
    // The one that went early was answered anew; the others have the answer they had.
    const arrivals = responses.map(({ headers }) => Number(headers.get('x-arrival')))
    expect(arrivals.filter((arrival, call) => arrival !== call)).toEqual(expected.map(() => CALLS))
  })
})

describe('behind a park, and never sent', () => {
  const parked = { faults: [throttled('600')] }

  /** A park of 600 s from 0 on, and two calls that come behind it, at 1 000 and at 2 000. */
  async function wait(whenTooLong: 'clamp' | 'return') {
    const set = setUp(within(whenTooLong), parked)
    const { headgate, run, clock } = set
    await run(headgate.fetch(url, { headgate: { retry: false } }))
    await clock.advance(1_000)
    const first = headgate.fetch(url)
    void outcomeOf(first)
    await clock.advance(1_000)
    const second: unknown = await run(headgate.fetch(url).catch((error: unknown) => error))
    return { ...set, first, second }
  }

  test('clamp: the first goes early, the other ends with its allowance', async () => {
    const { first, second, clock, sentAt } = await wait('clamp')
    expect([clock.now(), sentAt(), (await first).status]).toEqual([302_000, [0, 301_000], 429])
    expect(isRateLimitError(second)).toBe(true)
    // Parked anew at 301 000, for 600 s.
    expect(second).toMatchObject({ reason: 'parked', retryAfterMs: 599_000, host: 'api.example' })
  })

  test('return: both are refused as they come', async () => {
    const { first, second, clock, sentAt } = await wait('return')
    expect([clock.now(), sentAt()]).toEqual([2_000, [0]])
    await expect(first).rejects.toMatchObject({ reason: 'parked', retryAfterMs: 599_000 })
    expect(second).toMatchObject({ reason: 'parked', retryAfterMs: 598_000 })
  })

  test('return: one that a longer park overtakes is refused then', async () => {
    const { headgate, run, clock, at, sentAt } = setUp(within('return'), firstly(throttled('10')))
    await run(headgate.fetch(url, { headgate: { retry: false } }))
    at(5_000, () => headgate.gate(url)!.park(500_000))
    await expect(run(headgate.fetch(url))).rejects.toMatchObject({ reason: 'parked', retryAfterMs: 500_000 })
    expect([clock.now(), sentAt()]).toEqual([5_000, [0]])
  })

  test('the time behind the park counts for the episode', async () => {
    const { headgate, run, sentAt } = setUp(within('clamp', 10_000), { faults: [throttled('8')] })
    await run(headgate.fetch(url, { headgate: { retry: false } }))
    expect((await run(headgate.fetch(url))).status).toBe(429)
    expect(sentAt()).toEqual([0, 8_000, 10_000])
  })

  test('as a response, where refusals are', async () => {
    const { headgate, run } = setUp({ ...within('return'), refuseWith: 'response' }, parked)
    await run(headgate.fetch(url, { headgate: { retry: false } }))
    const response = await run(headgate.fetch(url))
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '600'])
  })
})
