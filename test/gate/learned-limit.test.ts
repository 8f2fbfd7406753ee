import { describe, expect, test } from 'vitest'
import type { Reading } from '../../src/gate/index.ts'
import { LearnedLimit } from '../../src/gate/learned-limit.ts'
import type { SavedLimit } from '../../src/gate/saved.ts'
import { drive } from '../support/drive-limit.ts'
import { answer, setUpGate, takeAll } from '../support/set-up-gate.ts'

const [second, minute, hour] = [1_000, 60_000, 3_600_000]

/** A limit learned from `reading`, in the answer to the first attempt at 0. */
function learned(reading: Reading) {
  const limit = new LearnedLimit(reading)
  const gate = drive(limit)
  gate.exchange(0, reading)
  return { limit, ...gate }
}

test('every limit that one answer brings is charged with what is in flight', () => {
  const { gate } = setUpGate({ transitMs: 1_000 })
  const [first] = takeAll(gate, 4)
  first!.settle(
    answer(
      { name: 'a', limit: 9, remaining: 8, windowMs: 1_000 },
      { name: 'b', limit: 9, remaining: 8, windowMs: 5_000 },
    ),
  )
  expect(gate.snapshot().limits.map(({ held }) => held)).toEqual([4, 4])
})

describe('an unstated window', () => {
  test.each([
    [0.2 * second, 1 * second],
    [1 * second, 1 * second],
    [1.001 * second, 2 * second],
    [4 * second, 5 * second],
    [12 * second, 15 * second],
    [21 * second, 30 * second],
    [58 * second, 1 * minute],
    [61 * second, 2 * minute],
    [16 * minute, 20 * minute],
    [31 * minute, 1 * hour],
    [5 * hour, 6 * hour],
    [13 * hour, 24 * hour],
    [24 * hour, 24 * hour],
  ])('with a reset in %d ms is taken as %d ms', (resetInMs, windowMs) => {
    expect(learned({ limit: 10, remaining: 9, resetInMs }).limit.snapshot(0).windowMs).toBe(windowMs)
  })

  test.each([
    { name: 'no reset', resetInMs: undefined },
    { name: 'a reset that has passed', resetInMs: 0 },
    { name: 'a reset beyond 24 h', resetInMs: 24 * hour + 1 },
  ])('with $name is not known', ({ resetInMs }) => {
    const { limit } = learned({ limit: 10, remaining: 9, ...(resetInMs === undefined ? {} : { resetInMs }) })
    expect(limit.snapshot(0)).not.toHaveProperty('windowMs')
  })

  test('is that of the longest reset seen', () => {
    const { limit, ...gate } = learned({ limit: 10, remaining: 9, resetInMs: 20 * second })
    gate.exchange(1, { limit: 10, remaining: 8, resetInMs: 58 * second })
    gate.exchange(2, { limit: 10, remaining: 7, resetInMs: 3 * second })
    expect(limit.snapshot(2).windowMs).toBe(minute)
  })
})

describe('an attempt may go', () => {
  test('when the rolling window leaves room', () => {
    const gate = learned({ limit: 2, remaining: 1, resetInMs: minute })
    gate.exchange(10, { limit: 2, remaining: 0, resetInMs: minute })
    expect(gate.block(11)).toEqual({ at: minute, cause: 'reading' })
    expect([gate.block(minute - 1)?.at, gate.block(minute)]).toEqual([minute, undefined])
  })

  test('or when what was left at the reading covers all it may not have counted', () => {
    const gate = learned({ limit: 5, remaining: 4, resetInMs: minute })
    for (const at of [1, 2, 3]) gate.exchange(at)
    const fresh = gate.send(4)
    gate.answer(5, fresh, { limit: 5, remaining: 4, resetInMs: minute })
    expect(gate.room(6)).toBe(4)
  })

  test('what others have spent holds it back', () => {
    const gate = learned({ limit: 100, remaining: 10, resetInMs: minute })
    expect(gate.room(1)).toBe(10)
  })

  test('a weight of nothing always', () => {
    expect(learned({ limit: 1, remaining: -5, resetInMs: minute }).block(1, 0)).toBeUndefined()
  })

  test('a probe on a hint always', () => {
    const gate = learned({ limit: 1, remaining: -5, resetInMs: minute })
    expect(gate.block(1, 1, { ignoreReadings: true })).toBeUndefined()
  })

  test('it is never told never', () => {
    expect(learned({ limit: 1, remaining: 0 }).limit.never()).toBe(false)
  })
})

describe('when neither leaves room, one goes alone', () => {
  test.each([
    { name: 'a second after the reset', resetInMs: 16 * minute, aloneAt: 16 * minute + second },
    { name: 'a minute after a reading without one', resetInMs: undefined, aloneAt: minute },
    { name: 'a second after a reset that has passed', resetInMs: 0, aloneAt: second },
    { name: 'a minute after one with a reset beyond 24 h', resetInMs: 24 * hour + 1, aloneAt: minute },
  ])('$name', ({ resetInMs, aloneAt }) => {
    const reading = { limit: 1_000, remaining: -5, ...(resetInMs === undefined ? {} : { resetInMs }) }
    const gate = learned(reading)
    expect([gate.block(1)?.at, gate.block(aloneAt - 1)?.at, gate.block(aloneAt)]).toEqual([aloneAt, aloneAt, undefined])
  })

  test('and only while nothing is in flight', () => {
    const gate = learned({ limit: 10, remaining: 0 })
    gate.send(minute)
    expect(gate.block(minute)).toEqual({ at: Infinity, cause: 'reading' })
    expect(gate.block(10 * minute)).toEqual({ at: Infinity, cause: 'reading' })
  })

  test('and the next one a minute later while no answer tells more', () => {
    const gate = learned({ limit: 10, remaining: 0 })
    gate.exchange(minute)
    expect([gate.block(minute)?.at, gate.block(2 * minute)]).toEqual([2 * minute, undefined])
  })

  test('and its reading replaces the old one', () => {
    const gate = learned({ limit: 10, remaining: 0 })
    gate.exchange(minute, { limit: 10, remaining: 9 })
    expect(gate.room(minute)).toBe(9)
  })

  test('a reading does not age out', () => {
    const gate = learned({ limit: 10, remaining: 0, resetInMs: 58 * second })
    gate.exchange(2, { limit: 10, remaining: 3, resetInMs: 58 * second })
    expect(gate.room(40 * hour)).toBeGreaterThanOrEqual(2)
  })
})

describe('a reading that tells', () => {
  test.each<[string, Reading]>([
    ['only the limit', { limit: 3 }],
    ['only the reset', { resetInMs: minute }],
    ['only the limit and the reset', { limit: 3, resetInMs: minute }],
  ])('%s does not say that anything is left', (_, reading) => {
    const gate = learned({ limit: 3, remaining: 2, resetInMs: minute })
    gate.exchange(1, reading)
    gate.exchange(2, reading)
    expect(gate.block(3)).toEqual({ at: minute, cause: 'reading' })
  })

  test('only what was used says it where the limit is known', () => {
    const gate = learned({ limit: 10 })
    gate.exchange(1, { used: 10 })
    expect(gate.block(2)?.cause).toBe('reading')
  })

  test('nothing holds nobody back', () => {
    expect(learned({ limit: 10 }).block(1)).toBeUndefined()
  })

  test('of an attempt sent earlier does not replace it', () => {
    const gate = learned({ limit: 100, remaining: 99, resetInMs: minute })
    const older = gate.send(1)
    const newer = gate.send(2)
    gate.answer(3, newer, { limit: 100, remaining: 2, resetInMs: minute })
    gate.answer(4, older, { limit: 100, remaining: 98, resetInMs: minute })
    expect(gate.room(5)).toBe(1)
  })
})

test('a refusal that told nothing takes the reading away', () => {
  const { limit, ...gate } = learned({ limit: 10, remaining: 0 })
  limit.forget(1)
  expect(gate.block(1)).toBeUndefined()
})

test.each([
  { name: 'the floor', reading: { resetInMs: 30 * second }, until: 6 * second },
  { name: 'the floor where the reset is not told', reading: {}, until: 6 * second },
  { name: 'not at all after a reset that has passed', reading: { resetInMs: 0 }, until: 1 * second },
])('its own reading parks a gate: $name', ({ reading, until }) => {
  expect(new LearnedLimit({}).parkUntil(reading, second, 5 * second)).toBe(until)
})

describe('a window that is stated', () => {
  test('is not guessed, whatever resets say', () => {
    const limit = new LearnedLimit({ windowMs: 5 * second })
    drive(limit).exchange(0, { remaining: 3, resetInMs: minute })
    expect([limit.guessed, limit.snapshot(0).windowMs]).toEqual([false, 5 * second])
  })
})

describe('while the window is not known', () => {
  test('a limit alone holds nobody back', () => {
    const gate = learned({ limit: 1 })
    expect([gate.block(1), gate.limit.projectAt(1, 5, 1)]).toEqual([undefined, 1])
  })

  test('what was used tells nothing, where the limit is not known either', () => {
    expect(learned({ used: 5 }).block(1)).toBeUndefined()
  })
})

test('a reading lasts as long as the window that a later one tells', () => {
  const gate = learned({ limit: 10, remaining: 4, resetInMs: 20 * second })
  gate.exchange(second, { resetInMs: 58 * second })
  const blocks = [3, 4].map((weight) => gate.block(30 * second, weight, { idle: false })?.cause)
  expect(blocks).toEqual([undefined, 'reading'])
})

test('one that goes before it has to go alone does not put that off', () => {
  const gate = learned({ remaining: 2 })
  for (const at of [30 * second, 31 * second]) gate.exchange(at)
  expect(gate.block(32 * second)?.at).toBe(minute)
})

test('nor does it take the reading away by an answer that tells nothing', () => {
  const { limit, ...gate } = learned({ remaining: 1 })
  const ordinary = gate.send(30 * second)
  gate.answer(30 * second, ordinary)
  limit.silent(ordinary.order, false)
  expect(gate.block(31 * second)?.at).toBe(minute)
})

test('a refusal that told nothing takes away what others have spent, too', () => {
  const { limit, ...gate } = learned({ limit: 10, remaining: 2, resetInMs: minute })
  const older = gate.send(1)
  limit.forget(2)
  expect(gate.room(1)).toBe(8)
  gate.answer(2, older, { limit: 10, remaining: 0, resetInMs: minute })
  expect(gate.room(2)).toBe(8)
})

describe('is projected', () => {
  test.each<{ name: string; reading: Reading; weight?: number; ahead?: number; at: number }>([
    { name: 'at once, what the reading leaves', reading: { remaining: 3 }, at: 10 },
    { name: 'at once, behind others that it leaves room for', reading: { remaining: 3 }, ahead: 2, at: 10 },
    { name: 'as one that goes alone, behind more than it leaves', reading: { remaining: 3 }, ahead: 3, at: minute },
    { name: 'at once, what weighs nothing', reading: { remaining: -5 }, weight: 0, at: 10 },
    { name: 'at once, where the window leaves room', reading: { limit: 5, remaining: 4, resetInMs: minute }, at: 10 },
    { name: 'as units come back', reading: { limit: 5, remaining: 4, resetInMs: minute }, ahead: 4, at: minute },
    { name: 'a window later', reading: { limit: 5, remaining: 4, resetInMs: minute }, ahead: 5, at: minute + 10 },
    {
      name: 'once the reading is dropped',
      reading: { limit: 5, remaining: 0, resetInMs: 20 * second },
      at: 20 * second,
    },
  ])('$name', ({ reading, weight = 1, ahead = 0, at }) => {
    expect(learned(reading).limit.projectAt(weight, ahead, 10)).toBe(at)
  })
})

describe('saved', () => {
  const resets = { limit: 10, resetInMs: minute }
  test.each<{ name: string; reading: Reading; saved: object }>([
    { name: 'the limit alone', reading: { limit: 10 }, saved: { stated: 10, left: { sentSince: 1 } } },
    {
      name: 'what is left',
      reading: { remaining: 3 },
      saved: { left: { remaining: 3, sentSince: 0, aloneInMs: minute - 100 } },
    },
    {
      name: 'all of it',
      reading: { ...resets, remaining: 9 },
      saved: {
        windowMs: minute,
        foreignUse: { lower: 0, upper: 1, sentAgoMs: 100, takenAgoMs: 100, expiresInMs: minute - 100 },
        stated: 10,
        left: { remaining: 9, sentSince: 0, aloneInMs: minute + second - 100 },
      },
    },
  ])('$name', ({ reading, saved }) => {
    const common = { unit: 'requests', source: 'learned', guessed: true, counted: [] }
    expect(learned(reading).limit.save(100, [])).toStrictEqual({ ...common, ...saved })
  })
})

describe('restored', () => {
  test('what was sent before it is not in the saved reading', () => {
    const limit = new LearnedLimit({})
    const gate = drive(limit)
    gate.send(0, 3)
    const left = { remaining: 3, sentSince: 0 }
    limit.restore({ unit: 'requests', source: 'learned', counted: [], left }, 1, 0)
    expect([gate.block(1), gate.room(1)]).toEqual([{ at: Infinity, cause: 'reading' }, 0])
  })

  test('a number that was told before it stays', () => {
    const limit = new LearnedLimit({})
    const gate = drive(limit)
    gate.exchange(0, { limit: 9 })
    const left = { remaining: 3, sentSince: 0 }
    limit.restore({ unit: 'requests', source: 'learned', counted: [], left }, 1, 0)
    expect(limit.effectiveLimit).toBe(9)
  })

  const saved: SavedLimit = { unit: 'requests', source: 'learned', guessed: true, counted: [] }
  const left = { remaining: 5, sentSince: 2 }

  test('is what was left, and sent beyond it', () => {
    const limit = new LearnedLimit({})
    limit.restore({ ...saved, counted: [[100, 6]], left }, 0, 0)
    expect(drive(limit).block(1, 3)).toBeUndefined()
    expect(drive(limit).block(1, 4)?.cause).toBe('reading')
  })

  test.each<{ name: string; own: Reading; windowMs: number | undefined; now: number | undefined }>([
    { name: 'a guess of its length', own: {}, windowMs: second, now: second },
    { name: 'none that was not made', own: {}, windowMs: undefined, now: undefined },
    { name: 'none in place of an own one', own: { remaining: 4, resetInMs: minute }, windowMs: second, now: minute },
  ])('$name', ({ own, windowMs, now }) => {
    const { limit } = learned(own)
    limit.restore({ ...saved, ...(windowMs !== undefined && { windowMs }), left }, 1, 0)
    expect(limit.window.windowMs).toBe(now ?? Infinity)
  })

  test('is what was spent, of a limit that was saved of another window', () => {
    const limit = new LearnedLimit({})
    limit.restore({ unit: 'requests', source: 'learned', counted: [[0, 3]] }, 1, 0)
    expect(limit.snapshot(1)).toMatchObject({ held: 3 })
  })
})

test('a correction before any reading changes none', () => {
  const limit = new LearnedLimit({})
  const gate = drive(limit)
  const sent = gate.send(0)
  limit.window.correct(sent.charge, 3, undefined)
  limit.corrected(sent, 2)
  gate.answer(1, sent, { remaining: 4 })
  expect(gate.room(1)).toBe(4)
})
