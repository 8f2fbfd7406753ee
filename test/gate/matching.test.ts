import { describe, expect, test } from 'vitest'
import type { Limit, Reading } from '../../src/gate/index.ts'
import { LearnedLimit } from '../../src/gate/learned-limit.ts'
import { limitOf, savedLike } from '../../src/gate/matching.ts'
import type { SavedLimit } from '../../src/gate/saved.ts'
import { WindowLimit } from '../../src/gate/window-limit.ts'

const [second, minute, hour] = [1_000, 60_000, 3_600_000]

const known = {
  burst: { limit: 10, windowMs: second, name: 'burst' },
  steady: { limit: 100, windowMs: minute },
  daily: { limit: 5_000, windowMs: hour },
  tokens: { limit: 90_000, windowMs: minute, unit: 'tokens' },
} satisfies Record<string, Limit>

const states = Object.entries(known).map(([key, limit]) => ({ key, state: new WindowLimit(limit, limit.limit) }))

function found(reading: Reading, extra: LearnedLimit[] = []): string | undefined {
  const state = limitOf(reading, [...states.map(({ state: each }) => each), ...extra])
  if (state instanceof LearnedLimit) return `learned ${state.name}`
  return states.find((each) => each.state === state)?.key
}

describe('a reading belongs to the limit', () => {
  test.each<{ by: string; reading: Reading; of: string | undefined }>([
    { by: 'of its name', reading: { name: 'burst', limit: 100 }, of: 'burst' },
    { by: 'of its name and window', reading: { name: 'burst', windowMs: second }, of: 'burst' },
    { by: 'of none: same name, another window', reading: { name: 'burst', windowMs: 2 * second }, of: undefined },
    { by: 'of its window', reading: { windowMs: minute, limit: 999 }, of: 'steady' },
    { by: 'of its window, if that has no name', reading: { name: 'other', windowMs: minute }, of: 'steady' },
    { by: 'of none: that window has another name', reading: { name: 'other', windowMs: second }, of: undefined },
    { by: 'of none: that window is not known', reading: { windowMs: 2 * minute, limit: 100 }, of: undefined },
    { by: 'of the same number', reading: { limit: 100, resetInMs: 1 }, of: 'steady' },
    { by: 'of the same number, of another name', reading: { limit: 10, name: 'other', resetInMs: 1 }, of: 'daily' },
    { by: 'the longest its reset fits in', reading: { limit: 7, resetInMs: 30 * second }, of: 'daily' },
    { by: 'the longest where it tells no reset', reading: { remaining: 3 }, of: 'daily' },
    { by: 'of a reset told two seconds too long', reading: { limit: 7, resetInMs: hour + 2 * second }, of: 'daily' },
    { by: 'of none: its reset fits in none', reading: { limit: 7, resetInMs: hour + 2_001 }, of: undefined },
    { by: 'of its unit', reading: { unit: 'tokens', remaining: 3 }, of: 'tokens' },
    { by: 'of none: nothing counts its unit', reading: { unit: 'bytes', limit: 100 }, of: undefined },
  ])('$by', ({ reading, of }) => expect(found(reading)).toBe(of))

  test('learned before, by its name', () => {
    const learned = [new LearnedLimit({ name: 'a' }), new LearnedLimit({ name: 'b' })]
    const reading = { limit: 7, resetInMs: 2 * hour }
    expect([found({ ...reading, name: 'b' }, learned), found(reading, learned)]).toEqual(['learned b', undefined])
    expect(found(reading, [...learned, new LearnedLimit({})])).toBe('learned undefined')
  })

  test('of the same number as others, the longest that its reset fits in, in whichever order they are configured', () => {
    const [short, long] = [second, minute].map((windowMs) => new WindowLimit({ windowMs }, 100))
    for (const limits of [
      [short!, long!],
      [long!, short!],
    ]) {
      for (const resetInMs of [second, 3 * second, minute + 2 * second])
        expect(limitOf({ limit: 100, resetInMs }, limits)).toBe(long)
      expect(limitOf({ limit: 100, resetInMs: hour }, limits)).toBe(limits[0])
    }
  })

  test('of its name rather than one without a name, where both have its window', () => {
    const [nameless, own] = [{}, { name: 'a' }].map((name) => new WindowLimit({ windowMs: minute, ...name }, 100))
    expect(limitOf({ name: 'a', windowMs: minute }, [nameless!, own!])).toBe(own)
  })

  test('that comes first, of some that are all the same', () => {
    const same = ['a', 'b'].map((name) => new WindowLimit({ windowMs: minute, name }, 100))
    expect(limitOf({ limit: 100 }, same)).toBe(same[0])
  })

  test('never by a guessed window', () => {
    const learned = new LearnedLimit({})
    learned.window.windowMs = 2 * minute
    expect(found({ windowMs: 2 * minute }, [learned])).toBeUndefined()
  })
})

describe('a limit goes on from a saved one', () => {
  const own = new WindowLimit({ windowMs: minute, name: 'b' }, 100)
  const guessed = new LearnedLimit({})
  const saved = (more: Partial<SavedLimit>): SavedLimit => ({
    unit: 'requests',
    source: 'learned',
    stated: 100,
    counted: [[0, 1]],
    ...more,
  })
  const whole = saved({ windowMs: minute })
  const named = saved({ windowMs: minute, name: 'b', stated: 7 })
  const short = saved({ windowMs: second, counted: [[0, 2]] })
  const long = saved({ windowMs: hour, counted: [[0, 3]] })
  const tokens = saved({ windowMs: hour, unit: 'tokens', counted: [[0, 4]] })
  const guess = saved({ windowMs: minute, guessed: true, counted: [[0, 5]] })
  const endless = saved({ guessed: true, counted: [[0, 6]] })
  const spent = ({ unit, source, counted }: SavedLimit) => ({ unit, source, counted })

  test.each<{ name: string; limit?: LearnedLimit; among: SavedLimit[]; from: SavedLimit | undefined }>([
    { name: 'of its window', among: [short, whole, long], from: whole },
    { name: 'of its window and name', among: [whole, named], from: named },
    { name: 'of its window, where none has its name', among: [whole, guess], from: whole },
    { name: 'the first of its window, where none has its name', among: [whole, { ...whole, stated: 8 }], from: whole },
    { name: 'of no other unit', among: [tokens], from: undefined },
    { name: 'with what was spent in the longest of other windows', among: [short, long, tokens], from: spent(long) },
    { name: 'whichever comes first', among: [long, short], from: spent(long) },
    { name: 'the first of two as long', among: [long, { ...long, counted: [] }], from: spent(long) },
    { name: 'or in one whose end is not known', among: [long, endless, short], from: spent(endless) },
    { name: 'and with no guess of its length', among: [guess], from: spent(guess) },
    { name: 'a guessed one with a guess', limit: guessed, among: [whole, guess], from: guess },
    { name: 'and with no window that was stated', limit: guessed, among: [whole], from: spent(whole) },
  ])('$name', ({ limit = own, among, from }) => expect(savedLike(limit, among)).toEqual(from))
})
