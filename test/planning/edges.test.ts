import { describe, expect, it } from 'vitest'
import { isConfigError } from '../../src/index.ts'
import {
  conditionalMean,
  expectedRejections,
  overshootProbability,
  planFleet,
  rollingRejections,
  waitingRejections,
} from '../../src/planning/index.ts'

describe('at the ends of the ranges', () => {
  it('nobody calls', () => {
    expect(overshootProbability({ rate: 0, limit: 0 })).toBe(0)
    expect(expectedRejections({ rate: 0, limit: 0 })).toBe(0)
    expect(rollingRejections({ rate: 0, limit: 0 })).toBe(0)
    expect(waitingRejections({ rate: 0, limit: 0, maxWaitMs: 100 })).toEqual({ rejections: 0, standardError: 0 })
    expect(conditionalMean({ rate: 0, atLeast: 0 })).toBe(0)
  })

  it('at the rate 0 the conditional mean is the one that it comes near to', () => {
    expect(conditionalMean({ rate: 0, atLeast: 7 })).toBe(7)
    expect(conditionalMean({ rate: 1e-9, atLeast: 7 })).toBeCloseTo(7, 8)
  })

  it('nothing is allowed', () => {
    expect(overshootProbability({ rate: 2, limit: 0 })).toBeCloseTo(1 - Math.exp(-2), 14)
    expect(expectedRejections({ rate: 2, limit: 0 })).toBe(2)
    expect(rollingRejections({ rate: 2, limit: 0 })).toBe(2)
    expect(waitingRejections({ rate: 2, limit: 0, maxWaitMs: 100 }).rejections).toBe(2)
    expect(conditionalMean({ rate: 2, atLeast: 0 })).toBe(2)
  })

  it.each([
    [1e12, 0],
    [0, 1e12],
    [1e-300, 1e12],
    [Number.MIN_VALUE, 1],
    [1e12, 1e12],
  ])('rate %d, limit %d: finite, and in order', (rate, limit) => {
    const overshoot = overshootProbability({ rate, limit })
    const fixed = expectedRejections({ rate, limit })
    const rolling = rollingRejections({ rate, limit })
    expect(overshoot).toBeGreaterThanOrEqual(0)
    expect(overshoot).toBeLessThanOrEqual(1)
    expect(fixed).toBeGreaterThanOrEqual(0)
    expect(rolling).toBeGreaterThanOrEqual(fixed)
    expect(rolling).toBeLessThanOrEqual(rate)
    expect(conditionalMean({ rate, atLeast: limit })).toBeGreaterThanOrEqual(Math.max(rate, limit))
  })

  it('half of the windows overshoot the mean of a large rate', () => {
    // P(X > m) for a whole mean m is 1/2 - 2/3 * P(X = m), but for terms of a smaller order.
    const probability = 1 / Math.sqrt(2 * Math.PI * 1e12)
    expect(Math.abs(overshootProbability({ rate: 1e12, limit: 1e12 }) - 0.5 + (2 / 3) * probability)).toBeLessThan(
      1e-11,
    )
  })
})

it.each([
  [1e12, overshootProbability],
  [1e12, expectedRejections],
  [1e12, rollingRejections],
  [1e5, (options: typeof COUNT) => waitingRejections({ ...options, maxWaitMs: 0 })],
  [1e5, (options: typeof COUNT) => planFleet({ ...options, processes: 2, maxWaitMs: 0 })],
])('rates and limits go up to %d', (most, plan) => {
  plan({ rate: most, limit: most })
  expect(() => plan({ rate: most + 1, limit: most })).toThrow('rate')
  expect(() => plan({ rate: most, limit: most + 1 })).toThrow('limit')
})

const FLEET = { rate: 10, limit: 12, processes: 3 }
const COUNT = { rate: 10, limit: 12 }

describe.each<[string, (options: never) => unknown, object]>([
  ['overshootProbability', overshootProbability, COUNT],
  ['expectedRejections', expectedRejections, COUNT],
  ['rollingRejections', rollingRejections, COUNT],
  ['conditionalMean', conditionalMean, { rate: 10, atLeast: 12 }],
  ['waitingRejections', waitingRejections, { ...COUNT, maxWaitMs: 100 }],
  ['planFleet', planFleet, FLEET],
])('%s', (_, plan, good) => {
  const faultsOf = (options: unknown): unknown[] => {
    try {
      plan(options as never)
    } catch (error) {
      if (isConfigError(error)) return error.faults.map(({ option, value }) => [option, value])
      throw error
    }
    return []
  }

  it.each(Object.keys(good))('wants %s, and a number in its range', (option) => {
    expect(faultsOf(good)).toEqual([])
    for (const value of [undefined, -1, Number.NaN, Infinity, '5', null])
      expect(faultsOf({ ...good, [option]: value })).toEqual([[option, value]])
  })

  it('wants no other option, and an object', () => {
    expect(faultsOf({ ...good, rates: 1 })).toEqual([['rates', 1]])
    expect(faultsOf(undefined)).toEqual([['options', undefined]])
  })
})

it.each([
  ['limit', 2.5],
  ['processes', 0],
  ['processes', 1.5],
  ['attempts', 0],
  ['attempts', 1_001],
  ['windowMs', 0],
  ['maxWaitMs', -1],
  ['maxWaitMs', 10_001],
  ['target', 0.00009],
  ['target', 1.1],
  ['latencyMs', -1],
  ['transitMs', Number.NaN],
])('planFleet refuses %s of %d', (option, value) => {
  expect(() => planFleet({ ...FLEET, [option]: value })).toThrow(
    expect.objectContaining({ faults: [expect.objectContaining({ option, value })] }),
  )
})

it('waits are bounded by ten windows, whatever their length', () => {
  expect(() => waitingRejections({ ...COUNT, windowMs: 20, maxWaitMs: 201 })).toThrow('maxWaitMs')
  expect(waitingRejections({ ...COUNT, windowMs: 20, maxWaitMs: 200 }).rejections).toBeGreaterThanOrEqual(0)
  expect(planFleet({ ...FLEET, windowMs: 20 }).oneLimiter.withWaiting.failing).toBeLessThan(0.001)
})
