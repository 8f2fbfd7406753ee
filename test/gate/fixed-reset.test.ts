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

  // Of the reset at 10 100, what a reading that names the same one may have meant.
  test.each([
    { resetInMs: 6_100, isNext: false, reopensAt: 11_100 },
    { resetInMs: 6_101, isNext: true, reopensAt: 10_100 },
  ])('named as $resetInMs ms from 5 000 is the one after it: $isNext', ({ resetInMs, isNext, reopensAt }) => {
    const reset = named()
    expect([read(reset, { sentAt: 5_000, at: 5_000 }, resetInMs), reset.namesNext]).toEqual([isNext, isNext])
    expect(reset.reopensAt).toBe(reopensAt)
  })

  test('that was named as the next one is no more once it is the pending one', () => {
    const reset = named()
    read(reset, { sentAt: 10_050, at: 10_090 }, 60_000)
    reset.advance(10_100)
    expect(reset.namesNext).toBe(false)
  })

  test('is not changed by a reading that names none', () => {
    const reset = new FixedReset()
    expect([reset.read({}, { sentAt: 0, at: 0 }), reset.pending]).toEqual([false, undefined])
    read(reset, { sentAt: 0, at: 100 }, 10_000)
    expect([reset.read({}, { sentAt: 5_000, at: 5_000 }), reset.reopensAt, reset.namesNext]).toEqual([
      false,
      10_100,
      false,
    ])
  })

  test.each([
    { name: 'is over already', sentAt: 5_000, resetInMs: 0, past: true },
    { name: 'is over already, of an attempt sent after one passed here', sentAt: 20_000, resetInMs: 0, past: true },
    { name: 'passed here since it was sent', sentAt: 5_000, resetInMs: 5_000, past: true },
    { name: 'may have passed, as coarsely as it is told', sentAt: 5_000, resetInMs: 6_100, stepMs: 1_000, past: true },
    { name: 'is the next one', sentAt: 5_000, resetInMs: 5_101, past: false },
    { name: 'is the next one, told in seconds', sentAt: 5_000, resetInMs: 6_101, stepMs: 1_000, past: false },
    { name: 'is not told', sentAt: 5_000, resetInMs: undefined, past: false },
  ])('a reading whose reset $name is of a window that is over: $past', ({ sentAt, resetInMs, stepMs = 0, past }) => {
    const reset = named()
    reset.advance(10_100)
    const reading = resetInMs === undefined ? {} : { resetInMs, resetStepMs: stepMs }
    expect(reset.isPast(reading, sentAt)).toBe(past)
  })
})

describe('saved', () => {
  /** One at 10 100 and the next at 70 090. */
  function both(): FixedReset {
    const reset = named()
    read(reset, { sentAt: 10_050, at: 10_090 }, 60_000)
    return reset
  }

  test('are the resets to come, by how far they are', () => {
    expect([new FixedReset().save(4_000), named().save(4_000)]).toEqual([[], [{ sureInMs: 5_000, reopensInMs: 6_100 }]])
    expect(both().save(10_090)).toEqual([
      { sureInMs: -1_090, reopensInMs: 10 },
      { sureInMs: 58_960, reopensInMs: 60_000 },
    ])
  })

  test('and restored they pass when they would have', () => {
    const reset = new FixedReset()
    reset.restore(both().save(10_090), 1_000)
    expect([reset.reopensAt, reset.namesNext]).toEqual([1_010, true])
    expect([1_009, 1_010, 61_000].map((now) => reset.advance(now))).toEqual([undefined, -90, 59_960])
  })

  test('they do not replace what a reading of this process has told', () => {
    const reset = named()
    reset.restore([{ sureInMs: 0, reopensInMs: 1 }], 1_000)
    expect([reset.reopensAt, reset.namesNext]).toEqual([10_100, false])
  })
})
