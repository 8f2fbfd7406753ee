import { describe, expect, test } from 'vitest'
import { type LimitOf, play, type Row, setUpEngine } from './set-up-engine.ts'

/** Of which each unit comes back a second after it started. */
const windowMs = 1_000

describe('no more than the limit starts in any window', () => {
  test.each<{ name: string; limits: LimitOf[]; rows: Row[] }>([
    {
      name: 'each unit comes back a window after its own start',
      limits: [[3, windowMs]],
      rows: [
        [0, 'a', [1], [0]],
        [300, 'a', [1, 1], [300, 300]],
        [600, 'a', [1], [], 1_000],
        [999, 'a', [1], [], 1_004],
        [1_000, 'a', [1], [1_000]],
        [1_000, 'a', [1], [], 1_300],
        [1_300, 'a', [1, 1], [1_300, 1_300]],
      ],
    },
    {
      name: 'whoever spent it',
      limits: [[2, windowMs]],
      rows: [
        [0, 'a', [1], [0]],
        [100, 'b', [1], [100]],
        [200, 'c', [1], [], 1_000],
        [1_000, 'c', [1], [1_000]],
        [1_001, 'a', [1], [], 1_100],
      ],
    },
    {
      name: 'with weights: what is to go needs room for all of it',
      limits: [[10, windowMs]],
      rows: [
        [0, 'a', [4], [0]],
        [100, 'a', [5], [100]],
        [200, 'a', [2], [], 1_000],
        [1_000, 'a', [5], [1_000]],
        [1_099, 'a', [5], [], 1_104],
        [1_100, 'a', [5], [1_100]],
      ],
    },
    {
      name: 'a limit of 1',
      limits: [[1, windowMs]],
      rows: [
        [0, 'a', [1, 1], [0], 1_000],
        [999, 'a', [1], [], 1_004],
        [1_000, 'a', [1], [1_000]],
      ],
    },
    {
      name: 'weight above the limit goes alone',
      limits: [[3, windowMs]],
      rows: [
        [0, 'a', [1], [0]],
        [500, 'a', [7], [], 1_000],
        [1_000, 'a', [7], [1_000]],
        [1_500, 'a', [1], [], 2_000],
        [2_000, 'a', [1, 1, 1], [2_000, 2_000, 2_000]],
      ],
    },
    {
      name: 'fractional weights that make up the limit',
      limits: [[1, windowMs]],
      rows: [
        [0, 'a', [0.1, 0.2, 0.3], [0, 0, 0]],
        [1, 'a', [0.4], [1]],
        [2, 'a', [0.001], [], 1_000],
        [1_000, 'a', [0.6], [1_000]],
      ],
    },
    {
      name: 'what weighs nothing goes at once, however full the window is',
      limits: [[1, windowMs]],
      rows: [
        [0, 'a', [1], [0]],
        [1, 'a', [0, 0], [1, 1]],
        [1_000, 'a', [1], [1_000]],
      ],
    },
    { name: 'where there is no limit everything goes', limits: [], rows: [[0, 'a', [[], [], [], []], [0, 0, 0, 0]]] },
  ])('$name', ({ limits, rows }) => {
    expect(play(setUpEngine(limits), rows)).toEqual(rows)
  })
})

test('fractional weights fill window after window, though sums of them are inexact', () => {
  const engine = setUpEngine([[1, windowMs]])
  const tenths = Array.from({ length: 10 }, () => 0.1)
  for (let at = 0; at < 20_000; at += windowMs) expect(engine.starts(at, 'a', tenths)).toHaveLength(10)
})

test('what weighs nothing goes even where more than the limit was sent', () => {
  const engine = setUpEngine([[5, windowMs]])
  engine.hear(0, 'a')
  expect(engine.starts(1, 'a', [0], { extra: [9], recent: [9] })).toEqual([1])
})

describe('with several limits at once', () => {
  const limits: LimitOf[] = [
    [2, 100],
    [3, windowMs],
  ]

  test('all of them hold', () => {
    const rows: Row[] = [
      [0, 'a', [1, 1, 1], [0, 0], 100],
      [100, 'a', [1], [100]],
      [200, 'a', [1], [], 1_000],
      [1_000, 'a', [1, 1, 1], [1_000, 1_000], 1_100],
    ]
    expect(play(setUpEngine(limits), rows)).toEqual(rows)
  })

  test('what one of them holds is charged to none', () => {
    const engine = setUpEngine([
      [10, windowMs],
      [1, windowMs],
    ])
    expect(engine.starts(0, 'a', [[0, 1]])).toEqual([0])
    expect(engine.starts(1, 'a', [[10, 1]])).toEqual([])
    expect(engine.starts(2, 'a', [])).toEqual([])
    expect(engine.starts(3, 'a', [[10, 0]])).toEqual([3])
  })

  test('each is charged its own units', () => {
    const engine = setUpEngine([
      [2, windowMs],
      [100, windowMs],
    ])
    expect(engine.starts(0, 'a', [[1, 60]])).toEqual([0])
    expect(engine.hear(1, 'a', { wants: [[1, 60]] }).backAt).toBe(1_000)
    expect(engine.starts(2, 'a', [[1, 40]])).toEqual([2])
    expect(engine.hear(2, 'a').reply.limits).toEqual([
      { granted: 2, limit: 2 },
      { granted: 100, limit: 100 },
    ])
  })
})

describe('within the horizon a start is reserved', () => {
  const horizonMs = 250

  test.each<{ name: string; rows: Row[] }>([
    { name: 'as the room comes', rows: [[800, 'a', [1, 1], [1_000, 1_050]]] },
    { name: 'up to its end', rows: [[750, 'a', [1], [1_000]]] },
    { name: 'not beyond, and the rest comes back a horizon before', rows: [[749, 'a', [1], [], 754]] },
    { name: 'and the rest of several in a row comes back so too', rows: [[760, 'a', [1, 1, 1], [1_000], 800]] },
    {
      name: 'nobody starts before those who asked earlier, whatever it weighs',
      rows: [
        [900, 'a', [2], [1_050]],
        [901, 'b', [0], [1_050]],
      ],
    },
  ])('$name', ({ rows }) => {
    const engine = setUpEngine([[2, windowMs]], { horizonMs })
    expect(engine.starts(0, 'a', [1])).toEqual([0])
    expect(engine.starts(50, 'a', [1])).toEqual([50])
    expect(play(engine, rows)).toEqual(rows)
  })

  test('and is in the window from then on', () => {
    const engine = setUpEngine([[1, windowMs]], { horizonMs })
    expect([engine.starts(0, 'a', [1]), engine.starts(900, 'a', [1])]).toEqual([[0], [1_000]])
    expect([engine.starts(1_749, 'b', [1]), engine.starts(1_750, 'b', [1])]).toEqual([[], [2_000]])
  })
})

describe('come-back times', () => {
  test('are 5 ms away at least', () => {
    const engine = setUpEngine([[1, windowMs]])
    engine.starts(0, 'a', [1])
    expect(engine.hear(999, 'a', { wants: [1] }).backAt).toBe(1_004)
  })

  test('one that comes back when it was told to is granted', () => {
    const engine = setUpEngine([[5, windowMs]])
    engine.starts(0, 'a', [1, 1, 1, 1])
    engine.starts(137, 'a', [1])
    const { backAt } = engine.hear(200, 'a', { wants: [5] })
    expect([backAt, engine.starts(backAt! - 1, 'a', [5]), engine.starts(backAt!, 'a', [5])]).toEqual([
      1_137,
      [],
      [1_137],
    ])
  })
})

describe('how much is granted at once', () => {
  const plenty: LimitOf[] = [[1_000, windowMs]]
  const many = (count: number): number[] => Array.from({ length: count }, () => 1)

  test('64 to one member alone', () => {
    const { starts, backAt } = setUpEngine(plenty).hear(0, 'a', { wants: many(70) })
    expect([starts.length, backAt]).toEqual([64, 5])
  })

  test('to one of several its part of 64, and 4 at least', () => {
    const engine = setUpEngine(plenty)
    const members = Array.from({ length: 4 }, (_, index) => `m${index}`)
    for (const member of members) engine.hear(0, member)
    expect(engine.starts(1, 'm0', many(70))).toHaveLength(16)
    for (let index = 4; index < 40; index++) engine.hear(2, `m${index}`)
    expect(engine.starts(3, 'm1', many(70))).toHaveLength(4)
  })

  test('and the rest comes back a quarter of a horizon before the last start', () => {
    const engine = setUpEngine([[64, windowMs]], { horizonMs: 250 })
    const members = Array.from({ length: 16 }, (_, index) => `m${index}`)
    for (const member of members) engine.hear(0, member)
    for (const member of members) engine.starts(0, member, many(4))
    const { starts, backAt } = engine.hear(900, 'm1', { wants: many(6) })
    expect([starts, backAt]).toEqual([[1_000, 1_000, 1_000, 1_000], 937.5])
  })

  test('and a member that is gone has no part any more', () => {
    const engine = setUpEngine(plenty)
    engine.hear(0, 'b')
    expect(engine.starts(3_000, 'a', many(70))).toHaveLength(32)
    expect(engine.starts(3_001, 'a', many(70))).toHaveLength(64)
  })
})

describe('the log', () => {
  const CASES = [
    { limit: 10_000, windowMs: 60_000, everyMs: 7 },
    { limit: 1_000_000, windowMs: 60_000, everyMs: 3 },
    { limit: 1_000_000, windowMs: 1_000, everyMs: 0.4 },
  ]

  test.each(CASES)(
    'of a limit of $limit per $windowMs ms stays within 1 260 entries',
    ({ limit, windowMs, everyMs }) => {
      const engine = setUpEngine([[limit, windowMs]])
      let most = 0
      for (let at = 0; at < 2.5 * windowMs; at += everyMs) {
        engine.starts(at, 'a', [1])
        most = Math.max(most, engine.state.limits.get('l0')!.log.size)
      }
      expect(most).toBeGreaterThan(1_000)
      expect(most).toBeLessThanOrEqual(1_260)
    },
  )

  test('lets a unit go no sooner than a window after its start, and no later than a thousandth of a window after that', () => {
    const engine = setUpEngine([[1, 60_000]])
    expect(engine.starts(1, 'a', [1])).toEqual([1])
    expect(engine.starts(60_000, 'a', [1])).toEqual([])
    expect(engine.starts(60_060, 'a', [1])).toEqual([60_060])
  })
})
