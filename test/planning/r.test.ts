// Against R's own functions, as lib-r-math.js has them.
import { expect, it } from 'vitest'
import {
  conditionalMean,
  type CountOptions,
  expectedRejections,
  overshootProbability,
  rollingRejections,
} from '../../src/planning/index.ts'
import { probabilityOf } from '../../src/planning/poisson.ts'
import { dpois, ppois } from './r-math.ts'

const RATES = [1e-9, 1e-3, 0.5, 1, 5, 22.7133, 136.28, 744, 746, 1e3, 1e4, 1e6, 1e9]
/** Standard deviations from the rate to the limit. */
const DISTANCES = [-30, -10, -5, -2, -1, -0.3, 0, 0.3, 1, 2, 5, 10, 20, 30]
const POINTS = RATES.flatMap((rate) => limitsOf(rate).map((limit) => ({ rate, limit })))

/** Below it R's numbers and ours are rounded to what little is left of a double. */
const LEAST = 1e-300

const ABOVE = POINTS.filter(({ rate, limit }) => ppois(limit, rate, false) > LEAST)
const BLOCKED = POINTS.filter(({ rate, limit }) => dpois(limit, rate) > LEAST && ppois(limit, rate) > LEAST)

it.each<[string, typeof POINTS, Of, Of]>([
  ['overshootProbability', ABOVE, overshootProbability, ({ rate, limit }) => ppois(limit, rate, false)],
  ['conditionalMean', ABOVE, ({ rate, limit }) => conditionalMean({ rate, atLeast: limit + 1 }), meanAbove],
  ['expectedRejections', ABOVE.filter(isShort), expectedRejections, excess],
  ['rollingRejections', BLOCKED, rollingRejections, erlangLoss],
])('%s', (_, points, ours, theirs) => {
  expect(points.length).toBeGreaterThan(120)
  const errors = points.map((point) => ({ ...point, error: Math.abs(ours(point) / theirs(point) - 1) }))
  expect(errors.filter(({ error }) => !(error <= 1e-10))).toEqual([])
})

it.each([1, 5, 15, 16, 17, 20, 50, 745, 1_000])('P(X = %d) to the last digits', (count) => {
  for (const rate of [count, 0.85 * count, 1.2 * count, 1.3 * count])
    expect(Math.abs(probabilityOf(count, rate) / dpois(count, rate) - 1)).toBeLessThan(1e-13)
})

it.each([
  { rate: 1, atLeast: 1_000 },
  { rate: 136.28, atLeast: 5_000 },
  { rate: 1e6, atLeast: 2e6 },
])('conditionalMean where the probability is below any double: $rate, $atLeast', ({ rate, atLeast }) => {
  const logRatio = ppois(atLeast - 2, rate, false, true) - ppois(atLeast - 1, rate, false, true)
  expect(ppois(atLeast - 1, rate, false)).toBe(0)
  expect(Math.abs(conditionalMean({ rate, atLeast }) / (rate * Math.exp(logRatio)) - 1)).toBeLessThan(1e-8)
})

type Of = (options: CountOptions) => number

function limitsOf(rate: number): number[] {
  const limits = DISTANCES.map((distance) => Math.max(0, Math.round(rate + distance * Math.sqrt(rate))))
  return [...new Set(limits)]
}

function meanAbove({ rate, limit }: CountOptions): number {
  return (rate * ppois(limit - 1, rate, false)) / ppois(limit, rate, false)
}

/** Whether the sum in `excess` is not too long to be made here. */
function isShort({ rate, limit }: CountOptions): boolean {
  return rate < 1e9 || limit >= rate
}

/** E[(X - limit)+], as its definition has it. */
function excess({ rate, limit }: CountOptions): number {
  let sum = 0
  for (let count = limit + 1; ; count += 1) {
    const term = (count - limit) * dpois(count, rate)
    sum += term
    if (count > rate && term <= sum * 1e-17) return sum
  }
}

function erlangLoss({ rate, limit }: CountOptions): number {
  return (rate * dpois(limit, rate)) / ppois(limit, rate)
}
