import { describe, expect, test } from 'vitest'
import { FixedReset } from '../../src/gate/fixed-reset.ts'

/** A reset named as 10 s away by a reading taken somewhere in [0, 100]. */
function named(stepMs = 0): FixedReset {
  const reset = new FixedReset()
  reset.read(0, 100, 10_000, stepMs)
  return reset
}

describe('a reset', () => {
  test('is unknown until it is named', () => {
    const reset = new FixedReset()
    expect([reset.reopensAt, reset.advance(1e9)]).toEqual([undefined, undefined])
  })

  test.each([
    { stepMs: 0, reopensAt: 10_100, sureAt: 10_000 },
    { stepMs: 1_000, reopensAt: 11_100, sureAt: 9_000 },
  ])('told to $stepMs ms passes at the latest instant meant, and lets go up to the earliest', (row) => {
    const reset = named(row.stepMs)
    expect(reset.reopensAt).toBe(row.reopensAt)
    expect([row.reopensAt - 1, row.reopensAt, row.reopensAt + 1].map((now) => reset.advance(now))).toEqual([
      undefined,
      row.sureAt,
      undefined,
    ])
    expect(reset.reopensAt).toBeUndefined()
  })

  test('named again, within what the first reading may have meant, is moved', () => {
    const reset = named()
    reset.read(5_000, 5_000, 5_050, 0)
    expect([reset.reopensAt, reset.advance(10_049), reset.advance(10_050)]).toEqual([10_050, undefined, 10_050])
  })

  test('is not cancelled by one that names the reset after it', () => {
    const reset = named()
    reset.read(10_050, 10_090, 60_000, 0)
    expect([reset.reopensAt, reset.advance(10_100), reset.reopensAt]).toEqual([10_100, 10_000, 70_090])
  })

  test('and the one after it pass together where both are over', () => {
    const reset = named()
    reset.read(10_050, 10_090, 60_000, 0)
    expect([reset.advance(80_000), reset.reopensAt]).toEqual([70_050, undefined])
  })
})
