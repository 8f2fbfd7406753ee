import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { headgate } from '../contenders/headgate.ts'
import { claimsOf } from './claims.ts'
import { jain } from '../../studies/jain.ts'
import { allowedWaits, shareOfCeiling, waitsOf } from './measures.ts'
import { playOmniscient } from './omniscient.ts'
import type { Call } from './play.ts'
import type { EfficacyResult } from './result.ts'
import { runEfficacy } from './run.ts'
import type { Load, Scenario } from './scenario.ts'

const AT_ONCE: Load = { kind: 'bursts', bursts: 1, calls: 5, idleMs: 10_000 }

function scenario(upstream: Scenario['upstream'], load: Load = AT_ONCE): Scenario {
  const configured = [{ limit: 2, windowMs: 1_000, kind: 'rolling' as const }]
  return {
    id: 'test',
    title: '',
    group: 'waits',
    upstream,
    configured,
    trip: { medianMs: 100, sigma: 0 },
    headers: true,
    load,
  }
}

const served = (madeAtMs: number, endedAtMs: number, burst = 0): Call => ({
  caller: 0,
  burst,
  madeAtMs,
  endedAtMs,
  served: true,
})
const failed = (madeAtMs: number, burst = 0): Call => ({
  caller: 0,
  burst,
  madeAtMs,
  endedAtMs: madeAtMs,
  served: false,
})

describe('the scheduler that knows', () => {
  const waits = async (upstream: Scenario['upstream'], load?: Load): Promise<(number | undefined)[]> =>
    waitsOf(await playOmniscient(scenario(upstream, load), 1))

  test('fills a rolling window at the first instant it can', async () => {
    const limits = { limit: 2, windowMs: 1_000 }
    assert.deepEqual(await waits({ limits }), [0, 0, 0, 1_000, 1_000, 2_000])
  })

  test('fills a fixed window as it begins by the wall clock: 2026 began 900 ms into one of 1 300 ms', async () => {
    const limits = { limit: 2, windowMs: 1_300, kind: 'fixed' as const }
    assert.deepEqual(await waits({ limits }), [0, 0, 0, 650, 650, 1_950])
  })

  test('takes each token as it comes', async () => {
    const limits = { limit: 2, windowMs: 1_000, kind: 'token-bucket' as const }
    assert.deepEqual(await waits({ limits }), [0, 0, 0, 500, 1_000, 1_500])
  })

  test('keeps every one of several limits', async () => {
    const limits = [
      { limit: 2, windowMs: 1_000 },
      { limit: 3, windowMs: 5_000 },
    ]
    assert.deepEqual(await waits({ limits }), [0, 0, 0, 1_000, 5_000, 5_000])
  })

  test('sends nothing that a fault would fail', async () => {
    const limits = { limit: 5, windowMs: 1_000 }
    const faults = [{ status: 503, fromMs: 10_000, toMs: 15_000 }]
    assert.deepEqual(await waits({ limits, faults }), [0, 4_850, 4_850, 4_850, 4_850, 4_850])
  })

  test('knows when other clients burst', async () => {
    const limits = { limit: 2, windowMs: 1_000 }
    const otherClients = [{ burst: 2, everyMs: 100_000, startMs: 10_000 }]
    assert.deepEqual(await waits({ limits, otherClients }), [0, 850, 850, 1_850, 1_850, 2_850])
  })
})

describe('share of the ceiling', () => {
  const best = [served(0, 100), served(0, 200)]

  test('is that of the time where all are served', () => {
    assert.equal(shareOfCeiling([served(0, 100), served(0, 400)], best), 0.5)
  })

  test('does not reward calls that are dropped', () => {
    assert.equal(shareOfCeiling([served(0, 100), failed(0)], best), 0.5)
    assert.equal(shareOfCeiling([failed(0), failed(0)], best), 0)
  })

  test('sums the times of bursts, and leaves out what lies between them and the call before', () => {
    const lead: Call = { caller: 0, madeAtMs: 0, endedAtMs: 50, served: true }
    const bestBursts = [lead, served(1_000, 1_100, 0), served(9_000, 9_100, 1)]
    const own = [lead, served(1_000, 1_100, 0), served(5_000, 5_300, 1)]
    assert.equal(shareOfCeiling(own, bestBursts), 0.5)
  })
})

describe('waits', () => {
  test('are those of the attempt that served the call, whatever order calls end in', () => {
    const calls = [served(0, 500), failed(0), served(10, 300)]
    const answered = [
      { sentAtMs: 350, answeredAtMs: 500 },
      { sentAtMs: 110, answeredAtMs: 300 },
    ]
    assert.deepEqual(waitsOf({ calls, answered }), [350, undefined, 100])
  })

  test('may be a latency longer for each full window of the busy period, and one for the cold start', async () => {
    const busy = scenario({ limits: { limit: 2, windowMs: 1_000 } })
    assert.deepEqual(allowedWaits(busy, await playOmniscient(busy, 1)), [100, 100, 100, 1_200, 1_200, 2_300])
  })
})

test("Jain's index is 1 where all have the same, and 1/n where one has all", () => {
  assert.equal(jain([3, 3, 3]), 1)
  assert.equal(jain([3, 0, 0]), 1 / 3)
})

describe('claims', () => {
  const result = (more: Partial<EfficacyResult>): EfficacyResult =>
    ({
      contender: 'headgate',
      scenario: 'steady',
      group: 'core',
      time: 'virtual',
      share: 1,
      throttled: 0,
      ...more,
    }) as EfficacyResult
  const wait = (p99: number): EfficacyResult =>
    result({ group: 'waits', waitMs: { p50: 0, p99, max: p99 }, allowedWaitMs: 100 })
  const verdicts = (...results: EfficacyResult[]): boolean[] => claimsOf(results).map(({ holds }) => holds)
  const peer = (more: Partial<EfficacyResult>): EfficacyResult => result({ contender: 'peer', ...more })

  test('hold where the figures show them', () => {
    assert.deepEqual(verdicts(result({ share: 0.98 }), peer({ throttled: 1 }), wait(100)), [true, true, true])
  })

  test('fail where one figure does not', () => {
    assert.deepEqual(verdicts(result({ share: 0.979 }), peer({ share: 0.979 }), wait(100)), [false, true, true])
    assert.deepEqual(verdicts(result({}), result({ throttled: 1 }), peer({ throttled: 1 }), wait(100)), [
      false,
      true,
      true,
    ])
    assert.deepEqual(verdicts(result({}), peer({}), wait(101)), [true, false, false])
  })

  test('fail where there is no figure', () => {
    assert.deepEqual(verdicts(), [false, false, false])
  })
})

test('two runs in faked time are the same', async () => {
  const [first, second] = [
    await runEfficacy([headgate], { smoke: true }),
    await runEfficacy([headgate], { smoke: true }),
  ]
  assert.ok((first.results[0]?.served ?? 0) > 0)
  assert.deepEqual(first.results, second.results)
})
