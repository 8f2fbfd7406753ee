import { describe, expect, test } from 'vitest'
import { play, type Row, setUpEngine } from './set-up-engine.ts'

const windowMs = 1_000

/** A limit of 4 that is spent from 0 to 300. */
function spent(options = {}) {
  const engine = setUpEngine([[4, windowMs]], options)
  for (const at of [0, 100, 200, 300]) engine.starts(at, 'light', [1])
  return engine
}

describe('who was told to come back goes before who comes later', () => {
  test.each<{ name: string; rows: Row[] }>([
    {
      name: 'a heavy one before light ones that would fit',
      rows: [
        [400, 'heavy', [3], [], 1_200],
        [1_000, 'light', [1], [], 1_300],
        [1_100, 'other', [1], [], 1_300],
        [1_200, 'heavy', [3], [1_200]],
        [1_300, 'light', [1], [1_300]],
      ],
    },
    {
      name: 'one that needs the whole limit, though a light one is there first whenever there is room',
      rows: [
        [400, 'heavy', [4], [], 1_300],
        [1_000, 'light', [1], [], 1_300],
        [1_300, 'light', [1], [], 1_305],
        [1_301, 'heavy', [4], [1_301]],
        [1_305, 'light', [1], [], 2_301],
        [2_301, 'light', [1], [2_301]],
      ],
    },
    {
      name: 'in the order in which they came',
      rows: [
        [400, 'a', [2], [], 1_100],
        [401, 'b', [2], [], 1_300],
        [1_300, 'b', [2], [1_300]],
        [1_300, 'a', [2], [1_300]],
      ],
    },
    {
      name: 'and one that has got something goes behind those who have not',
      rows: [
        [400, 'a', [1, 1, 1, 1, 1, 1], [], 1_000],
        [401, 'b', [1], [], 1_200],
        [1_000, 'a', [1, 1, 1, 1, 1, 1], [1_000], 1_100],
        [1_100, 'a', [1, 1], [], 1_200],
        [1_100, 'b', [1], [1_100]],
      ],
    },
  ])('$name', ({ rows }) => {
    expect(play(spent(), rows)).toEqual(rows)
  })

  test('nobody reserves the room of one before it', () => {
    const engine = spent({ horizonMs: 250 })
    const rows: Row[] = [
      [400, 'heavy', [4], [], 1_050],
      [1_050, 'light', [1], [], 1_055],
      [1_051, 'heavy', [4], [1_300]],
    ]
    expect(play(engine, rows)).toEqual(rows)
  })

  test('one that waits behind another comes no sooner than that one is told to', () => {
    const engine = setUpEngine([
      [4, 100],
      [1, windowMs],
    ])
    engine.starts(0, 'a', [1])
    expect(engine.hear(10, 'b', { wants: [[4, 1]] }).backAt).toBe(1_000)
    expect(engine.hear(500, 'a', { wants: [[1, 0]] }).backAt).toBe(1_000)
  })
})

describe('a turn', () => {
  const waiting = () => {
    const engine = spent()
    expect(engine.hear(400, 'heavy', { wants: [3] }).backAt).toBe(1_200)
    return engine
  }

  test('lapses for one that does not come within its patience', () => {
    expect([1_450, 1_451].map((at) => waiting().starts(at, 'light', [2]))).toEqual([[], [1_451]])
  })

  test('ends for one that wants nothing any more', () => {
    const engine = waiting()
    expect(engine.starts(1_000, 'light', [1])).toEqual([])
    engine.hear(1_001, 'heavy')
    expect(engine.starts(1_002, 'light', [1])).toEqual([1_002])
  })

  test('ends for one that leaves', () => {
    const engine = waiting()
    engine.hear(1_001, 'heavy', { leaves: true })
    expect(engine.starts(1_002, 'light', [1])).toEqual([1_002])
  })

  test('counts for what it is going to ask for, and no more than it would be given at once', () => {
    const engine = setUpEngine([[100, windowMs]])
    engine.starts(0, 'a', [100])
    engine.hear(1, 'b', { wants: Array.from({ length: 70 }, () => 1) })
    expect(engine.state.turns.map(({ charges }) => [...charges.values()])).toEqual([[32]])
  })

  test('is kept for 32 members, and the others come without', () => {
    const engine = setUpEngine([[1, windowMs]])
    engine.starts(0, 'a', [1])
    const backs = Array.from({ length: 40 }, (_, index) => engine.hear(1, `m${index}`, { wants: [1] }).backAt)
    expect([engine.state.turns.length, new Set(backs)]).toEqual([32, new Set([1_000])])
  })
})
