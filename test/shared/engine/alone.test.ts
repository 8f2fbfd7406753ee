import { describe, expect, test } from 'vitest'
import { fewer } from '../../../src/shared/engine/alone.ts'
import { type Bench, type LimitOf, setUpEngine } from './set-up-engine.ts'

const windowMs = 10_000
const holdBackMs = 60_000
const limits: LimitOf[] = [[10, windowMs]]

const strict = () => setUpEngine(limits, { holdBackMs })
const partsAt = (engine: Bench, at: number, member: string) => engine.hear(at, member).reply.parts

describe('what a member may send by itself', () => {
  test('is all where it is alone, and an equal part of as many as there are', () => {
    const engine = strict()
    expect(partsAt(engine, 0, 'a')).toBe(1)
    engine.settle(['a', 'b', 'c'])
    expect(['a', 'b', 'c'].map((member) => partsAt(engine, 1, member))).toEqual([3, 3, 3])
  })

  test('is nothing for one that joins until the others are known to have been told of less', () => {
    const engine = strict()
    engine.settle(['a'])
    expect(partsAt(engine, 0, 'b')).toBe(0)
    expect(partsAt(engine, 1, 'a')).toBe(2)
    expect(partsAt(engine, 2, 'b')).toBe(0)
    expect(partsAt(engine, 3, 'a')).toBe(2)
    expect(partsAt(engine, 4, 'b')).toBe(2)
  })

  test('does not grow while the part of one that went is held back, and is shared with those who join', () => {
    const engine = strict()
    engine.settle(['a', 'b'])
    expect(partsAt(engine, 3_001, 'a')).toBe(2)
    expect(partsAt(engine, 3_001, 'c')).toBe(0)
    expect([4_000, 4_001].map((at) => partsAt(engine, at, 'a'))).toEqual([4, 4])
    expect(partsAt(engine, 4_002, 'c')).toBe(4)
  })

  test('grows when another has left', () => {
    const engine = strict()
    engine.settle(['a', 'b'])
    engine.hear(1, 'b', { leaves: true })
    expect(partsAt(engine, 2, 'a')).toBe(1)
  })

  test('stays as it was for one that is away, or while the engine learns anew', () => {
    const engine = strict()
    engine.settle(['a', 'b'])
    expect(engine.hear(1, 'a', { away: true }).reply.parts).toBe(2)
    engine.flush()
    expect(engine.hear(2, 'a').reply).toMatchObject({ learning: true, parts: 2 })
  })

  test('is by the number of members where nothing is held back', () => {
    const engine = setUpEngine(limits)
    expect(['a', 'b', 'c', 'a'].map((member) => partsAt(engine, 0, member))).toEqual([1, 2, 3, 3])
  })

  test.each([
    { known: 0, told: 3, taken: 3 },
    { known: 3, told: 0, taken: 3 },
    { known: 2, told: 3, taken: 2 },
    { known: 3, told: 2, taken: 2 },
  ])('is taken for one of $taken parts where $told are told and the answer may be lost: $known were', (row) => {
    expect(fewer(row.known, row.told)).toBe(row.taken)
  })
})

describe('members that went without a word', () => {
  test.each([
    { name: 'nothing while they are members', at: 3_000, left: 10 },
    { name: 'the part of each once they are gone', at: 3_001, left: 4 },
    { name: 'for as long as is configured', at: 3_000 + holdBackMs, left: 4 },
    { name: 'and nothing after that', at: 3_001 + holdBackMs, left: 10 },
  ])('have held back for them $name', ({ at, left }) => {
    const engine = strict()
    engine.settle(['b', 'c', 'a'])
    engine.hear(at, 'a')
    expect(engine.room(at, 'a')).toBe(left)
  })

  test('have nothing held back for them after that though what they were charged is remembered', () => {
    const engine = setUpEngine(limits, { holdBackMs: 5_000 })
    engine.settle(['a', 'b'])
    engine.hear(8_000, 'a')
    expect(engine.room(8_000, 'a')).toBe(5)
    expect(engine.room(18_010, 'a')).toBe(10)
  })

  test('have nothing held back for them where it is not configured', () => {
    const engine = setUpEngine(limits)
    for (const member of ['b', 'c', 'a', 'b', 'c']) engine.hear(0, member)
    expect(engine.room(3_001, 'a')).toBe(10)
  })

  test('have nothing held back for them when they are back', () => {
    const engine = strict()
    for (const member of ['a', 'b', 'a']) engine.hear(0, member)
    engine.hear(4_000, 'b')
    expect(engine.room(4_001, 'a')).toBe(10)
  })

  test('have nothing held back for them where they have left', () => {
    const engine = strict()
    for (const member of ['a', 'b', 'a']) engine.hear(0, member)
    engine.hear(1, 'b', { leaves: true })
    expect(engine.room(4_001, 'a')).toBe(10)
  })

  test('have all of it held back where all of it may be sent: nothing goes then, not even alone', () => {
    const engine = strict()
    engine.settle(['a', 'b'])
    engine.hear(3_001, 'c')
    expect(engine.hear(3_001, 'c', { wants: [1] })).toMatchObject({ starts: [], backAt: 13_001 })
  })

  test('have it held back from what is heavier than the rest: that waits, and those who are lighter do not wait for it', () => {
    const engine = strict()
    engine.settle(['a', 'b', 'c'])
    for (const member of ['a', 'b']) engine.hear(3_001, member)
    expect(engine.hear(3_001, 'a', { wants: [8] })).toMatchObject({ starts: [], backAt: 13_001 })
    expect(engine.state.turns).toEqual([])
    expect(engine.starts(3_002, 'b', [3])).toEqual([3_002])
    expect(engine.starts(3_003, 'a', [4])).toEqual([3_003])
  })

  test('have it held back too where the engine lost their names', () => {
    const engine = strict()
    engine.settle(['a', 'b', 'c'])
    engine.starts(1, 'a', [1])
    engine.flush()
    engine.hear(100, 'a')
    engine.hear(101, 'b')
    expect(engine.room(2_100, 'a')).toBe(6)
    engine.hear(12_101, 'b')
    expect(engine.room(12_101, 'a')).toBe(7)
    engine.hear(12_102, 'c', { away: true })
    engine.hear(12_103, 'c', { back: true })
    engine.hear(12_104, 'b')
    expect(engine.room(12_200, 'a')).toBe(3)
  })

  test('have it held back for no longer there', () => {
    const engine = strict()
    engine.settle(['a', 'b'])
    engine.starts(1, 'a', [1])
    engine.flush()
    engine.hear(100, 'a')
    engine.hear(2_100, 'a')
    expect([engine.room(2_100 + holdBackMs, 'a'), engine.room(12_110 + holdBackMs, 'a')]).toEqual([5, 10])
  })
})
