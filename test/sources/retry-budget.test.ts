import { describe, expect, test } from 'vitest'
import { createHeadgate, RetryEpisode, type RetryOptions } from '../../src/index.ts'
import { createUpstream, type Fault, VirtualClock } from '../../src/testing/index.ts'
import { firstly, outcomeOf, setUp, url } from '../fetch/support.ts'

// Each test is a sentence of the retry source.

const throttled = (retryAfter: string): Fault => ({ status: 429, headers: { 'retry-after': retryAfter } })
/** Waited for by its call alone: it does not park the gate, whose park would be waited for whatever the call's cap. */
const failed = (retryAfter: string): Fault => ({ status: 500, headers: { 'retry-after': retryAfter } })

/** Just below 1, the most that a clock draws. */
const MOST = 1 - Number.EPSILON

const FIVE_MINUTES = 300_000

/** One call to an upstream that answers every attempt with `fault`: when each was sent, and when the call ended. */
async function exhaust(fault: Fault, retry: RetryOptions = {}) {
  const { headgate, run, clock, sentAt } = setUp({ retry }, { faults: [fault] })
  clock.random = () => MOST
  const outcome = await run(outcomeOf(headgate.fetch(url)))
  return { outcome, sent: sentAt(), attempts: sentAt().length, endedAt: clock.now() }
}

/** One call that is answered with `faults` in turn. */
async function follow(faults: Fault[], retry: RetryOptions = {}) {
  const { headgate, run, sentAt, clock } = setUp({ retry }, firstly(...faults))
  const { status } = await run(headgate.fetch(url))
  return { status, sent: sentAt(), endedAt: clock.now() }
}

describe('the two budgets', () => {
  test('retries are enabled by default', async () => {
    const clock = new VirtualClock()
    const upstream = createUpstream({ clock, ...firstly(throttled('1'), { status: 500 }) })
    const { fetch } = createHeadgate({ clock, fetch: upstream.fetch })
    expect((await clock.runUntil(fetch(url))).status).toBe(200)
    expect(upstream.log).toHaveLength(3)
  })

  test.each<[string, Fault, number]>([
    ['429 with Retry-After', throttled('30'), 11],
    ['503 with Retry-After', { status: 503, headers: { 'retry-after': '30' } }, 11],
    ['500 with Retry-After', failed('30'), 11],
    ['408 with Retry-After', { status: 408, headers: { 'retry-after': '30' } }, 11],
    ['503', { status: 503 }, 5],
    ['500', { status: 500 }, 5],
    ['408', { status: 408 }, 5],
    ['a transport error', { error: 'reset' }, 5],
  ])('a response with Retry-After takes the rate-limited path, everything else the counted: %s', async (...row) => {
    const [, fault, expected] = row
    const { attempts, endedAt } = await exhaust(fault)
    expect([attempts, endedAt === FIVE_MINUTES]).toEqual([expected, expected === 11])
  })

  test('the rate-limited path is bounded by a duration and by a count', async () => {
    const byDuration = await exhaust(throttled('1'), { rateLimited: { maxDurationMs: 10_000 } })
    expect([byDuration.attempts, byDuration.endedAt]).toEqual([11, 10_000])
    const byCount = await exhaust(throttled('1'), { rateLimited: { maxDurationMs: 10_000, maxAttempts: 4 } })
    expect([byCount.attempts, byCount.endedAt]).toEqual([4, 3_000])
  })

  test('everything else backs off exponentially', async () => {
    const { sent } = await exhaust({ status: 500 }, { failed: { maxAttempts: 6 } })
    const waits = sent.slice(1).map((at, index) => Math.round(at - sent[index]!))
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000])
  })

  test('rate-limited attempts are not counted', async () => {
    const faults = [...Array.from({ length: 20 }, () => throttled('1')), ...Array(4).fill({ status: 500 })]
    const { status, sent } = await follow(faults)
    expect([status, sent.length]).toEqual([200, 25])
  })
})

describe('the duration', () => {
  test.each(['1', '7', '30', '60', '180', '300', '3600'])('defaults to five minutes: Retry-After %s', async (after) => {
    expect(await exhaust(throttled(after))).toMatchObject({ outcome: 429, endedAt: FIVE_MINUTES })
  })

  test('is in line with the counted path, whose worst case of ten retries is about four minutes', async () => {
    const { outcome, attempts, endedAt } = await exhaust({ status: 500 }, { failed: { maxAttempts: 11 } })
    expect([outcome, attempts, Math.round(endedAt)]).toEqual([500, 11, 243_500])
  })

  test('is the operative limit, not the count', async () => {
    for (const maxDurationMs of [120_000, 240_000]) {
      for (const maxAttempts of [1_000, 2_000]) {
        const { attempts, endedAt } = await exhaust(throttled('1'), { rateLimited: { maxDurationMs, maxAttempts } })
        expect([attempts, endedAt]).toEqual([maxDurationMs / 1_000 + 1, maxDurationMs])
      }
    }
    const { attempts, endedAt } = await exhaust(throttled('1'))
    expect([attempts, endedAt]).toEqual([301, FIVE_MINUTES])
  })

  test('the count is the backstop behind it', async () => {
    const { outcome, attempts, endedAt } = await exhaust(throttled('0.1'))
    expect([outcome, attempts, endedAt]).toEqual([429, 1_000, 99_900])
  })

  test.each([
    ['40', 20],
    ['170', 130],
    ['299', 1],
    ['3600', 300],
  ])('the wait is clamped to the end of the budget: told %s s with %d s left', async (after, secondsLeft) => {
    for (const fault of [throttled, failed]) {
      const { sent, endedAt } = await exhaust(fault(after))
      expect([sent.at(-1)! - sent.at(-2)!, endedAt]).toEqual([secondsLeft * 1_000, FIVE_MINUTES])
    }
  })

  test('with one second left, told to wait for sixty, the wait lands on the deadline', async () => {
    for (const fault of [throttled, failed]) {
      const { status, sent, endedAt } = await follow([fault('299'), fault('60')])
      expect([status, sent, endedAt]).toEqual([200, [0, 299_000, FIVE_MINUTES], FIVE_MINUTES])
    }
  })

  test.each(['1', '60', '199.999', '200'])('a wait that fits is passed through untouched: %s s', async (after) => {
    for (const fault of [throttled, failed]) {
      const { status, sent } = await follow([fault('100'), fault(after)])
      expect([status, sent]).toEqual([200, [0, 100_000, 100_000 + Number(after) * 1_000]])
    }
  })
})

describe('the cap on Retry-After', () => {
  test.each([
    ['180', [0, 180_000, 300_000]],
    ['300', [0, 300_000]],
  ])('inside it a Retry-After is used as given, not shortened: %s s, %j', async (after, expected) => {
    expect((await exhaust(throttled(after))).sent).toEqual(expected)
    expect((await exhaust(failed(after))).sent).toEqual(expected)
  })

  test.each([
    ['180', 3],
    ['300', 2],
  ])('one of 60 s only sends more: told to wait %s s, 6 attempts instead of %d', async (after, attempts) => {
    const { attempts: given } = await exhaust(failed(after))
    const { attempts: capped } = await exhaust(failed(after), { rateLimited: { maxRetryAfterMs: 60_000 } })
    expect([given, capped]).toEqual([attempts, 6])
  })

  test('a shorter one turns one long wait into several short ones, for the same total', async () => {
    const totals = [60_000, 300_000].map(async (maxRetryAfterMs) => {
      const { headgate, run } = setUp({ retry: { rateLimited: { maxRetryAfterMs } } }, { faults: [failed('300')] })
      return headgate.inspect(await run(headgate.fetch(url)))
    })
    expect(await Promise.all(totals)).toMatchObject([
      { attempts: 6, waitedMs: FIVE_MINUTES },
      { attempts: 2, waitedMs: FIVE_MINUTES },
    ])
  })

  test('guards against an absurd header, and is no second budget', async () => {
    const day = failed('86400')
    const rateLimited = { maxDurationMs: 3_600_000 }
    const { sent } = await exhaust(day, { rateLimited })
    expect(sent).toEqual(Array.from({ length: 13 }, (_, index) => index * 300_000))
    const uncapped = await exhaust(day, { rateLimited: { ...rateLimited, maxRetryAfterMs: 86_400_000 } })
    expect(uncapped.sent).toEqual([0, 3_600_000])
  })

  test('rarely binds: the clamp already stops a wait that would run past the budget', async () => {
    for (const after of ['1', '60', '180', '299', '300', '301', '3600', '86400']) {
      const uncapped = await exhaust(failed(after), { rateLimited: { maxRetryAfterMs: 86_400_000 } })
      expect([after, (await exhaust(failed(after))).sent]).toEqual([after, uncapped.sent])
    }
  })
})

describe('across restarts', () => {
  const options = { rateLimited: { maxAttempts: 8 }, failed: { maxAttempts: 3 } }
  const limited = (now: number) => ({ now, random: 0.5, throttled: true, status: 429, retryAfterMs: 60_000 })
  const restart = (episode: RetryEpisode) => new RetryEpisode(options, JSON.parse(JSON.stringify(episode)))

  test('the start time is neither written nor read', () => {
    const episode = new RetryEpisode(options)
    episode.after(limited(1_000), true)
    expect(JSON.parse(JSON.stringify(episode))).toEqual({ rateLimited: 1, failed: 0 })
    const stored = { rateLimited: 1, failed: 0, startedAt: 1_000 }
    const restored = new RetryEpisode(options, stored)
    expect([restored.startedAt, restored.remainingMs(3_600_000)]).toEqual([undefined, FIVE_MINUTES])
  })

  test('a job that was closed for longer than the budget is tried when it is loaded', () => {
    const episode = new RetryEpisode(options)
    episode.after(limited(0), true)
    expect(episode.after(limited(360_000), true)).toEqual({ retry: false })
    const unsent = new RetryEpisode(options)
    unsent.after(limited(0), true)
    expect(restart(unsent).after(limited(360_000), true)).toEqual({ retry: true, afterMs: 60_000 })
  })

  test('a relaunch gets a fresh duration and inherits the counts', () => {
    const episode = new RetryEpisode(options)
    episode.after(limited(0), true)
    episode.after({ now: 240_000, random: 0.5, throttled: false, status: 500 }, true)
    const relaunched = restart(episode)
    expect([episode.remainingMs(240_000), relaunched.remainingMs(240_000)]).toEqual([60_000, FIVE_MINUTES])
    expect(relaunched.toJSON()).toEqual({ rateLimited: 1, failed: 1 })
  })

  test.each([
    ['rate-limited', limited, 7],
    ['failed', (now: number) => ({ now, random: 0.5, throttled: false, status: 500 }), 2],
  ])('the counts persist, so that nothing is retried for ever: %s', (_, outcome, retries) => {
    let episode = new RetryEpisode(options)
    let granted = 0
    for (let launch = 0; launch < 100; launch += 1) {
      if (episode.after(outcome(launch * 3_600_000), true).retry) granted += 1
      episode = restart(episode)
    }
    expect(granted).toBe(retries)
  })
})
