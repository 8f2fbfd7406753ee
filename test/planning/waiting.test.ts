import { describe, expect, it } from 'vitest'
import { rollingRejections, waitingRejections } from '../../src/planning/index.ts'

/**
 * The share of calls that one server refuses whose service takes 1, where calls come at `rate` and wait up to `wait`. Exact: Erlang's
 * waiting time in M/D/1, and what a bound on it refuses (De Kok and Tijms, 1985).
 */
function refusedByOne(rate: number, wait: number): number {
  let sum = 0
  let factorial = 1
  for (let served = 0; served <= wait; served += 1) {
    if (served > 0) factorial *= served
    const left = rate * (wait - served)
    sum += (Math.exp(left) * (-left) ** served) / factorial
  }
  return 1 - sum / (1 + rate * sum)
}

/** Rates, and waits in windows. */
const ONE_CALL = [
  [0.3, 0.5],
  [0.3, 1.5],
  [0.5, 1.5],
  [0.7, 0.5],
  [0.7, 2.5],
  [0.95, 1.5],
  [1, 3],
  [1.2, 0.25],
  [1.5, 1],
  [2, 1.5],
] as const

describe('a window of one call, which is exact', () => {
  const found = ONE_CALL.map(([rate, wait]) => {
    const exact = rate * refusedByOne(rate, wait)
    const { rejections, standardError } = waitingRejections({ rate, limit: 1, maxWaitMs: wait * 1_000 })
    return { rate, wait, error: standardError / exact, distance: (rejections - exact) / standardError }
  })

  it.each(found)('rate $rate, waits up to $wait windows', ({ error, distance }) => {
    expect(Math.abs(distance)).toBeLessThan(3)
    expect(error).toBeLessThan(0.01)
  })

  it('is missed by about a standard error, neither much more nor much less', () => {
    const meanSquare = found.reduce((sum, { distance }) => sum + distance ** 2, 0) / found.length
    expect(meanSquare).toBeGreaterThan(0.2)
    expect(meanSquare).toBeLessThan(1)
  })
})

it('simulates large limits for more calls', () => {
  const { rejections, standardError } = waitingRejections({ rate: 100_000, limit: 100_000, maxWaitMs: 1e-6 })
  const exact = rollingRejections({ rate: 100_000, limit: 100_000 })
  expect(Math.abs(rejections - exact)).toBeLessThan(3 * standardError)
  expect(standardError).toBeLessThan(0.25 * exact)
})

it('is the rolling window itself where nobody waits', () => {
  const calls = { rate: 136.28, limit: 150 }
  expect(waitingRejections({ ...calls, maxWaitMs: 0 })).toEqual({
    rejections: rollingRejections(calls),
    standardError: 0,
  })
  const barely = waitingRejections({ ...calls, maxWaitMs: 0.01 })
  expect(Math.abs(barely.rejections - rollingRejections(calls))).toBeLessThan(3 * barely.standardError)
})

it('falls with the wait and with the limit', () => {
  const refusedIn = [0, 50, 100, 250, 1_000].map(
    (maxWaitMs) => waitingRejections({ rate: 22.7, limit: 25, maxWaitMs }).rejections,
  )
  expect(refusedIn).toEqual(refusedIn.toSorted((one, other) => other - one))
  expect(refusedIn.at(-1)!).toBeLessThan(refusedIn[0]! / 50)
  const refusedBy = [20, 25, 30].map((limit) => waitingRejections({ rate: 22.7, limit, maxWaitMs: 100 }).rejections)
  expect(refusedBy).toEqual(refusedBy.toSorted((one, other) => other - one))
})

it.each([
  ['of 150', 200, 150],
  ['of 90 000', 99_000, 90_000],
  ['many times overloaded', 100_000, 10],
])('a window %s that is asked for more refuses what is too much, from the first call on', (_, rate, limit) => {
  const { rejections } = waitingRejections({ rate, limit, maxWaitMs: 2_000 })
  expect(Math.abs(rejections - (rate - limit))).toBeLessThan(0.02 * (rate - limit))
})

it('measures the wait in windows', () => {
  const seconds = waitingRejections({ rate: 22.7, limit: 25, maxWaitMs: 250 })
  expect(waitingRejections({ rate: 22.7, limit: 25, windowMs: 60_000, maxWaitMs: 15_000 })).toEqual(seconds)
  expect(waitingRejections({ rate: 22.7, limit: 25, windowMs: 60_000, maxWaitMs: 250 })).not.toEqual(seconds)
})

it('gives the same numbers each time', () => {
  const options = { rate: 22.7, limit: 25, maxWaitMs: 250 }
  expect(waitingRejections(options)).toEqual(waitingRejections(options))
})
