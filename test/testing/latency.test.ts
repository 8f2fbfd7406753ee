import { describe, expect, test } from 'vitest'
import { createRandom, type Latency, sample } from '../../src/testing/index.ts'

function draws(latency: Latency, count = 20_000): number[] {
  const random = createRandom(42)
  return Array.from({ length: count }, () => sample(latency, random)).toSorted((a, b) => a - b)
}

function quantile(sorted: number[], q: number): number {
  return sorted[Math.floor(q * sorted.length)] ?? NaN
}

describe('sample', () => {
  test('a number is itself and draws nothing', () => {
    const random = () => {
      throw new Error('drawn')
    }
    expect(sample(120, random)).toBe(120)
    expect(sample(0, random)).toBe(0)
  })

  test('log-normal: the median, and the 16th and 84th percentiles one sigma away', () => {
    const sorted = draws({ medianMs: 100, sigma: 0.5 })
    expect(quantile(sorted, 0.5)).toBeGreaterThan(98)
    expect(quantile(sorted, 0.5)).toBeLessThan(102)
    expect(quantile(sorted, 0.8413) / (100 * Math.exp(0.5))).toBeCloseTo(1, 1)
    expect(quantile(sorted, 0.1587) / (100 * Math.exp(-0.5))).toBeCloseTo(1, 1)
  })

  test('uniform: between its bounds, all over', () => {
    const sorted = draws({ minMs: 20, maxMs: 60 })
    expect(sorted[0]).toBeGreaterThanOrEqual(20)
    expect(sorted.at(-1)).toBeLessThanOrEqual(60)
    expect(quantile(sorted, 0.25)).toBeCloseTo(30, -1)
    expect(quantile(sorted, 0.75)).toBeCloseTo(50, -1)
  })

  test('a function is given the source', () => {
    expect(
      sample(
        (random) => 10 + random(),
        () => 0.5,
      ),
    ).toBe(10.5)
  })

  test('is a multiple of 1/1024 ms, so that instants add up exactly', () => {
    for (const ms of draws({ medianMs: 100, sigma: 1 }, 100)) expect(Number.isInteger(ms * 1024)).toBe(true)
  })

  test('the end of the source is no infinity', () => {
    expect(sample({ medianMs: 100, sigma: 1 }, () => 0)).toBe(100)
    expect(sample({ medianMs: 100, sigma: 1 }, () => 1 - 2 ** -32)).toBeLessThan(100 * Math.exp(7))
  })

  test.each([-1, NaN, Infinity])('%d ms is refused', (ms) => {
    expect(() => sample(ms, Math.random)).toThrow(RangeError)
  })
})
