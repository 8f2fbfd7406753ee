import { describe, expect, test } from 'vitest'
import { Window } from '../../src/gate/window.ts'
import { million } from '../support/mutated.ts'

const windowMs = 60_000
const dayMs = 86_400_000

describe('what is held', () => {
  test.each([
    { now: 0, held: 2 },
    { now: 60_000, held: 2 },
    { now: 60_099, held: 2 },
    { now: 60_100, held: 1 },
    { now: 10 * dayMs, held: 1 },
  ])('counted at 100: until a window later; not known to be counted: for ever ($now)', ({ now, held }) => {
    const window = new Window(windowMs)
    window.send(0, 1)
    window.send(0, 1)
    window.count(100, 1)
    window.advance(now)
    expect(window.held).toBe(held)
  })

  test('through a reset: what was counted at it or before is let go of, what is not counted yet is kept', () => {
    const window = new Window(windowMs)
    for (const at of [1, 2, 3]) window.send(at, 1)
    window.count(10, 1)
    window.count(20, 1)
    window.releaseThrough(10)
    expect([window.held, window.ownIn(window.send(25, 0), 0).possibly]).toEqual([2, 2])
    window.releaseThrough(20)
    expect(window.held).toBe(1)
  })

  test('is exactly nothing once all fractions of it are gone', () => {
    const window = new Window(windowMs)
    for (const weight of [0.1, 0.2, 0.3]) window.send(0, weight)
    for (const weight of [0.3, 0.1, 0.2]) window.count(1, weight)
    window.advance(60_001)
    expect(window.held).toBe(0)
  })

  test('a million units a day cost at most 32 kB', () => {
    const window = new Window(dayMs)
    for (let unit = 0; unit < million; unit++) {
      const at = (unit / million) * dayMs
      window.advance(at)
      window.send(at, 1)
      window.count(at + 40, 1)
    }
    expect(window.held).toBe(million)
    expect(window.bytes).toBeLessThanOrEqual(32 * 1_024)
  })
})

describe('when room comes', () => {
  test.each([
    { excess: 1, freeAt: 60_100 },
    { excess: 2, freeAt: 60_200 },
    { excess: 3, freeAt: 60_200 },
    { excess: 4, freeAt: 61_000 },
  ])('$excess units too many are gone at $freeAt', ({ excess, freeAt }) => {
    const window = new Window(windowMs)
    for (const [sentAt, weight] of [
      [0, 1],
      [0, 2],
      [500, 1],
    ] as const)
      window.send(sentAt, weight)
    window.count(100, 1)
    window.count(200, 2)
    expect(window.freeAt(excess, 1_000)).toBe(freeAt)
  })

  test.each([
    { excess: 1, projected: 60_100 },
    { excess: 2, projected: 60_200 },
    { excess: 3, projected: 120_100 },
    { excess: 4, projected: 120_200 },
    { excess: 5, projected: 180_100 },
  ])('with a limit of 2, $excess units queued beyond it go by $projected', ({ excess, projected }) => {
    const window = new Window(windowMs)
    for (const at of [100, 200]) {
      window.send(at, 1)
      window.count(at, 1)
    }
    expect(window.projectAt(excess, 2, 300)).toBe(projected)
  })

  test('weight that is not counted yet is projected as if it were answered now', () => {
    const window = new Window(windowMs)
    window.send(0, 1)
    expect(window.projectAt(1, 1, 50)).toBe(60_050)
  })

  test('a limit of 0 is projected a window ahead', () => {
    expect(new Window(windowMs).projectAt(1, 0, 50)).toBe(60_050)
  })
})

describe('own weight in a reading', () => {
  test.each([
    { name: 'in flight', counted: [], surely: 0, possibly: 2 },
    { name: 'one counted', counted: [10], surely: 1, possibly: 2 },
    { name: 'both counted', counted: [10, 20], surely: 2, possibly: 2 },
  ])('as the attempt that brought it was sent, $name', ({ counted, surely, possibly }) => {
    const window = new Window(windowMs)
    window.send(0, 1)
    window.send(0, 1)
    for (const at of counted) window.count(at, 1)
    expect(window.ownIn(window.send(20, 0), 0)).toMatchObject({ surely, possibly })
  })

  test.each([
    { itself: false, alone: false, surely: 1 },
    { itself: true, alone: false, surely: 4 },
    { itself: true, alone: true, surely: 3 },
  ])('of the attempt that brought it, in it $itself and alone $alone: $surely surely', ({ itself, alone, surely }) => {
    const window = new Window(windowMs)
    window.send(0, 1)
    window.count(10, 1)
    window.send(10, 1)
    expect(window.ownIn(window.send(20, 3), 0, itself, alone)).toEqual({ surely, possibly: 5, itself, alone })
  })

  test('of the attempt that brought it, a window after it was sent: not surely', () => {
    const window = new Window(windowMs)
    const slow = window.send(0, 3)
    window.send(10, 1)
    window.advance(59_999)
    expect(window.ownIn(slow, 0, true)).toMatchObject({ surely: 3, possibly: 4 })
    window.advance(60_000)
    expect(window.ownIn(slow, 0, true)).toMatchObject({ surely: 0, possibly: 4 })
  })

  test('of the attempt that brought it, sent before a reset: not surely', () => {
    const window = new Window(windowMs)
    const slow = window.send(0, 3)
    expect(window.ownIn(slow, window.sentTotal, true).surely).toBe(0)
  })

  test('sent after it: possibly in it, never surely', () => {
    const window = new Window(windowMs)
    const asking = window.send(0, 0)
    window.send(0, 1)
    window.count(1, 1)
    expect(window.ownIn(asking, 0)).toMatchObject({ surely: 0, possibly: 1 })
  })

  test.each([
    { now: 59_999, surely: 1, possibly: 2 },
    { now: 60_000, surely: 0, possibly: 2 },
    { now: 60_010, surely: 0, possibly: 2 },
  ])('out of its window by $now: not surely in it any more', ({ now, surely, possibly }) => {
    const window = new Window(windowMs)
    window.send(0, 1)
    window.count(10, 1)
    const asking = window.send(20, 0)
    window.send(50, 1)
    window.advance(now)
    expect(window.ownIn(asking, 0)).toMatchObject({ surely, possibly })
  })

  test('let go of before the attempt that brought it was sent: not possibly in it', () => {
    const window = new Window(windowMs)
    window.send(0, 1)
    window.count(10, 1)
    window.advance(60_010)
    window.send(60_010, 1)
    expect(window.ownIn(window.send(60_020, 0), 0)).toMatchObject({ surely: 0, possibly: 1 })
  })

  test('of before a reset: not surely in it', () => {
    const window = new Window(windowMs)
    window.send(0, 3)
    window.count(10, 3)
    const sentBeforeReset = window.sentTotal
    window.send(20, 1)
    window.count(30, 1)
    expect(window.ownIn(window.send(40, 0), sentBeforeReset).surely).toBe(1)
  })

  test('brought by an attempt that it knows nothing of: nothing surely, everything possibly', () => {
    const window = new Window(windowMs)
    window.send(0, 2)
    window.count(10, 2)
    expect(window.ownIn(undefined, 0)).toMatchObject({ surely: 0, possibly: 2 })
  })
})

describe('a corrected weight', () => {
  test.each([
    { name: 'not counted yet', countedAt: undefined, now: 0, held: 3, sent: 3, surely: 0 },
    { name: 'counted', countedAt: 10, now: 0, held: 3, sent: 3, surely: 3 },
    { name: 'out of the window, which stays as it was,', countedAt: 10, now: 60_010, held: 0, sent: 1, surely: 0 },
  ])('of an attempt $name', ({ countedAt, now, held, sent, surely }) => {
    const window = new Window(windowMs)
    const charge = window.send(0, 1)
    if (countedAt !== undefined) window.count(countedAt, 1)
    window.advance(now)
    window.correct(charge, 3, countedAt)
    expect([window.held, window.sentTotal, charge.weight]).toEqual([held, sent, sent])
    expect(window.ownIn(window.send(now, 0), 0)).toMatchObject({ surely, possibly: held })
  })

  test.each([
    { weight: 1, surely: 1 },
    { weight: 5, surely: 3 },
  ])('from 3 to $weight after another was sent: surely counted by then were $surely', ({ weight, surely }) => {
    const window = new Window(windowMs)
    const charge = window.send(0, 3)
    window.count(10, 3)
    const asking = window.send(20, 0)
    window.correct(charge, weight, 10)
    expect([window.surelyCounted(asking), window.surelyCounted(window.send(20, 0))]).toEqual([surely, weight])
  })

  test.each([1, 5])(
    'from 3 to %d of the attempt that is answered, counted before: its own is what it weighs now',
    (weight) => {
      const window = new Window(windowMs)
      const charge = window.send(0, 3)
      window.count(10, 3)
      window.correct(charge, weight, 10)
      expect([window.surelyCounted(charge, true), window.surelyCounted(charge)]).toEqual([weight, 0])
    },
  )
})

describe('beyond an instant', () => {
  test.each([
    { instant: 99, uncountedAt: Infinity, held: 3 },
    { instant: 100, uncountedAt: Infinity, held: 2 },
    { instant: 100, uncountedAt: 101, held: 2 },
    { instant: 100, uncountedAt: 100, held: 0 },
  ])('$instant, 1 counted at 100 and 2 at $uncountedAt: $held are held', ({ instant, uncountedAt, held }) => {
    const window = new Window(windowMs)
    window.send(0, 1)
    window.send(0, 2)
    window.count(100, 1)
    expect(window.heldBeyond(instant, uncountedAt)).toBe(held)
  })
})

test.each([
  { excess: 1, projected: 60_100 },
  { excess: 2, projected: 60_300 },
  { excess: 3, projected: 120_100 },
])('of 2 with 1 held, one goes now: $excess units beyond it by $projected', ({ excess, projected }) => {
  const window = new Window(windowMs)
  window.send(100, 1)
  window.count(100, 1)
  expect(window.projectAt(excess, 2, 300)).toBe(projected)
})

describe('surely in a reading is not', () => {
  test('what is corrected once it may have left the window, though it is held', () => {
    const window = new Window(windowMs)
    const charge = window.send(0, 1)
    window.count(100, 1)
    window.advance(60_050)
    window.correct(charge, 3, 100)
    expect(window.held).toBe(3)
    expect(window.ownIn(window.send(60_060, 0), 0)).toMatchObject({ surely: 0, possibly: 3 })
  })

  test('what another process may have sent at any time', () => {
    const window = new Window(windowMs)
    window.restore([[0, 2]], Infinity)
    expect(window.ownIn(window.send(1, 0), 0)).toMatchObject({ surely: 0, possibly: 2 })
  })

  test('what left the window, of more than are kept by their exact time', () => {
    const window = new Window(windowMs)
    for (let at = 0; at < 600; at++) {
      window.send(at, 1)
      window.count(at, 1)
    }
    window.advance(60_050)
    expect(window.ownIn(window.send(60_050, 0), 0).surely).toBeLessThanOrEqual(600 - 51)
  })
})
