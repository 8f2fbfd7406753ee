import { describe, expect, test } from 'vitest'
import { WindowLimit } from '../../src/gate/window-limit.ts'
import { drive } from '../support/drive-limit.ts'

const windowMs = 60_000

function rolling(configured?: number) {
  const limit = new WindowLimit({ windowMs }, configured)
  return { limit, ...drive(limit) }
}

function fixed(configured: number) {
  const limit = new WindowLimit({ windowMs, kind: 'fixed' }, configured)
  return { limit, ...drive(limit) }
}

describe('rolling', () => {
  test.each([
    { now: 10, room: 0, at: 60_000 },
    { now: 59_999, room: 0, at: 60_000 },
    { now: 60_000, room: 1, at: 60_500 },
    { now: 60_500, room: 2, at: undefined },
  ])('each unit comes back a window after it was counted ($now)', ({ now, room, at }) => {
    const gate = rolling(2)
    gate.exchange(0)
    gate.exchange(500)
    expect([gate.room(now), gate.block(now, 2)?.at]).toEqual([room, at === undefined ? undefined : 60_500])
    expect(gate.block(now)).toEqual(room > 0 ? undefined : { at, cause: 'limit' })
  })

  test('what is in flight is held, and room comes a window after it is counted at the latest', () => {
    const gate = rolling(1)
    gate.send(0)
    expect(gate.block(100_000, 1, { uncountedUntil: 100_500 })).toEqual({ at: 160_500, cause: 'limit' })
  })

  test('weight 0 always goes', () => {
    const gate = rolling(1)
    gate.exchange(0, { limit: 1, remaining: -100 })
    expect([gate.block(0, 0), gate.limit.projectAt(0, 0, 0)]).toEqual([undefined, 0])
  })

  test('a weight above the configured limit never goes, one above a learned limit may', () => {
    expect([rolling(2).limit.never(2), rolling(2).limit.never(3), rolling().limit.never(1e9)]).toEqual([
      false,
      true,
      false,
    ])
  })
})

describe('a limit that the upstream states', () => {
  test.each([
    { name: 'above the configured one does not loosen it', configured: 3, stated: 10, room: 3, effective: 3 },
    { name: 'below the configured one binds', configured: 10, stated: 3, room: 3, effective: 3 },
    { name: 'binds where none is configured', configured: undefined, stated: 3, room: 3, effective: 3 },
  ])('$name', ({ configured, stated, room, effective }) => {
    const { limit, ...gate } = rolling(configured)
    gate.exchange(0, { limit: stated, remaining: stated - 1 })
    expect([gate.room(0), gate.room(windowMs), limit.effectiveLimit]).toEqual([room - 1, room, effective])
  })

  test('a configured share of it is not charged with the use of others', () => {
    const gate = rolling(3)
    gate.exchange(0, { limit: 10, remaining: 3 })
    expect(gate.room(0)).toBe(2)
  })

  test('but what others leave of it binds', () => {
    const gate = rolling(3)
    gate.exchange(0, { limit: 10, remaining: 2 })
    expect([gate.room(0), gate.block(0, 2)?.cause]).toEqual([1, 'reading'])
  })

  test('is unbounded until told', () => {
    const gate = rolling()
    for (let sent = 0; sent < 100; sent++) gate.exchange(0, { remaining: 0 })
    expect([gate.block(0), gate.limit.effectiveLimit, gate.limit.ownLimit]).toEqual([undefined, undefined, undefined])
    expect(gate.limit.projectAt(5, 100, 7)).toBe(7)
  })

  test('a weight above it goes alone', () => {
    const gate = rolling()
    gate.exchange(0, { limit: 5, remaining: 4 })
    expect(gate.block(0, 50)).toEqual({ at: 60_000, cause: 'reading' })
    expect(gate.block(60_000, 50)).toBeUndefined()
    gate.exchange(60_000, undefined, 50)
    expect([gate.block(60_001), gate.block(120_000)]).toEqual([{ at: 120_000, cause: 'reading' }, undefined])
  })
})

describe('a negative remaining', () => {
  test('of -534 has to age out before anything goes', () => {
    const gate = rolling(600)
    for (let second = 0; second < 60; second++) gate.exchange(second * 1_000, undefined, 10)
    gate.exchange(59_500, { limit: 600, remaining: -534 }, 0)
    const roomIn = [60_000, 112_000, 113_000].map((now) => gate.room(now))
    expect(roomIn).toEqual([0, 0, 6])
  })

  test('the whole limit is back a window after it', () => {
    const gate = rolling(600)
    gate.exchange(0, { limit: 600, remaining: -534 })
    expect([gate.room(59_999), gate.room(60_000)]).toEqual([0, 600])
  })
})

describe('foreign use', () => {
  // Once it is proven, the attempt that brought the reading is taken for one that is not in it.
  test.each([
    { name: 'in used', reading: { limit: 10, used: 7 }, room: 2 },
    { name: 'in remaining', reading: { limit: 10, remaining: 3 }, room: 2 },
    { name: 'in both, the worse', reading: { limit: 10, remaining: 3, used: 8 }, room: 1 },
    { name: 'in remaining of the configured limit', reading: { remaining: 3 }, room: 2 },
    { name: 'in nothing: a limit alone tells no use', reading: { limit: 10 }, room: 9 },
  ])('$name', ({ reading, room }) => {
    const gate = rolling(10)
    gate.exchange(0, reading)
    expect(gate.room(0)).toBe(room)
  })

  test('holds the own window no longer than the reading lasts', () => {
    const gate = rolling(10)
    gate.exchange(0, { limit: 10, remaining: 0 })
    expect(gate.block(30_000)).toEqual({ at: 60_000, cause: 'reading' })
    expect(gate.room(60_000)).toBe(10)
  })

  test('is forgotten when an attempt is refused without a word on what is left', () => {
    const { limit, ...gate } = rolling(10)
    gate.exchange(0, { limit: 10, remaining: 0 })
    limit.forget(1)
    expect(gate.room(0)).toBe(9)
  })

  test('does not hold a probe that goes on a hint; the own window does', () => {
    const gate = rolling(10)
    gate.exchange(0, { limit: 10, remaining: 0 })
    expect(gate.block(0, 1, { ignoreReadings: true })).toBeUndefined()
    expect(gate.block(0, 10, { ignoreReadings: true })).toEqual({ at: 60_000, cause: 'limit' })
  })
})

describe('fixed', () => {
  test('is rolling until a reading names a reset', () => {
    const gate = fixed(2)
    gate.exchange(0)
    gate.exchange(40_000)
    expect([gate.room(59_999), gate.room(60_000)]).toEqual([0, 1])
  })

  test.each([
    { configured: undefined, at: 10_000 },
    { configured: 'fixed', at: 10_000 },
    { configured: 'rolling', at: 60_000 },
  ] as const)('is what an upstream says it is, unless $configured is configured', ({ configured, at }) => {
    const limit = new WindowLimit({ windowMs, ...(configured && { kind: configured }) }, 1)
    const gate = drive(limit)
    gate.exchange(0, { limit: 1, remaining: 0, resetInMs: 10_000, kind: 'fixed' })
    expect(gate.block(0)?.at).toBe(at)
  })

  test.each([
    { name: 'told to the millisecond', resetStepMs: undefined, before: 29_999, reopensAt: 30_000 },
    { name: 'told in whole seconds, a second late', resetStepMs: 1_000, before: 30_999, reopensAt: 31_000 },
  ])('all units come back at the reset $name', ({ resetStepMs, before, reopensAt }) => {
    const gate = fixed(3)
    gate.exchange(0)
    gate.exchange(10)
    const step = resetStepMs === undefined ? {} : { resetStepMs }
    gate.exchange(20_000, { limit: 3, remaining: 0, resetInMs: 10_000, ...step })
    expect(gate.block(20_001)).toEqual({ at: reopensAt, cause: 'limit' })
    expect([gate.room(before), gate.room(reopensAt)]).toEqual([0, 3])
  })

  test('what may have been counted on either side of the reset counts in both windows', () => {
    const gate = fixed(3)
    gate.exchange(0)
    const straddling = gate.send(29_000)
    gate.exchange(20_000, { limit: 3, remaining: 0, resetInMs: 10_000 })
    gate.answer(30_000 + 1, straddling)
    expect(gate.room(30_002)).toBe(2)
  })

  test('foreign use is dropped at the reset', () => {
    const gate = fixed(10)
    gate.exchange(0, { limit: 10, remaining: 0, resetInMs: 5_000 })
    expect([gate.room(4_999), gate.room(5_000)]).toEqual([0, 10])
  })

  test('a reading whose reset has passed is ignored', () => {
    const gate = fixed(10)
    gate.exchange(0, { limit: 10, remaining: 0, resetInMs: 0 })
    expect(gate.room(0)).toBe(9)
  })

  test('what was sent before the reset is not taken for part of a later reading', () => {
    const { limit, ...gate } = fixed(10)
    gate.exchange(0, { limit: 10, remaining: 8, resetInMs: 5_000 }, 2)
    const later = gate.send(6_000)
    gate.answer(6_000, later, { limit: 10, remaining: 5, resetInMs: 60_000 })
    expect(limit.snapshot(6_000).foreignUse).toBe(4)
  })

  test('nor is it for part of one that tells of the window after the reset to come', () => {
    const { limit, ...gate } = fixed(10)
    gate.exchange(0, { limit: 10, remaining: 7, resetInMs: 5_000, resetStepMs: 1_000 }, 3)
    gate.exchange(5_500, { limit: 10, remaining: 2, resetInMs: 60_000, resetStepMs: 1_000 }, 2)
    expect([limit.snapshot(5_500).foreignUse, limit.snapshot(6_000).foreignUse]).toEqual([6, 6])
    expect(gate.room(6_000)).toBe(2)
  })
})

describe('how long its own reading parks a gate', () => {
  const [now, floorMs] = [1_000, 5_000]
  test.each([
    { name: 'rolling: the floor', kind: 'rolling', resetInMs: 30_000, until: 6_000 },
    { name: 'rolling, reset unknown: the floor', kind: 'rolling', resetInMs: undefined, until: 6_000 },
    { name: 'fixed: to the reset', kind: 'fixed', resetInMs: 30_000, until: 32_000 },
    { name: 'fixed, a near reset: the floor', kind: 'fixed', resetInMs: 10, until: 6_000 },
    { name: 'fixed, a reset that has passed: not at all', kind: 'fixed', resetInMs: 0, until: now },
    { name: 'fixed, an absurd reset: a window', kind: 'fixed', resetInMs: 1e12, until: 62_000 },
  ] as const)('$name', ({ kind, resetInMs, until }) => {
    const limit = new WindowLimit({ windowMs, kind }, 10)
    const reading = { limit: 10, remaining: 0, resetStepMs: 1_000, ...(resetInMs === undefined ? {} : { resetInMs }) }
    const gate = drive(limit)
    gate.answer(now, gate.send(now), reading, true)
    expect(limit.parkUntil(reading, now, floorMs)).toBe(until)
  })
})

describe('what a reading told those who share the budget', () => {
  const reading = { limit: 10, remaining: 7 }
  const rollingTold = { surelySince: 500 - windowMs, possiblySince: 100 - windowMs, until: 500 + windowMs }

  test.each([
    { name: 'a rolling window', set: rolling, told: reading, is: rollingTold },
    { name: 'a rolling window with a reset', set: rolling, told: { ...reading, resetInMs: 30_000 }, is: rollingTold },
    { name: 'a fixed window of which no reset is told', set: fixed, told: reading, is: rollingTold },
    {
      name: 'a fixed window that began a window before its reset',
      set: fixed,
      told: { ...reading, resetInMs: 30_000 },
      is: { surelySince: 30_500 - windowMs, possiblySince: 29_100 - windowMs, until: 30_500 },
    },
    {
      name: 'a fixed window whose reset is told in whole seconds',
      set: fixed,
      told: { ...reading, resetInMs: 30_000, resetStepMs: 1_000 },
      is: { surelySince: 31_500 - windowMs, possiblySince: 28_100 - windowMs, until: 31_500 },
    },
  ])('of $name', ({ set, told, is }) => {
    const { limit, ...gate } = set(20)
    limit.sharing = { judgedElsewhere: true, partOf: undefined }
    gate.answer(500, gate.send(100), told)
    expect(limit.told).toEqual({ used: 3, stated: 10, sentAt: 100, at: 500, ...is })
  })

  test('is kept for nobody else', () => {
    const { limit, ...gate } = rolling(20)
    gate.exchange(0, reading)
    expect(limit.told).toBeUndefined()
  })
})
