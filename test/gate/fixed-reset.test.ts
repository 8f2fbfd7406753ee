import { describe, expect, test } from 'vitest'
import { FixedReset } from '../../src/gate/fixed-reset.ts'

/** A reset named as 10 s away by a reading taken somewhere in [0, 100]. */
function named(stepMs = 0): FixedReset {
  const reset = new FixedReset()
  read(reset, { sentAt: 0, at: 100 }, 10_000, stepMs)
  return reset
}

/** A reading taken somewhere between sending and answer names a reset. */
function read(reset: FixedReset, taken: { sentAt: number; at: number }, resetInMs: number, resetStepMs = 0): boolean {
  return reset.read({ resetInMs, resetStepMs }, taken)
}

describe('a reset', () => {
  test('is unknown until it is named', () => {
    const reset = new FixedReset()
    expect([reset.reopensAt, reset.advance(1e9)]).toEqual([undefined, undefined])
  })

  test.each([
    { stepMs: 0, reopensAt: 10_100, sureAt: 9_000 },
    { stepMs: 1_000, reopensAt: 11_100, sureAt: 8_000 },
  ])(
    'told to $stepMs ms passes at the latest instant meant, and lets go up to the earliest, a cut Date included',
    (row) => {
      const reset = named(row.stepMs)
      expect(reset.reopensAt).toBe(row.reopensAt)
      expect([row.reopensAt - 1, row.reopensAt, row.reopensAt + 1].map((now) => reset.advance(now))).toEqual([
        undefined,
        row.sureAt,
        undefined,
      ])
      expect(reset.reopensAt).toBeUndefined()
    },
  )

  test('named again, within what the first reading may have meant, is moved', () => {
    const reset = named()
    expect(read(reset, { sentAt: 5_000, at: 5_000 }, 5_050)).toBe(false)
    expect([reset.reopensAt, reset.advance(10_049), reset.advance(10_050)]).toEqual([10_050, undefined, 9_050])
  })

  test('is not cancelled by one that names the reset after it', () => {
    const reset = named()
    expect(read(reset, { sentAt: 10_050, at: 10_090 }, 60_000)).toBe(true)
    expect([reset.reopensAt, reset.advance(10_100), reset.reopensAt]).toEqual([10_100, 9_000, 70_090])
  })

  test('and the one after it pass together where both are over', () => {
    const reset = named()
    read(reset, { sentAt: 10_050, at: 10_090 }, 60_000)
    expect([reset.advance(80_000), reset.reopensAt]).toEqual([69_050, undefined])
  })

  test.each([
    { name: 'is over already', sentAt: 5_000, resetInMs: 0, past: true },
    { name: 'passed here since it was sent', sentAt: 5_000, resetInMs: 5_000, past: true },
    { name: 'is the next one', sentAt: 5_000, resetInMs: 5_101, past: false },
    { name: 'is not told', sentAt: 5_000, resetInMs: undefined, past: false },
  ])('a reading whose reset $name is of a window that is over: $past', ({ sentAt, resetInMs, past }) => {
    const reset = named()
    reset.advance(10_100)
    expect(reset.isPast(resetInMs === undefined ? {} : { resetInMs }, sentAt)).toBe(past)
  })
})
