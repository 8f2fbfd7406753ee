import { describe, expect, test } from 'vitest'
import type { UpstreamConfig } from '../../src/index.ts'
import type { Fault } from '../../src/testing/index.ts'
import { firstly, setUp, url } from './support.ts'

const throttled = (retryAfter: string): Fault => ({ status: 429, headers: { 'retry-after': retryAfter } })

describe('how long a retry waits', () => {
  const inSeconds = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toUTCString()
  // shopify-app-js-3364, supabase-js-2634, data-prepper-6927, discord-py-5221
  test.each<[string, Fault, number]>([
    ['whole seconds', throttled('2'), 2_000],
    ['fractions of a second', throttled('1.5'), 1_500],
    ['an HTTP date', throttled(inSeconds(3)), 3_000],
    ['five minutes to the millisecond', throttled('300'), 300_000],
    ['without a hint, cooldown.baseMs', { status: 429 }, 7_000],
    ['with one that cannot be read, the same', throttled('soon'), 7_000],
    ['with one of 0, the same', throttled('0'), 7_000],
    ['with one in the past, the same', throttled(inSeconds(-60)), 7_000],
    ['a 503 with a hint', { status: 503, headers: { 'retry-after': '2' } }, 2_000],
    ['a 500 with a hint', { status: 500, headers: { 'retry-after': '2' } }, 2_000],
  ])('%s', async (_, fault, expected) => {
    const { headgate, run, sentAt } = setUp({ cooldown: { baseMs: 7_000 } }, firstly(fault))
    const response = await run(headgate.fetch(url))
    expect(sentAt()).toEqual([0, expected])
    expect(headgate.inspect(response)).toMatchObject({ attempts: 2, waitedMs: expected })
  })

  test('an HTTP date where the response has no Date of its own, by the wall clock', async () => {
    const { headgate, run, sentAt } = setUp({}, { ...firstly(throttled(inSeconds(3))), date: false })
    await run(headgate.fetch(url))
    expect(sentAt()).toEqual([0, 3_000])
  })

  test('a hint that the park is too short for is waited for all the same', async () => {
    const cooldown = { baseMs: 1_000, maxMs: 5_000 }
    const { headgate, run, sentAt } = setUp({ cooldown }, firstly(throttled('8')))
    await run(headgate.fetch(url))
    expect(sentAt()).toEqual([0, 8_000])
  })

  test.each([
    ['that stands still while code runs', 0],
    ['that does not', 0.001],
  ])('a throttled call keeps its turn before those that came later, on a clock %s', async (_, stepMs) => {
    const { headgate, run, at, upstream, clock } = setUp({}, firstly(throttled('2')))
    const standing = clock.now.bind(clock)
    let reads = 0
    clock.now = () => standing() + (reads += 1) * stepMs
    const first = headgate.fetch('https://api.example/first')
    at(500, () => void headgate.fetch('https://api.example/second'))
    await run(first)
    expect(upstream.log.map((entry) => [new URL(entry.url).pathname, Math.round(entry.sentAtMs)])).toEqual([
      ['/first', 0],
      ['/first', 2_000],
      ['/second', 2_000],
    ])
  })

  test.each([0, 0.25, 0.999])('after a failure, anywhere up to a ceiling that doubles: %d of it', async (random) => {
    const retry = { failed: { baseMs: 1_000, maxMs: 3_000, maxAttempts: 5 } }
    const { headgate, run, clock, sentAt } = setUp({ retry }, { status: 500 })
    clock.random = () => random
    await run(headgate.fetch(url))
    const waits = sentAt().map((at, index, all) => at - (all[index - 1] ?? 0))
    const ceilings = [0, 1_000, 2_000, 3_000, 3_000]
    expect(waits).toEqual(ceilings.map((ceiling) => expect.closeTo(ceiling * random, -0.5)))
  })
})

describe('a hint that is too long', () => {
  const retry = { rateLimited: { maxDurationMs: 5_000, whenTooLong: 'return' as const } }
  test.each<[string, UpstreamConfig, Fault]>([
    ['than is left', { retry }, throttled('6')],
    ['of a 500, than is left', { retry }, { status: 500, headers: { 'retry-after': '6' } }],
    ['a park without a hint, than is left', { retry }, { status: 429 }],
    ['than the call waits', { maxWaitMs: 5_000 }, throttled('6')],
    ['for a call that does not wait behind parks', { whenParked: 'refuse' }, throttled('1')],
    ['for a queue that lets nobody wait', { maxQueueSize: 0 }, throttled('1')],
  ])('%s: the response is handed back at once, unread', async (_, pacing, fault) => {
    const { headgate, run, clock, sentAt } = setUp(pacing, { faults: [{ ...fault, body: 'as it came' }] })
    const response = await run(headgate.fetch(url))
    expect([response.status, response.bodyUsed, clock.now(), sentAt()]).toEqual([fault.status, false, 0, [0]])
    expect(response.headers.get('retry-after')).toBe(fault.headers?.['retry-after'] ?? null)
    expect(await response.text()).toBe('as it came')
    expect(headgate.inspect(response)).toMatchObject({ attempts: 1, waitedMs: 0 })
  })

  // guzzle-retry-36, dotnet-extensions-7701
  test('the duration runs from the first throttled response', async () => {
    const { headgate, run, clock, sentAt } = setUp({ retry }, { faults: [throttled('2')] })
    const response = await run(headgate.fetch(url))
    expect([response.status, clock.now(), sentAt()]).toEqual([429, 4_000, [0, 2_000, 4_000]])
  })

  test('a hint that just fits is waited for', async () => {
    const { headgate, run, sentAt } = setUp({ retry }, firstly(throttled('5')))
    expect((await run(headgate.fetch(url))).status).toBe(200)
    expect(sentAt()).toEqual([0, 5_000])
  })

  // spotipy-766
  test('the caller can tell when to come back, and others are not sent before', async () => {
    const { headgate, run, clock, sentAt } = setUp({ retry }, firstly(throttled('3600')))
    const response = await run(headgate.fetch(url))
    expect([response.status, clock.now()]).toEqual([429, 0])
    expect(headgate.inspect(response)?.observation).toMatchObject({ throttled: true, retryAfterMs: 3_600_000 })
    await run(headgate.fetch(url, { headgate: { retry: { rateLimited: { maxDurationMs: 600_000 } } } }))
    expect(sentAt()).toEqual([0, 600_000])
  })

  test('than maxRetryAfterMs is waited for up to that: it caps one wait, and ends no episode', async () => {
    const rateLimited = { maxRetryAfterMs: 5_000, maxDurationMs: 12_000 }
    const fault = { status: 500, headers: { 'retry-after': '60' } }
    const { headgate, run, sentAt } = setUp({ retry: { rateLimited } }, { faults: [fault] })
    expect((await run(headgate.fetch(url))).status).toBe(500)
    expect(sentAt()).toEqual([0, 5_000, 10_000, 12_000])
  })
})

describe('parking', () => {
  test.each<[string, Fault, number]>([
    ['429 parks the gate', throttled('9'), 9_000],
    ['503 with a hint does', { status: 503, headers: { 'retry-after': '9' } }, 9_000],
    ['503 without one does not', { status: 503 }, 0],
    ['500 with one does not: it waits alone', { status: 500, headers: { 'retry-after': '9' } }, 0],
    ['a reset does not', { error: 'reset' }, 0],
  ])('%s', async (_, fault, wouldWaitMs) => {
    const { headgate, clock } = setUp({ retry: { failed: { baseMs: 60_000 } } }, firstly(fault))
    clock.random = () => 0.9
    const call = headgate.fetch(url)
    await clock.advance(0)
    // The call itself waits at the head of the queue where the gate is parked.
    expect(headgate.explain(url).wouldWaitMs).toBe(wouldWaitMs)
    expect((await clock.runUntil(call)).status).toBe(200)
  })
})
