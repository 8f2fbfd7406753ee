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
    expect([window.held, window.ownIn(window.mark(), 0).possibly]).toEqual([2, 2])
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
  ])('when it was sent, $name', ({ counted, surely, possibly }) => {
    const window = new Window(windowMs)
    window.send(0, 1)
    window.send(0, 1)
    for (const at of counted) window.count(at, 1)
    expect(window.ownIn(window.mark(), 0)).toEqual({ surely, possibly })
  })

  test('sent after the mark: possibly in it, never surely', () => {
    const window = new Window(windowMs)
    const mark = window.mark()
    window.send(0, 1)
    window.count(1, 1)
    expect(window.ownIn(mark, 0)).toEqual({ surely: 0, possibly: 1 })
  })

  test.each([
    { now: 59_999, surely: 1, possibly: 2 },
    { now: 60_000, surely: 0, possibly: 2 },
    { now: 60_010, surely: 0, possibly: 2 },
  ])('out of its window by $now: not surely in it any more', ({ now, surely, possibly }) => {
    const window = new Window(windowMs)
    window.send(0, 1)
    window.count(10, 1)
    const mark = window.mark()
    window.send(50, 1)
    window.advance(now)
    expect(window.ownIn(mark, 0)).toEqual({ surely, possibly })
  })

  test('let go of before the mark: not possibly in it', () => {
    const window = new Window(windowMs)
    window.send(0, 1)
    window.count(10, 1)
    window.advance(60_010)
    window.send(60_010, 1)
    expect(window.ownIn(window.mark(), 0)).toEqual({ surely: 0, possibly: 1 })
  })

  test('of before a reset: not surely in it', () => {
    const window = new Window(windowMs)
    window.send(0, 3)
    window.count(10, 3)
    const sentBeforeReset = window.sentTotal
    window.send(20, 1)
    window.count(30, 1)
    expect(window.ownIn(window.mark(), sentBeforeReset).surely).toBe(1)
  })

  test('without a mark: nothing surely, everything possibly', () => {
    const window = new Window(windowMs)
    window.send(0, 2)
    window.count(10, 2)
    expect(window.ownIn(undefined, 0)).toEqual({ surely: 0, possibly: 2 })
  })
})

describe('a corrected weight', () => {
  test.each([
    { name: 'not counted yet', countedAt: undefined, now: 0, held: 3, sent: 3, surely: 0 },
    { name: 'counted', countedAt: 10, now: 0, held: 3, sent: 3, surely: 3 },
    { name: 'out of the window, which stays as it was,', countedAt: 10, now: 60_010, held: 0, sent: 1, surely: 0 },
  ])('of an attempt $name', ({ countedAt, now, held, sent, surely }) => {
    const window = new Window(windowMs)
    window.send(0, 1)
    if (countedAt !== undefined) window.count(countedAt, 1)
    window.advance(now)
    window.correct(0, countedAt, 2)
    expect([window.held, window.sentTotal]).toEqual([held, sent])
    expect(window.ownIn(window.mark(), 0)).toEqual({ surely, possibly: held })
  })

  test.each([
    { delta: -2, surely: 1 },
    { delta: 2, surely: 3 },
  ])('by $delta after a mark: what was sure at the mark is $surely', ({ delta, surely }) => {
    const window = new Window(windowMs)
    window.send(0, 3)
    window.count(10, 3)
    const mark = window.mark()
    window.correct(0, 10, delta)
    expect([window.surelyCounted(mark), window.surelyCounted(window.mark())]).toEqual([surely, 3 + delta])
  })
})
