// The article's numbers, by its own formulas, and what its formulas stand for. 129.01 calls a second succeed, 7.27 are answered 429.
import { describe, expect, it } from 'vitest'
import {
  conditionalMean,
  expectedRejections,
  overshootProbability,
  planFleet,
  rollingRejections,
} from '../../src/planning/index.ts'

const RATE = 129.01 + 7.27
/** Each call that fails has made two attempts. */
const CALLS = 129.01 + 7.27 / 2
const LIMIT = 150
const SHARDS = 6

/** `get_prob_at_least` of the article. */
function probAtLeast(border: number, rate: number): number {
  let sum = 1
  let term = 1
  for (let count = 1; count < border; count += 1) {
    term = (term * rate) / count
    sum += term
  }
  return 1 - sum * Math.exp(-rate)
}

/** `get_expectation_via_conditional_at_least`. */
function expectationAtLeast(border: number, rate: number): number {
  let probability = 0
  let sum = 0
  let term = 1
  for (let count = 1; count < 10_000; count += 1) {
    term = (term * rate) / count
    if (count < border) continue
    sum += count * term
    probability += term
  }
  return sum / probability
}

/** `get_expected_errors_num`. */
function errorsOf(rate: number, border: number): number {
  return (expectationAtLeast(border, rate) - border) * probAtLeast(border, rate)
}

describe('the formulas of the article', () => {
  it.each([
    ['P(X >= 151)', probAtLeast(151, RATE), 0.1128],
    ['overshoots in 15 seconds', 15 * probAtLeast(151, RATE), 1.692],
    ['calls in a second that overshoots', expectationAtLeast(151, RATE), 156.4],
    ['errors, border 151', errorsOf(RATE, 151), 0.6133],
    ['errors, border 150', errorsOf(RATE, 150), 0.7261],
    ['with one retry, border 150', 2 * errorsOf(CALLS, 150), 0.7266],
    ['with one retry, border 151', 2 * errorsOf(CALLS, 151), 0.601],
    ['six shards, one retry, border 26', 2 * SHARDS * errorsOf(CALLS / SHARDS, 26), 6.853],
    ['six shards, one retry, border 25', 2 * SHARDS * errorsOf(CALLS / SHARDS, 25), 9.613],
  ])('%s', (_, found, figure) => {
    expect(Number(found.toPrecision(4))).toBe(figure)
  })

  it('fail above a rate of 709, where the sum overflows, and of 745, where e ** -rate underflows', () => {
    expect(probAtLeast(750, 700)).toBeCloseTo(0.03175, 5)
    expect(probAtLeast(770, 720)).toBe(-Infinity)
    expect(probAtLeast(796, 746)).toBeNaN()
    expect(overshootProbability({ rate: 720, limit: 769 })).toBeCloseTo(0.0336, 4)
    expect(overshootProbability({ rate: 746, limit: 795 })).toBeCloseTo(0.03602, 5)
  })
})

describe('what they stand for', () => {
  it.each([
    ['overshoots', overshootProbability({ rate: RATE, limit: LIMIT }), probAtLeast(151, RATE)],
    ['calls then', conditionalMean({ rate: RATE, atLeast: 151 }), expectationAtLeast(151, RATE)],
    // The number of calls beyond 150 counts from 150.
    ['rejections', expectedRejections({ rate: RATE, limit: LIMIT }), errorsOf(RATE, 150)],
    ['rejections, border 151', expectedRejections({ rate: RATE, limit: 151 }), errorsOf(RATE, 151)],
    ['with one retry', 2 * expectedRejections({ rate: CALLS, limit: LIMIT }), 2 * errorsOf(CALLS, 150)],
    ['one of six shards', expectedRejections({ rate: CALLS / SHARDS, limit: 25 }), errorsOf(CALLS / SHARDS, 25)],
  ])('%s', (_, exact, article) => {
    expect(Math.abs(exact / article - 1)).toBeLessThan(1e-11)
  })

  it.each([
    ['one limiter', rollingRejections({ rate: RATE, limit: LIMIT }), 2.563],
    ['six shards', SHARDS * rollingRejections({ rate: RATE / SHARDS, limit: 25 }), 13.31],
    ['one limiter, one retry', 2 * rollingRejections({ rate: CALLS, limit: LIMIT }), 3.102],
    ['six shards, one retry', 2 * SHARDS * rollingRejections({ rate: CALLS / SHARDS, limit: 25 }), 22.85],
  ])('in a rolling window, %s', (_, found, figure) => {
    expect(Number(found.toPrecision(4))).toBe(figure)
  })

  it('is what the plan of the fleet says', () => {
    const plan = planFleet({ rate: CALLS, limit: LIMIT, processes: SHARDS, attempts: 2 })
    const { oneLimiter, staticShares } = plan
    expect(oneLimiter.withoutWaiting.rejections).toBeCloseTo(3.102, 3)
    expect(staticShares.withoutWaiting.rejections).toBeCloseTo(22.85, 2)
  })
})

describe('failures do not grow in proportion to the shards', () => {
  it.each([
    [1, 0.7261, 2.563],
    [2, 1.95, 5.509],
    [3, 3.089, 7.901],
    [6, 5.967, 13.31],
    [15, 12.13, 23.44],
    [30, 19.21, 33.62],
    [75, 32.8, 50.35],
    [150, 46.75, 64.87],
  ])('%d shards: %d a second where windows are fixed, %d where they roll', (shards, fixed, rolling) => {
    const shard = { rate: RATE / shards, limit: LIMIT / shards }
    expect(Number((shards * expectedRejections(shard)).toPrecision(4))).toBe(fixed)
    expect(Number((shards * rollingRejections(shard)).toPrecision(4))).toBe(rolling)
  })
})
