import { describe, expect, test } from 'vitest'
import { FairShare } from '../../src/gate/fair-share.ts'
import { Window } from '../../src/gate/window.ts'

const windowMs = 60_000
const limit = 600

/** A share of a window that holds `held` units, all counted at 0. */
function sharing(held: number) {
  const window = new Window(windowMs)
  for (let sent = 0; sent < held; sent++) window.send(0, 1)
  for (let sent = 0; sent < held; sent++) window.count(0, 1)
  const fair = new FairShare(window)
  const read = (now: number, used: number, proven = true) => fair.read({ now, limit, used, proven })
  return { window, fair, read }
}

const demandAt = (now: number, idle = true) => ({ now, uncountedUntil: Infinity, idle, ignoreReadings: false })

describe('contested', () => {
  test('once a reading proves foreign use, for two windows', () => {
    const { fair, read } = sharing(10)
    read(0, 600, false)
    expect(fair.isContested(0)).toBe(false)
    read(1_000, 600)
    expect([1_000, 120_999, 121_000].map((now) => fair.isContested(now))).toEqual([true, true, false])
  })

  test('readings that prove nothing do not lengthen it', () => {
    const { fair, read } = sharing(10)
    read(0, 600)
    read(60_000, 600, false)
    expect(fair.isContested(120_000)).toBe(false)
  })
})

describe('the share', () => {
  test.each([
    { held: 400, share: 400, name: 'begins with what is held' },
    { held: 0, share: 6, name: 'is a hundredth of the limit at least' },
    { held: 5_000, share: 600, name: 'is the limit at most' },
  ])('$name', ({ held, share }) => {
    const { fair, read } = sharing(held)
    read(0, 600)
    expect(fair.share).toBe(share)
  })

  test('begins anew where the limit was not contested any more', () => {
    const { fair, read, window } = sharing(400)
    read(0, 600)
    window.advance(windowMs)
    window.send(windowMs, 20)
    read(119_999, 400, false)
    expect(fair.share).toBeGreaterThan(20)
    read(120_000, 400)
    expect(fair.share).toBe(20)
  })

  // In a tenth of a window; what is held is as much as the share.
  test.each([
    { used: 0, share: 324, name: 'an empty window: by 0.4 of the limit in a window' },
    { used: 540, share: 324, name: 'more than a tenth free: the same' },
    { used: 570, share: 297, name: 'half pressed: by half of both, 0.1 (120 - 150)' },
    { used: 600, share: 270, name: 'full: it loses itself in a window' },
    { used: 900, share: 270, name: 'overfull: no more than that' },
  ])('$name', ({ used, share }) => {
    const { fair, read } = sharing(300)
    read(0, used)
    read(6_000, used)
    expect(fair.share).toBeCloseTo(share, 9)
  })

  test('counts what is still to be sent of it as used', () => {
    const { fair, read, window } = sharing(300)
    read(0, 540)
    window.advance(windowMs)
    window.send(windowMs, 270)
    read(6_000, 540)
    // 30 of 300 are still to be sent: half pressed.
    expect(fair.share).toBeCloseTo(297, 9)
  })

  test('changes by no more than that of a fifth of a window, however long nothing was read', () => {
    const { fair, read } = sharing(300)
    read(0, 600)
    read(50_000, 600)
    expect(fair.share).toBeCloseTo(240, 9)
  })

  test('goes by the time since the last reading', () => {
    const { fair, read } = sharing(300)
    read(0, 600)
    read(6_000, 600)
    read(12_000, 600)
    // 270 are the share and 300 held: 30 fewer are used in the end, so it is half pressed.
    expect(fair.share).toBeCloseTo(270 + 0.1 * (120 - 135), 9)
  })
})

describe('sends', () => {
  test.each([
    { sends: [0], weight: 1, next: 0, name: 'the first: another may go at once' },
    { sends: [0, 0], weight: 1, next: 200, name: 'two at once: one spacing' },
    { sends: [0, 0, 200], weight: 1, next: 400, name: 'on time' },
    { sends: [0, 0, 1_000], weight: 1, next: 1_000, name: 'late: one is made up for, no more' },
    { sends: [0, 0], weight: 3, next: 600, name: 'heavier ones further apart' },
  ])('$name', ({ sends, weight, next }) => {
    const { fair, read, window } = sharing(300)
    read(0, 570)
    window.advance(windowMs)
    for (const at of sends) fair.sent(at, weight)
    const block = fair.block(1, demandAt(-1))
    expect(block).toEqual({ at: next, cause: 'pace' })
    expect(fair.block(1, demandAt(next))).toBeUndefined()
  })

  test('are no further apart than a window', () => {
    const { fair, read } = sharing(0)
    read(0, 600)
    fair.sent(0, 50)
    fair.sent(0, 50)
    expect(fair.block(1, demandAt(0))).toEqual({ at: windowMs, cause: 'pace' })
  })

  test('are not spread where the limit is not contested', () => {
    const { fair } = sharing(0)
    fair.sent(0, 1)
    fair.sent(0, 1)
    expect(fair.block(0, demandAt(0))).toBeUndefined()
  })

  test('own weight stays within the share', () => {
    const { fair, read, window } = sharing(300)
    read(0, 600)
    read(6_000, 600)
    expect(fair.share).toBeCloseTo(270, 9)
    expect(fair.block(1, demandAt(6_000))).toEqual({ at: windowMs, cause: 'reading' })
    window.advance(windowMs)
    window.send(windowMs, 269)
    expect([fair.block(1, demandAt(windowMs)), fair.block(2, demandAt(windowMs))?.cause]).toEqual([
      undefined,
      'reading',
    ])
  })

  test('one heavier than the share goes when nothing else is held', () => {
    const { fair, read, window } = sharing(1)
    read(0, 600)
    expect(fair.block(50, demandAt(0))).toEqual({ at: windowMs, cause: 'reading' })
    window.advance(windowMs)
    expect(fair.block(50, demandAt(windowMs))).toBeUndefined()
  })

  test('the later of share and spacing holds', () => {
    const { fair, read } = sharing(300)
    read(0, 600)
    read(6_000, 600)
    fair.sent(59_999, 270)
    fair.sent(59_999, 270)
    expect(fair.block(1, demandAt(59_999))).toEqual({ at: 119_999, cause: 'pace' })
  })
  test('where both hold as long, the spacing is named', () => {
    const { fair, read } = sharing(300)
    read(0, 600)
    for (const at of [windowMs - 200, windowMs - 200]) fair.sent(at, 1)
    expect(fair.block(1, demandAt(windowMs - 200))).toEqual({ at: windowMs, cause: 'pace' })
  })
})
