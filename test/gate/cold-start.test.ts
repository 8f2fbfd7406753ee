import { describe, expect, test } from 'vitest'
import { ColdStart } from '../../src/gate/cold-start.ts'

const coldStartMs = 1_000

/** The first attempt, of order 0, was sent at 0. */
function started(): ColdStart {
  const cold = new ColdStart(coldStartMs)
  cold.sent(0, 0)
  return cold
}

describe('cold start', () => {
  test('the first attempt goes', () => expect(new ColdStart(coldStartMs).blockedUntil(0)).toBeUndefined())

  test.each([
    { now: 0, until: 1_000 },
    { now: 999, until: 1_000 },
    { now: 1_000, until: undefined },
  ])('the second waits for it, for coldStartMs at most ($now)', ({ now, until }) => {
    expect(started().blockedUntil(now)).toBe(until)
  })

  test('its answer opens', () => {
    const cold = started()
    cold.answered(0)
    cold.sent(1, 1)
    expect(cold.blockedUntil(2)).toBeUndefined()
  })

  test('the answer to another does not', () => {
    const cold = started()
    cold.answered(1)
    expect(cold.blockedUntil(1)).toBe(1_000)
  })

  test('where it ends without an answer another goes alone, in what is left of coldStartMs', () => {
    const cold = started()
    cold.ended(0)
    expect(cold.blockedUntil(400)).toBeUndefined()
    cold.sent(1, 400)
    expect([cold.blockedUntil(400), cold.blockedUntil(1_000)]).toEqual([1_000, undefined])
  })

  test('the end of another changes nothing', () => {
    const cold = started()
    cold.ended(1)
    expect(cold.blockedUntil(1)).toBe(1_000)
  })

  test('once coldStartMs has passed it does not come back by itself', () => {
    const cold = started()
    cold.sent(1, 1_000)
    cold.ended(0)
    cold.sent(2, 1_001)
    expect(cold.blockedUntil(1_002)).toBeUndefined()
  })

  test('again: one goes alone once more', () => {
    const cold = started()
    cold.answered(0)
    cold.again()
    expect(cold.blockedUntil(5_000)).toBeUndefined()
    cold.sent(7, 5_000)
    expect(cold.blockedUntil(5_000)).toBe(6_000)
  })

  test.each<{ name: string; done: (cold: ColdStart) => void; holds: boolean }>([
    { name: 'at first', done: () => {}, holds: true },
    { name: 'as one is on its way', done: (cold) => cold.sent(0, 0), holds: true },
    { name: 'as another goes alone', done: (cold) => [0, 999].forEach((now) => cold.sent(now, now)), holds: true },
    {
      name: 'no longer once one goes after coldStartMs',
      done: (cold) => [0, 1_000].forEach((now) => cold.sent(now, now)),
      holds: false,
    },
  ])('others are held: $name', ({ done, holds }) => {
    const cold = new ColdStart(coldStartMs)
    done(cold)
    expect(cold.holdsOthers).toBe(holds)
  })
})
