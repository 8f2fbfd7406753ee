import { describe, expect, test } from 'vitest'
import { type Outcome, RetryEpisode } from '../../src/retry/episode.ts'
import type { RetryOptions } from '../../src/retry/policy.ts'

const t0 = 7_000

interface Step extends Partial<Outcome> {
  /** What the verdict should be: the wait in ms, or none. */
  waits: number | undefined
  idempotent?: boolean
}

/** Outcomes in turn, each given against the verdict that should follow. `now` counts from t0. */
function follow(options: RetryOptions, steps: Step[]): void {
  const episode = new RetryEpisode(options)
  const verdicts = steps.map(
    ({ idempotent = true, now = 0, random = 0.5, throttled = false, status, retryAfterMs }) => {
      const verdict = episode.after({ now: t0 + now, random, throttled, status, retryAfterMs }, idempotent)
      return verdict.retry ? verdict.afterMs : undefined
    },
  )
  expect(verdicts).toEqual(steps.map(({ waits }) => waits))
}

const rateLimited = (more: object) => ({ rateLimited: { maxDurationMs: 10_000, ...more } })

describe('throttled', () => {
  test.each<[string, RetryOptions, Step[]]>([
    [
      'waits as long as the hint says, until the duration is over',
      rateLimited({}),
      [
        { now: 0, status: 429, throttled: true, retryAfterMs: 4_000, waits: 4_000 },
        { now: 4_000, status: 429, throttled: true, retryAfterMs: 4_000, waits: 4_000 },
        { now: 8_000, status: 429, throttled: true, retryAfterMs: 2_000, waits: 2_000 },
        { now: 10_000, status: 429, throttled: true, retryAfterMs: 1, waits: undefined },
      ],
    ],
    ['a hint of all that is left fits', rateLimited({}), [{ throttled: true, retryAfterMs: 10_000, waits: 10_000 }]],
    ['one more is clamped to it', rateLimited({}), [{ throttled: true, retryAfterMs: 10_001, waits: 10_000 }]],
    [
      "or, with 'return', is not waited for",
      rateLimited({ whenTooLong: 'return' }),
      [
        { throttled: true, retryAfterMs: 10_000, waits: 10_000 },
        { throttled: true, retryAfterMs: 10_001, waits: undefined },
      ],
    ],
    [
      'a backoff is clamped too, jitter included',
      { ...rateLimited({}), failed: { baseMs: 16_000 } },
      [{ throttled: true, random: 0.999, waits: 10_000 }],
    ],
    [
      'the last attempt is made at the end of the duration, and none after it',
      rateLimited({}),
      [
        { throttled: true, retryAfterMs: 60_000, waits: 10_000 },
        { now: 9_000, throttled: true, retryAfterMs: 60_000, waits: 1_000 },
        { now: 10_000, throttled: true, retryAfterMs: 60_000, waits: undefined },
      ],
    ],
    [
      'a hint of all of the cap is waited for as given, a longer one for as long as the cap',
      rateLimited({ maxRetryAfterMs: 3_000 }),
      [
        { throttled: true, retryAfterMs: 3_000, waits: 3_000 },
        { throttled: true, retryAfterMs: 3_001, waits: 3_000 },
      ],
    ],
    [
      'the count is a backstop, the first attempt included',
      rateLimited({ maxAttempts: 3 }),
      [
        { throttled: true, retryAfterMs: 1, waits: 1 },
        { throttled: true, retryAfterMs: 1, waits: 1 },
        { throttled: true, retryAfterMs: 1, waits: undefined },
      ],
    ],
    [
      'without a hint, or with one of 0, the upper half of a growing backoff',
      { ...rateLimited({}), failed: { baseMs: 1_000 } },
      [
        { throttled: true, random: 0, waits: 500 },
        { throttled: true, random: 0.5, waits: 1_500 },
        { throttled: true, random: 0, retryAfterMs: 0, waits: 2_000 },
        { throttled: true, random: 0, retryAfterMs: 5, waits: 5 },
      ],
    ],
    ['by any method', {}, [{ status: 429, throttled: true, idempotent: false, retryAfterMs: 1, waits: 1 }]],
    ['whatever the status', {}, [{ status: 200, throttled: true, retryAfterMs: 1, waits: 1 }]],
  ])('%s', (_, options, steps) => follow(options, steps))
})

describe('failed', () => {
  const failed = { failed: { baseMs: 100, maxMs: 300, maxAttempts: 5 } }
  test.each<[string, RetryOptions, Step[]]>([
    [
      'backs off up to maxMs, so many times in all',
      failed,
      [
        { status: 500, waits: 50 },
        { waits: 100 },
        { status: 408, waits: 150 },
        { status: 599, waits: 150 },
        { status: 500, waits: undefined },
      ],
    ],
    ['one attempt is no retry', { failed: { maxAttempts: 1 } }, [{ status: 500, waits: undefined }]],
    ['not where it may have been carried out', failed, [{ status: 500, idempotent: false, waits: undefined }]],
    ['nor a transport error then', failed, [{ idempotent: false, waits: undefined }]],
    ...[200, 304, 400, 401, 404, 407, 409, 499].map((status): [string, RetryOptions, Step[]] => [
      `${status} is no failure`,
      failed,
      [{ status, waits: undefined }],
    ]),
    [
      'statuses instead of those',
      { failed: { ...failed.failed, statuses: [418] } },
      [{ status: 418, waits: 50 }, { status: 500, waits: undefined }, { waits: 100 }],
    ],
  ])('%s', (_, options, steps) => follow(options, steps))
})

describe('failed with a hint', () => {
  test.each<[string, Step[]]>([
    ['waits for it', [{ status: 502, retryAfterMs: 5_000, waits: 5_000 }]],
    ['of 0, backs off', [{ status: 502, retryAfterMs: 0, waits: 250 }]],
    ['not where it may have been carried out', [{ status: 502, retryAfterMs: 5, idempotent: false, waits: undefined }]],
    ['but for a 503, which did no work', [{ status: 503, retryAfterMs: 5, idempotent: false, waits: 5 }]],
    ['of a status that is no failure, not', [{ status: 404, retryAfterMs: 5, waits: undefined }]],
    ['longer than the duration, to its end', [{ status: 502, retryAfterMs: 10_001, waits: 10_000 }]],
  ])('%s', (_, steps) => follow(rateLimited({}), steps))
})

describe('the two allowances', () => {
  test('are charged apart', () => {
    follow({ rateLimited: { maxAttempts: 3 }, failed: { maxAttempts: 3, baseMs: 100 } }, [
      { throttled: true, retryAfterMs: 1, waits: 1 },
      { status: 500, waits: 50 },
      { throttled: true, retryAfterMs: 1, waits: 1 },
      { status: 500, waits: 100 },
      { status: 500, waits: undefined },
    ])
  })

  test('the duration begins with the first throttled answer, not with the call', () => {
    const episode = new RetryEpisode(rateLimited({}))
    expect(episode.remainingMs(t0)).toBe(10_000)
    episode.after({ now: t0 + 5_000, random: 0.5, throttled: false, status: 500 }, true)
    expect(episode.remainingMs(t0 + 60_000)).toBe(10_000)
    episode.after({ now: t0 + 60_000, random: 0.5, throttled: true, status: 429 }, true)
    expect(episode.remainingMs(t0 + 60_000)).toBe(10_000)
    expect(episode.remainingMs(t0 + 69_999)).toBe(1)
    expect(episode.remainingMs(t0 + 80_000)).toBe(0)
  })

  test('the duration begins where the call comes behind a park, once', () => {
    const episode = new RetryEpisode(rateLimited({}))
    expect(episode.startedAt).toBeUndefined()
    episode.begin(t0)
    episode.begin(t0 + 1_000)
    expect([episode.startedAt, episode.remainingMs(t0 + 4_000)]).toEqual([t0, 6_000])
    expect(episode.allowance).toEqual({ maxDurationMs: 10_000, whenTooLong: 'clamp', startedAt: t0 })
    episode.after({ now: t0 + 4_000, random: 0.5, throttled: true, status: 429 }, true)
    expect(episode.startedAt).toBe(t0)
  })

  test('by default the duration is spent long before the count, for hints of a second and more', () => {
    for (const hint of [1_000, 2_500, 60_000, 180_000, 300_000, 3_600_000]) {
      const episode = new RetryEpisode()
      const outcome = { random: 0.5, throttled: true, status: 429, retryAfterMs: hint }
      let now = t0
      for (let verdict = episode.after({ ...outcome, now }, true); verdict.retry;) {
        now += verdict.afterMs
        verdict = episode.after({ ...outcome, now }, true)
      }
      expect([hint, now - t0]).toEqual([hint, 300_000])
      expect(episode.toJSON().rateLimited).toBeLessThan(1_000)
    }
  })
})

describe('an episode that outlives its process', () => {
  const options = { rateLimited: { maxDurationMs: 10_000, maxAttempts: 4 }, failed: { maxAttempts: 3, baseMs: 100 } }
  const at = (now: number, more: Partial<Outcome>) => ({ now, random: 0.5, throttled: false, ...more })

  test('keeps its counts as JSON, and never when it began', () => {
    const episode = new RetryEpisode(options)
    episode.after(at(t0, { throttled: true, retryAfterMs: 1_000 }), true)
    episode.after(at(t0 + 1_000, { throttled: true, retryAfterMs: 1_000 }), true)
    episode.after(at(t0 + 2_000, { status: 500 }), true)
    expect(JSON.stringify(episode)).toBe('{"rateLimited":2,"failed":1}')
  })

  test('goes on with them, and with a fresh duration', () => {
    const before = new RetryEpisode(options)
    before.after(at(t0, { throttled: true, retryAfterMs: 1_000 }), true)
    before.after(at(t0 + 9_000, { throttled: true, retryAfterMs: 1_000 }), true)
    before.after(at(t0 + 9_000, { status: 500 }), true)
    const episode = new RetryEpisode(options, JSON.parse(JSON.stringify(before)))
    expect([episode.startedAt, episode.remainingMs(t0 + 3_600_000)]).toEqual([undefined, 10_000])
    expect(episode.after(at(50, { throttled: true, retryAfterMs: 10_000 }), true)).toEqual({
      retry: true,
      afterMs: 10_000,
    })
    expect(episode.after(at(60, { throttled: true, retryAfterMs: 1 }), true)).toEqual({ retry: false })
    expect(episode.after(at(70, { status: 500 }), true)).toEqual({ retry: true, afterMs: 100 })
    expect(episode.after(at(80, { status: 500 }), true)).toEqual({ retry: false })
  })

  test('what it keeps is a copy', () => {
    const counts = { rateLimited: 1, failed: 0 }
    const episode = new RetryEpisode(options, counts)
    episode.toJSON().rateLimited = 99
    episode.after(at(t0, { throttled: true, retryAfterMs: 1 }), true)
    expect([counts, episode.toJSON()]).toEqual([
      { rateLimited: 1, failed: 0 },
      { rateLimited: 2, failed: 0 },
    ])
  })
})
