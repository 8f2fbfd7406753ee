// The figures against a simulation of the calls, as `npm run study:planning` has it with thirty times as many.
import { describe, expect, it } from 'vitest'
import { compare } from '../../studies/planning/comparisons.ts'
import { simulateSchemes } from '../../studies/planning/scheme-rows.ts'
import { sharesOf } from '../../studies/planning/schemes.ts'

const SECONDS = 2_560
const SEED = 7

describe('what is computed and what is simulated', () => {
  it.each(compare(SECONDS, SEED))('$figure', ({ computed, standardError, distance }) => {
    expect(Math.abs(distance)).toBeLessThan(3)
    // Close enough to tell a wrong figure: the article's 0.61 is not 0.726.
    expect(standardError / computed).toBeLessThan(0.4)
  })
})

describe('the schemes', () => {
  const rows = new Map(simulateSchemes(SECONDS, SEED).map(({ name, result }) => [name, result]))
  const failed = (name: string): number => rows.get(name)!.failed.mean
  const throttled = (name: string): number => rows.get(name)!.throttledRolling.mean

  it('only those that roll keep a rolling upstream from refusing', () => {
    const harmless = [...rows].filter(([, { throttledRolling }]) => throttledRolling.mean === 0).map(([name]) => name)
    expect(harmless.filter((name) => !name.includes('rolling'))).toEqual([
      'leaky bucket of 1, one',
      'uneven traffic: reset each second, 6 shares',
    ])
    expect(harmless.length).toBe([...rows.keys()].filter((name) => name.includes('rolling')).length + 2)
  })

  it('a leaky bucket refuses either by itself or through the upstream', () => {
    expect(failed('leaky bucket of 150, one') + throttled('leaky bucket of 150, one')).toBeGreaterThan(2)
    expect(failed('leaky bucket of 1, one')).toBeGreaterThan(60)
  })

  it('shares by demand help where traffic is uneven, and only there', () => {
    expect(failed('rolling, shares by demand, smoothed')).toBeGreaterThan(0.95 * failed('rolling, 6 shares'))
    expect(failed('rolling, shares by demand, last second')).toBeGreaterThan(1.1 * failed('rolling, 6 shares'))
    expect(failed('uneven traffic: rolling, shares by demand, smoothed')).toBeLessThan(
      0.5 * failed('uneven traffic: rolling, 6 shares'),
    )
    expect(failed('uneven traffic: rolling, shared')).toBe(failed('rolling, one or shared'))
  })

  it('a retry helps where it goes elsewhere, and more where it comes later', () => {
    const [same, other, later] = ['at once on the same', 'at once on another', '1.5 s later on another'].map((when) =>
      failed(`reset each second, 6 shares, retry ${when}`),
    )
    expect(other).toBeLessThan(0.5 * same!)
    expect(later).toBeLessThan(0.1 * other!)
  })
})

it.each([
  [150, [1, 1, 1, 1, 1, 1], [25, 25, 25, 25, 25, 25]],
  [10, [2, 1], [7, 3]],
  [10, [0, 0], [5, 5]],
  [3, [0, 5], [0, 3]],
])('%d by the demand %j', (limit, demand, shares) => {
  expect(sharesOf(limit, demand)).toEqual(shares)
})
