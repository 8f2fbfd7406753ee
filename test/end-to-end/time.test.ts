import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createHeadgate, isRateLimitError } from '../../src/index.ts'
import { createUpstream, type UpstreamOptions } from '../../src/testing/index.ts'
import { OddClock } from '../support/odd-clock.ts'
import { examples } from '../support/examples.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const LIMIT = 20

/** Workers call as fast as they may, beside a clock that is not what it should be. The upstream counts in true time. */
function setUp(upstreamOptions: UpstreamOptions = {}) {
  const clock = new OddClock()
  const { truth } = clock
  const upstream = createUpstream({
    limits: { kind: 'rolling', limit: LIMIT, windowMs: MINUTE_MS },
    headers: 'none',
    countRefused: true,
    latency: { upMs: { minMs: 0, maxMs: 400 }, downMs: { minMs: 0, maxMs: 400 } },
    clock: truth,
    ...upstreamOptions,
  })
  const config = { limits: { limit: LIMIT, windowMs: MINUTE_MS }, concurrency: 8 }
  const headgate = createHeadgate({ clock, fetch: upstream.fetch, default: config })
  const statuses: (number | string)[] = []
  let stopped = false
  const call = async (): Promise<number> => {
    const response = await headgate.fetch('https://a.example/')
    await response.text()
    return response.status
  }
  const work = async (): Promise<void> => {
    while (!stopped) statuses.push(await call().catch(reasonOf))
  }
  const workers = Array.from({ length: 8 }, work)
  /** Nobody waits for ever: whoever is at it ends, and every window ends with nothing held. */
  const end = async (): Promise<void> => {
    stopped = true
    clock.lateMs = 0
    clock.resume()
    await truth.runUntil(Promise.all(workers))
    await truth.advance(11 * MINUTE_MS)
    const [gate] = headgate.snapshot().gates
    expect(gate ?? { queued: 0, held: 0, state: 'open' }).toMatchObject({ queued: 0, held: 0, state: 'open' })
    expect(truth.pendingTimers).toBeLessThanOrEqual(1)
  }
  const sentFrom = (fromMs: number): number => upstream.log.filter(({ sentAtMs }) => sentAtMs >= fromMs).length
  return { clock, truth, headgate, upstream, statuses, end, sentFrom }
}

function reasonOf(error: unknown): string {
  if (isRateLimitError(error)) return error.reason
  throw error
}

describe('the monotonic clock stands still', () => {
  test.each([30_000, 10 * MINUTE_MS, DAY_MS])('for %d ms: nothing is sent too soon, and all goes on', async (ms) => {
    const { clock, truth, upstream, statuses, end, sentFrom } = setUp()
    await truth.advance(90_000)
    clock.suspend()
    await truth.advance(ms)
    clock.resume()
    const resumedAt = truth.now()
    await truth.advance(10 * MINUTE_MS)
    expect(sentFrom(resumedAt)).toBeGreaterThanOrEqual(9 * LIMIT)
    await end()
    expect(upstream.report()).toMatchObject({ throttled: 0, ownBusiestWindow: LIMIT })
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  test('in a park: it lasts as long as was asked for, by that clock', async () => {
    const { clock, truth, upstream, end, sentFrom } = setUp({
      faults: [{ index: 0, status: 429, headers: { 'retry-after': '120' } }],
    })
    await truth.advance(MINUTE_MS)
    clock.suspend()
    await truth.advance(DAY_MS)
    clock.resume()
    await truth.advance(MINUTE_MS)
    expect(sentFrom(1_000)).toBe(0)
    await truth.advance(2_000)
    expect(sentFrom(1_000)).toBeGreaterThan(0)
    await end()
    expect(upstream.report().throttled).toBe(1)
  })
})

describe('the monotonic clock jumps forward by a day', () => {
  test('costs one window more than its limit, once, and what follows is as before', async () => {
    const { clock, truth, upstream, statuses, end, sentFrom } = setUp({ retryAfter: 'seconds' })
    await truth.advance(90_000)
    clock.jump(DAY_MS)
    await truth.advance(5 * MINUTE_MS)
    const calmAt = truth.now()
    const { throttled } = upstream.report()
    await truth.advance(10 * MINUTE_MS)
    expect(upstream.report()).toMatchObject({ throttled })
    expect(sentFrom(calmAt)).toBeGreaterThanOrEqual(9 * LIMIT)
    await end()
    expect(upstream.report().ownBusiestWindow).toBeLessThanOrEqual(2 * LIMIT)
    expect(statuses.length).toBeGreaterThan(12 * LIMIT)
  })

  test('ends a park with one probe, which finds out, and every allowance', async () => {
    const { clock, truth, upstream, statuses, end, sentFrom } = setUp({
      faults: ({ sinceStartMs }) =>
        sinceStartMs < 300_000 ? { status: 429, headers: { 'retry-after': '120' } } : undefined,
    })
    await truth.advance(MINUTE_MS)
    clock.jump(DAY_MS)
    await truth.advance(MINUTE_MS)
    expect(sentFrom(MINUTE_MS)).toBe(1)
    await truth.advance(10 * MINUTE_MS)
    expect(sentFrom(300_000)).toBeGreaterThanOrEqual(4 * LIMIT)
    await end()
    expect(upstream.report().ownBusiestWindow).toBe(LIMIT)
    expect(new Set(statuses)).toEqual(new Set([200, 429, 'probing']))
  })
})

describe('the wall clock jumps', () => {
  const jumps = [-DAY_MS, -3_000, 3_000, DAY_MS, 400 * DAY_MS]

  test.each(jumps)('by %d ms: an HTTP date is waited for as the upstream meant it', async (ms) => {
    const { clock, truth, end, sentFrom } = setUp({
      faults: ({ index, nowMs }) =>
        index === 0
          ? {
              status: 429,
              headers: { 'retry-after': new Date(truth.wallNow() - truth.now() + nowMs + 120_000).toUTCString() },
            }
          : undefined,
    })
    clock.jumpWall(ms)
    await truth.advance(119_000)
    expect(sentFrom(1_000)).toBe(0)
    await truth.advance(3_000)
    expect(sentFrom(1_000)).toBeGreaterThan(0)
    await end()
  })

  test.each(jumps)('by %d ms while all goes on: a window told in epoch seconds is kept', async (ms) => {
    const { clock, truth, upstream, end } = setUp({
      limits: { kind: 'fixed', limit: LIMIT, windowMs: MINUTE_MS },
      headers: 'github',
    })
    await truth.advance(130_000)
    clock.jumpWall(ms)
    await truth.advance(10 * MINUTE_MS)
    expect(upstream.report().ok).toBeGreaterThanOrEqual(10 * LIMIT)
    expect(upstream.report().throttled).toBe(0)
    await end()
  })
})

describe('timers fire', () => {
  test.each([-900, -20, -1, 1, 20, 5_000])('%d ms late: nothing is sent too soon, and all goes on', async (lateMs) => {
    const { clock, truth, upstream, end } = setUp()
    clock.lateMs = lateMs
    await truth.advance(20 * MINUTE_MS)
    const { throttled, ownBusiestWindow, ok } = upstream.report()
    expect([throttled, ownBusiestWindow]).toEqual([0, LIMIT])
    expect(ok).toBeGreaterThanOrEqual((18 * LIMIT * MINUTE_MS) / (MINUTE_MS + Math.max(0, lateMs)))
    await end()
  })
})

const anyStep = fc.oneof(
  fc.record({ kind: fc.constantFrom('suspend', 'resume'), ms: fc.constant(0) }),
  fc.record({ kind: fc.constant('jump wall'), ms: fc.integer({ min: -DAY_MS, max: DAY_MS }) }),
  fc.record({ kind: fc.constant('late'), ms: fc.integer({ min: -2_000, max: 10_000 }) }),
  fc.record({ kind: fc.constant('pass'), ms: fc.integer({ min: 0, max: 3 * MINUTE_MS }) }),
)

test('whatever a clock does that never runs ahead, nothing is sent too soon and nobody waits for ever', async () => {
  const property = fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 30, size: 'max' }), async (steps) => {
    const { clock, truth, upstream, end } = setUp({ limits: { kind: 'rolling', limit: LIMIT, windowMs: MINUTE_MS } })
    for (const { kind, ms } of steps) {
      if (kind === 'suspend') clock.suspend()
      if (kind === 'resume') clock.resume()
      if (kind === 'jump wall') clock.jumpWall(ms)
      if (kind === 'late') clock.lateMs = ms
      await truth.advance(kind === 'pass' ? ms : 1_000)
    }
    await end()
    const { throttled, ownBusiestWindow } = upstream.report()
    expect([throttled, ownBusiestWindow <= LIMIT]).toEqual([0, true])
  })
  await fc.assert(property, { numRuns: examples(60) })
})
