import { describe, expect, test } from 'vitest'
import { ForeignUse } from '../../src/gate/foreign-use.ts'

const windowMs = 60_000
const taken = (order: number, at = 0, overrules = false) => ({ order, at, sentAt: at, charge: undefined, overrules })

const own = (surely: number, possibly: number, itself = false) => ({ surely, possibly, itself, alone: false })

/** After one reading at 0. */
function reading(used: number, surely: number, possibly: number): ForeignUse {
  const foreign = new ForeignUse()
  foreign.take(used, own(surely, possibly), taken(0), windowMs)
  return foreign
}

describe('what others have spent', () => {
  test.each([
    { used: 5, surely: 5, possibly: 5, foreign: 0 },
    { used: 5, surely: 2, possibly: 5, foreign: 0 },
    { used: 6, surely: 2, possibly: 5, foreign: 4 },
    { used: 3, surely: 5, possibly: 5, foreign: 0 },
    { used: 1_134, surely: 600, possibly: 600, foreign: 534 },
  ])('used $used, own $surely to $possibly: $foreign', ({ used, surely, possibly, foreign }) => {
    expect(reading(used, surely, possibly).at(0)).toBe(foreign)
  })

  test('is the upper end for one window after the lower end proved it, then the lower end again', () => {
    const foreign = reading(6, 2, 5)
    foreign.take(5, own(2, 5), taken(1, 30_000), windowMs)
    expect([30_000, 59_999, 60_000, 89_999].map((now) => foreign.at(now))).toEqual([3, 3, 0, 0])
    expect([foreign.nextChange(30_000), foreign.nextChange(60_000)]).toEqual([60_000, 90_000])
  })

  test('is dropped with its reading, a window after the headers arrived', () => {
    const foreign = reading(6, 0, 0)
    expect([foreign.at(59_999), foreign.at(60_000), foreign.nextChange(0)]).toEqual([6, 0, 60_000])
    foreign.advance(59_999)
    expect(foreign.present).toBe(true)
    foreign.advance(60_000)
    expect(foreign.present).toBe(false)
  })
})

describe('which reading is believed', () => {
  test.each([
    { name: 'of an attempt sent later', order: 6, overrules: false, accepted: true },
    { name: 'of one sent earlier', order: 4, overrules: false, accepted: false },
    { name: 'of one sent earlier that was refused', order: 4, overrules: true, accepted: true },
  ])('$name: $accepted', ({ order, overrules, accepted }) => {
    const foreign = new ForeignUse()
    foreign.take(1, own(0, 0), taken(5), windowMs)
    expect(foreign.accepts(taken(order, 1, overrules))).toBe(accepted)
  })

  test('one of before the last does not become the last by being refused', () => {
    const foreign = new ForeignUse()
    foreign.take(1, own(0, 0), taken(5), windowMs)
    foreign.take(1, own(0, 0), taken(3, 1, true), windowMs)
    expect(foreign.accepts(taken(4))).toBe(false)
  })

  test('after a refusal that told nothing, only that of an attempt sent later', () => {
    const foreign = reading(6, 0, 0)
    foreign.forget(3)
    expect([foreign.at(0), foreign.present]).toEqual([0, false])
    expect([foreign.accepts(taken(2)), foreign.accepts(taken(4))]).toEqual([false, true])
  })
})

describe('a reading goes stale', () => {
  test('a tenth of its window after it, told once, where it shows foreign use', () => {
    const foreign = reading(6, 0, 0)
    expect([5_999, 6_000, 6_001].map((now) => foreign.advance(now))).toEqual([false, true, false])
    foreign.take(6, own(0, 6), taken(1, 7_000), windowMs)
    expect([12_999, 13_000].map((now) => foreign.advance(now))).toEqual([false, true])
  })

  test('not where it shows none', () => {
    const foreign = reading(6, 0, 6)
    expect([6_000, 59_999].map((now) => foreign.advance(now))).toEqual([false, false])
  })

  test('not where there is none', () => {
    expect(new ForeignUse().advance(1e9)).toBe(false)
  })
})

test.each([false, true])(
  'what the attempt that brought a reading weighs more may be of after it, surely in it %s',
  (itself) => {
    const foreign = new ForeignUse()
    foreign.take(6, own(2, 5, itself), taken(0), windowMs)
    foreign.corrected({ order: 0, sentAt: 0, countedAt: 0 }, 3)
    expect(foreign.at(0)).toBe(4)
  },
)

describe('weight that turned out to be less', () => {
  /** A reading of 10 used at 100, of the attempt 2 sent at 50: of the own weight 4 is surely and 12 possibly in it. */
  function taken10(itself = false): ForeignUse {
    const foreign = new ForeignUse()
    const at100 = { order: 2, at: 100, sentAt: 50, charge: undefined, overrules: false }
    foreign.take(10, own(4, 12, itself), at100, windowMs)
    return foreign
  }

  test.each([
    { name: 'than was possibly in the reading proves others', order: 3, sentAt: 60, delta: -3, foreign: 6 },
    { name: 'than was surely in it too', order: 1, sentAt: 0, countedAt: 50, delta: -3, foreign: 9 },
    { name: 'and proves nothing yet', order: 1, sentAt: 0, countedAt: 50, delta: -2, foreign: 0 },
    { name: 'and was sent after it', order: 3, sentAt: 100, countedAt: 110, delta: -9, foreign: 0 },
  ])('$name: $foreign', ({ delta, foreign, countedAt, ...attempt }) => {
    const use = taken10()
    use.corrected({ ...attempt, countedAt }, delta)
    expect([use.at(200), use.at(100 + windowMs)]).toEqual([foreign, 0])
  })

  test.each([
    { name: 'maybe in it', itself: false, sentAt: 50, foreign: 6 },
    { name: 'maybe in it, counted as it was sent', itself: false, sentAt: 100, foreign: 6 },
    { name: 'surely in it', itself: true, sentAt: 50, foreign: 9 },
    { name: 'surely in it, counted as it was sent', itself: true, sentAt: 100, foreign: 9 },
  ])('of the attempt that brought the reading, $name: $foreign', ({ itself, sentAt, foreign }) => {
    const use = taken10(itself)
    use.corrected({ order: 2, sentAt, countedAt: 100 }, -3)
    expect(use.at(200)).toBe(foreign)
  })

  test('changes nothing where no reading is left', () => {
    const use = taken10()
    use.drop()
    use.corrected({ order: 1, sentAt: 0, countedAt: 50 }, -9)
    expect([use.at(200), use.present]).toEqual([0, false])
  })

  test('does not undo what was proven before, where no reading is left', () => {
    const use = reading(6, 0, 0)
    use.drop()
    use.corrected({ order: -1, sentAt: -10, countedAt: -5 }, -9)
    use.take(6, own(1, 6), taken(1, 100), windowMs)
    expect(use.at(200)).toBe(5)
  })
})

test('a reading of a window that turns out longer lasts as long', () => {
  const foreign = reading(6, 0, 0)
  foreign.lasts(2 * windowMs)
  expect([foreign.at(2 * windowMs - 1), foreign.at(2 * windowMs)]).toEqual([6, 0])
})

describe('a reading that is gone', () => {
  /** Dropped by a refusal that told nothing. */
  function gone(): ForeignUse {
    const foreign = reading(6, 0, 0)
    foreign.forget(3)
    return foreign
  }

  test('does not go stale', () => expect(gone().advance(6_000)).toBe(false))

  test('does not come back with a longer window', () => {
    const foreign = gone()
    foreign.lasts(2 * windowMs)
    expect([foreign.present, foreign.save(0)]).toEqual([false, undefined])
  })

  test('is as one that never was', () => {
    const foreign = new ForeignUse()
    foreign.lasts(windowMs)
    expect([foreign.present, foreign.at(0), foreign.save(0), foreign.advance(1e9)]).toEqual([
      false,
      0,
      undefined,
      false,
    ])
  })
})

test('what a reading proved holds as long as the window that it turns out to be of', () => {
  const foreign = new ForeignUse()
  foreign.take(6, own(2, 5), taken(0), Infinity)
  foreign.lasts(windowMs)
  foreign.take(5, own(2, 5), taken(1, 30_000), windowMs)
  expect([59_999, 60_000].map((now) => foreign.at(now))).toEqual([3, 0])
})

test('a reading goes stale where foreign use was proven less than a window before it', () => {
  const stale = [59_999, 60_000].map((at) => {
    const foreign = reading(6, 0, 0)
    foreign.take(6, own(0, 6), taken(1, at), windowMs)
    return foreign.advance(at + 6_000)
  })
  expect(stale).toEqual([true, false])
})

test('of two readings of one limit in one answer the first counts', () => {
  expect(reading(6, 0, 0).accepts(taken(0))).toBe(false)
})

describe('saved', () => {
  /** Of an attempt sent at 10 and answered at 30, so that it is not the same whichever is taken for the other. */
  function at30(used: number, length = windowMs): ForeignUse {
    const foreign = new ForeignUse()
    foreign.take(used, own(2, 5), { ...taken(0, 30), sentAt: 10 }, length)
    return foreign
  }

  const ages = { sentAgoMs: 90, takenAgoMs: 70 }
  const ends = { expiresInMs: 59_930 }
  test.each([
    {
      name: 'that proves others',
      foreign: at30(6),
      saved: { lower: 1, upper: 4, ...ages, ...ends, provenForMs: 59_930 },
    },
    { name: 'that proves none', foreign: at30(5), saved: { lower: 0, upper: 3, ...ages, ...ends } },
    { name: 'of a window without a known end', foreign: at30(6, Infinity), saved: { lower: 1, upper: 4, ...ages } },
  ])('a reading $name comes back as it was', ({ foreign, saved }) => {
    expect(foreign.save(100)).toStrictEqual(saved)
    const restored = new ForeignUse()
    restored.restore(saved, 1_100)
    expect(restored.save(1_100)).toStrictEqual(saved)
    expect([restored.takenAt, restored.at(1_100)]).toEqual([1_030, foreign.at(100)])
  })

  test('a reading is of no attempt of this process', () => {
    const restored = new ForeignUse()
    restored.restore({ lower: 1, upper: 4, ...ages }, 1_100)
    restored.corrected({ order: 1, sentAt: 1_200, countedAt: 1_210 }, -1)
    expect(restored.save(1_100)).toMatchObject({ lower: 1, upper: 4 })
  })
})
