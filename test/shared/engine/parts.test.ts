import { describe, expect, test } from 'vitest'
import { type Claim, dueOf, partsOf } from '../../../src/shared/engine/parts.ts'
import { heartbeatMs, type LimitOf, play, type Row, setUpEngine } from './set-up-engine.ts'

const windowMs = 1_000
const ones = (count: number): number[] => Array.from({ length: count }, () => 1)

test.each([
  { members: 0, parts: [Infinity, Infinity] },
  { members: 1, parts: [Infinity, Infinity] },
  { members: 2, parts: [2.5, 50] },
  { members: 20, parts: [0.25, 5] },
])('of limits of 5 and 100 each of $members members has $parts', ({ members, parts }) => {
  expect(partsOf([{ limit: 5 }, { limit: 100 }], members)).toEqual(parts)
})

describe('due are', () => {
  const newcomer: Claim = { hasTurn: false, least: 1 }
  const inTurn: Claim = { hasTurn: true, least: 1 }

  test.each<{ name: string; wanted: number[]; part: number; down: number; up: number }>([
    { name: 'all that are within the part', wanted: [1, 1], part: 2.5, down: 2, up: 2 },
    { name: 'a part that is a whole number', wanted: ones(9), part: 3, down: 3, up: 3 },
    { name: 'a part that is none', wanted: ones(9), part: 2.5, down: 2, up: 3 },
    { name: 'one where the part is less than one', wanted: ones(9), part: 0.4, down: 1, up: 1 },
    { name: 'the first, whatever it weighs', wanted: [9, 1], part: 2.5, down: 1, up: 1 },
    { name: 'none beyond one that is too heavy', wanted: [1, 2, 1], part: 2.5, down: 1, up: 2 },
    { name: 'fractional weights', wanted: [0.5, 0.5, 0.5, 0.5, 0.5], part: 1.2, down: 2, up: 3 },
    { name: 'any that weigh nothing', wanted: [2, 0, 0, 1, 0], part: 2, down: 3, up: 3 },
    { name: 'one where all of the limit is held back', wanted: ones(9), part: 0, down: 1, up: 1 },
  ])('$name: $down, or $up of one that has a turn', ({ wanted, part, down, up }) => {
    const counts = [newcomer, inTurn].map(
      (claim) =>
        dueOf(
          wanted.map((weight) => [weight]),
          [part],
          claim,
        ).length,
    )
    expect(counts).toEqual([down, up])
  })

  test('so many at least, whatever they weigh', () => {
    expect(dueOf([[9], [9], [9]], [1], { hasTurn: false, least: 2 })).toHaveLength(2)
  })

  test.each([
    { parts: [5, 2], due: 2 },
    { parts: [2, 5], due: 1 },
    { parts: [9, 9], due: 4 },
  ])('$due where the parts of two limits are $parts', ({ parts, due }) => {
    const wanted = Array.from({ length: 4 }, () => [2, 1])
    expect(dueOf(wanted, parts, newcomer)).toHaveLength(due)
  })
})

describe('each member gets its part', () => {
  const limits: LimitOf[] = [[5, windowMs]]

  test.each<{ name: string; rows: Row[] }>([
    {
      name: 'and what is left over goes to each in turn, whoever calls first',
      rows: [
        [0, 'a', [1], [0]],
        [0, 'b', [1], [0]],
        [0, 'a', ones(9), [0, 0], 5],
        [0, 'b', ones(9), [0], 1_000],
        [5, 'a', ones(9), [], 1_000],
        [1_000, 'a', ones(9), [1_000, 1_000], 2_000],
        [1_000, 'b', ones(9), [1_000, 1_000, 1_000], 1_005],
        [1_005, 'b', ones(9), [], 2_000],
        [2_000, 'b', ones(9), [2_000, 2_000], 3_000],
        [2_000, 'a', ones(9), [2_000, 2_000, 2_000], 2_005],
      ],
    },
    {
      name: 'and no turn keeps others from theirs once it has',
      rows: [
        [0, 'b', [1], [0]],
        [1, 'a', ones(9), [1, 1], 6],
        [2, 'b', [2], [2]],
        [6, 'a', ones(9), [], 1_000],
      ],
    },
    {
      name: 'and then what others leave',
      rows: [
        [0, 'b', [1], [0]],
        [1, 'a', ones(9), [1, 1], 6],
        [6, 'a', ones(9), [6, 6], 11],
        [11, 'a', ones(9), [], 1_000],
      ],
    },
  ])('$name', ({ rows }) => {
    expect(play(setUpEngine(limits), rows)).toEqual(rows)
  })

  test('one that is alone gets all there is', () => {
    expect(setUpEngine(limits).starts(0, 'a', ones(9))).toHaveLength(5)
  })

  test.each([
    { limit: 64, reserved: [] },
    { limit: 66, reserved: [1] },
    { limit: 1_000, reserved: [32] },
  ])('of $limit, of which 32 are granted at once, a turn reserves $reserved', ({ limit, reserved }) => {
    const engine = setUpEngine([[limit, windowMs]])
    engine.hear(0, 'b')
    expect(engine.starts(1, 'a', ones(70))).toHaveLength(32)
    expect(engine.state.turns.flatMap(({ charges }) => [...charges.values()])).toEqual(reserved)
  })

  test('of what is not held back', () => {
    const engine = setUpEngine([[12, windowMs]], { holdBackMs: 60_000 })
    engine.settle(['a', 'b', 'c'])
    for (const member of ['a', 'b']) engine.hear(3_001, member)
    expect(engine.starts(3_001, 'a', ones(9))).toHaveLength(4)
  })

  test('however many there are: two attempts where nobody else waits, and one where somebody does', () => {
    const engine = setUpEngine([
      [10, windowMs],
      [1, windowMs],
    ])
    for (let index = 0; index < 20; index += 1) engine.hear(0, `m${index}`)
    const wants = Array.from({ length: 9 }, () => [1, 0])
    expect(engine.starts(1, 'a', wants)).toEqual([1, 1])
    expect(engine.starts(2, 'b', [[0, 1]])).toEqual([2])
    expect(engine.starts(3, 'c', [[1, 1]])).toEqual([])
    expect(engine.starts(4, 'a', wants)).toEqual([4])
    expect(engine.starts(1_002, 'c', [[1, 1]])).toEqual([1_002])
    expect(engine.starts(1_003, 'a', wants)).toEqual([1_003, 1_003])
  })

  test('two also where only its own turn is kept, though the turn reserves one, or where that of another has lapsed', () => {
    const engine = setUpEngine([[4, windowMs]])
    for (let index = 0; index < 20; index += 1) engine.hear(0, `m${index}`)
    expect(engine.room(1, 'a')).toBe(4)
    expect(engine.state.turns.map(({ charges }) => [...charges.values()])).toEqual([[1]])
    expect(engine.starts(1_001, 'a', ones(9))).toEqual([1_001, 1_001])
    expect(engine.starts(1_002, 'b', [4])).toEqual([])
    expect(engine.starts(2_251, 'a', ones(9))).toEqual([])
    expect(engine.starts(2_252, 'a', ones(9))).toEqual([2_252, 2_252])
  })
})

describe('of every so many that start as the limit lets in, once they wait, each of the members gets', () => {
  const horizonMs = 250

  /** Members that want more than there is call when they are told to, and now one of them is first, now another. */
  function contend(members: number, limit: number): number[][] {
    const engine = setUpEngine([[limit, windowMs]], { horizonMs })
    const calls = Array.from({ length: members }, (_, index) => ({ member: `m${index}`, at: 0 }))
    for (const { member } of calls) engine.hear(0, member)
    const started: string[] = []
    for (let turn = 0; started.length < 20 * limit; turn += 1) {
      const at = Math.min(...calls.map((call) => call.at))
      const due = calls.filter((call) => call.at === at)
      const call = due[turn % due.length]!
      const { starts, backAt } = engine.hear(at, call.member, { wants: ones(64) })
      started.push(...starts.map(() => call.member))
      call.at = Math.min(backAt!, at + heartbeatMs / 2)
    }
    return Array.from({ length: 19 }, (_, index) => index + 1).map((round) =>
      calls.map(
        ({ member }) => started.slice(round * limit, (round + 1) * limit).filter((each) => each === member).length,
      ),
    )
  }

  test.each([
    { members: 2, limit: 5, least: 2, most: 3 },
    { members: 2, limit: 10, least: 5, most: 5 },
    { members: 3, limit: 5, least: 1, most: 2 },
    { members: 6, limit: 60, least: 10, most: 10 },
    { members: 8, limit: 5, least: 0, most: 1 },
  ])('$least to $most where $members share $limit', ({ members, limit, least, most }) => {
    const counts = contend(members, limit).flat()
    expect([Math.min(...counts), Math.max(...counts)]).toEqual([least, most])
  })
})
