import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Ledger } from '../../src/gate/ledger.ts'
import { million } from '../support/mutated.ts'

const windowMs = 1_000

/** A ledger of so many entries; each takes its time as weight, so that what is left tells which ones. */
function filled(times: number[], maxEntries = 1_024, length = windowMs): Ledger {
  const ledger = new Ledger(maxEntries)
  for (const time of times) ledger.add(time, 1, length)
  return ledger
}

const upTo = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index)

describe('exact times', () => {
  test.each([
    { now: 999, dropped: 0, total: 3 },
    { now: 1_000, dropped: 1, total: 2 },
    { now: 1_009, dropped: 1, total: 2 },
    { now: 1_010, dropped: 3, total: 0 },
    { now: 5_000, dropped: 3, total: 0 },
  ])('by $now, $dropped have aged out', ({ now, dropped, total }) => {
    const ledger = filled([0, 10, 10])
    expect([ledger.dropAged(now, windowMs), ledger.total, ledger.slackMs]).toEqual([dropped, total, 0])
  })

  test.each([
    { weight: 0.5, at: 5 },
    { weight: 1, at: 5 },
    { weight: 1.5, at: 10 },
    { weight: 4, at: 10 },
    { weight: 5, at: 30 },
    { weight: 6, at: undefined },
  ])('$weight units have gone once time $at is dropped', ({ weight, at }) => {
    const ledger = new Ledger(1_024)
    ledger.add(5, 1, windowMs)
    ledger.add(10, 3, windowMs)
    ledger.add(30, 1, windowMs)
    expect(ledger.timeOf(weight)).toBe(at)
  })

  test.each([
    { time: 4, weight: 0 },
    { time: 5, weight: 1 },
    { time: 9, weight: 1 },
    { time: 10, weight: 2 },
    { time: 11, weight: 2 },
  ])('through $time it holds $weight units', ({ time, weight }) => {
    expect(filled([5, 10]).weightThrough(time)).toBe(weight)
  })

  test('a time before the last one counts as the last', () => {
    const ledger = filled([10, 5])
    expect([ledger.timeOf(2), ledger.dropAged(1_009, windowMs), ledger.dropAged(1_010, windowMs)]).toEqual([10, 0, 2])
  })

  test('sums of fractions do not let a unit too many out, nor keep one for ever', () => {
    const ledger = new Ledger(1_024)
    for (const [index, weight] of [0.1, 0.2, 0.3, 0.7, 0.1].entries()) ledger.add(index, weight, windowMs)
    for (const now of [1_000, 1_001, 1_002, 1_003]) {
      ledger.dropAged(now, windowMs)
      expect(ledger.timeOf(ledger.total)).toBe(4)
    }
    ledger.dropAged(1_004, windowMs)
    expect(ledger.total).toBe(0)
  })
})

describe('growth', () => {
  test.each([
    { entries: 1, room: 1 },
    { entries: 2, room: 2 },
    { entries: 3, room: 4 },
    { entries: 5, room: 8 },
    { entries: 100, room: 128 },
    { entries: 1_024, room: 1_024 },
  ])('$entries entries take the room of $room', ({ entries, room }) => {
    expect(filled(upTo(entries)).bytes).toBe(room * 16)
  })

  test.each([16, 17, 32, 33, 1_023, 1_024])('%d entries are exact, wherever the first of them stands', (count) => {
    for (const start of [0, 1, 7, 15]) {
      const ledger = filled(upTo(start))
      ledger.dropAged(start + windowMs - 1, windowMs)
      for (const time of upTo(count, 5_000)) ledger.add(time, 1, windowMs)
      for (const time of upTo(count, 5_000)) expect(ledger.dropAged(time, 0)).toBe(1)
      expect([ledger.total, ledger.slackMs]).toEqual([0, 0])
    }
  })

  test.each([
    { entries: 16, kept: 16 },
    { entries: 17, kept: 0 },
  ])('once it is empty the room of $entries entries is let go of, but for that of a few', ({ entries, kept }) => {
    const ledger = filled(upTo(entries))
    ledger.dropAged(entries, 0)
    expect(ledger.bytes).toBe(kept * 16)
    ledger.add(entries + 1, 3, windowMs)
    expect([ledger.total, ledger.timeOf(3)]).toEqual([3, entries + 1])
  })

  test('a ring that is never empty goes round and round', () => {
    const ledger = filled(upTo(10))
    for (let time = 10; time < 200; time++) {
      ledger.add(time, 1, windowMs)
      expect([ledger.dropAged(time - 10, 0), ledger.total, ledger.timeOf(1)]).toEqual([1, 10, time - 9])
    }
    expect(ledger.bytes).toBe(16 * 16)
  })
})

describe('beyond maxEntries', () => {
  test('times are rounded up, never down, by less than a step', () => {
    const times = fc.array(fc.double({ min: 0, max: 50, noNaN: true }), { minLength: 40, maxLength: 200 })
    fc.assert(
      fc.property(times, (gaps) => {
        const ledger = new Ledger(16)
        const exact: number[] = []
        let now = 0
        for (const gap of gaps) {
          now += gap
          ledger.add(now, 1, windowMs)
          exact.push(now)
          ledger.dropAged(now, windowMs)
          const held = exact.filter((time) => time + windowMs > now).length
          const heldLonger = exact.filter((time) => time + windowMs + windowMs / 16 > now).length
          expect(ledger.total).toBeGreaterThanOrEqual(held)
          expect(ledger.total).toBeLessThanOrEqual(heldLonger)
        }
      }),
    )
  })

  test('the step is the part of the window that an entry is', () => {
    const ledger = filled(upTo(1_025, 0.5), 1_024, 60_000)
    expect(ledger.slackMs).toBe(60_000 / 1_024)
    expect(ledger.timeOf(1)).toBe(60_000 / 1_024)
  })

  test('the step stays, however long it goes on', () => {
    const ledger = new Ledger(16)
    for (let now = 0; now < 10 * windowMs; now += 10) {
      ledger.dropAged(now, windowMs)
      ledger.add(now, 1, windowMs)
    }
    expect(ledger.slackMs).toBe(windowMs / 16)
  })

  test('of a window whose end is not known it is the part of twice the time so far', () => {
    expect(filled(upTo(17, 100), 16, Infinity).slackMs).toBe((2 * 15) / 16)
  })

  test('times are exact again once it was empty', () => {
    const ledger = filled(upTo(20, 1), 16)
    expect(ledger.slackMs).toBeGreaterThan(0)
    ledger.dropAged(2_000, windowMs)
    ledger.add(3_001, 1, windowMs)
    expect([ledger.slackMs, ledger.timeOf(1)]).toEqual([0, 3_001])
  })

  test.each([
    { name: 'a day', windowMs: 86_400_000 },
    { name: 'one that is not known', windowMs: Infinity },
  ])('a million units spread over a window of $name take 16.5 kB', ({ windowMs: length }) => {
    const ledger = new Ledger(1_024)
    for (let unit = 0; unit < million; unit++) ledger.add((unit / million) * 86_400_000, 1, length)
    expect(ledger.bytes).toBeLessThanOrEqual(16.5 * 1_024)
    expect(ledger.total).toBe(million)
    expect(ledger.dropAged(3 * 86_400_000, 86_400_000)).toBe(million)
  })

  test('a window that becomes longer takes no more memory, and drops nothing early', () => {
    const ledger = new Ledger(1_024)
    for (let unit = 0; unit < 100_000; unit++) ledger.add(unit, 1, unit < 2_000 ? 1_000 : 86_400_000)
    expect(ledger.bytes).toBeLessThanOrEqual(16.5 * 1_024)
    expect(ledger.dropAged(50_000, 0)).toBeLessThanOrEqual(50_001)
  })
})

describe('correct', () => {
  const spread = [...upTo(40, 1)]
  test.each([
    { name: 'exact', maxEntries: 1_024 },
    { name: 'rounded', maxEntries: 16 },
  ])('changes the weight where it stands ($name)', ({ maxEntries }) => {
    const ledger = filled(spread, maxEntries)
    const last = ledger.timeOf(ledger.total)!
    expect([ledger.correct(40, 5), ledger.total]).toEqual([true, 45])
    expect([ledger.dropAged(last - 0.001, 0) < 40, ledger.dropAged(last, 0) >= 6, ledger.total]).toEqual([
      true,
      true,
      0,
    ])
  })

  test.each([
    { name: 'dropped', time: 3, corrected: false, total: 7 },
    { name: 'dropped last', time: 13, corrected: false, total: 7 },
    { name: 'still held', time: 14, corrected: true, total: 6 },
    { name: 'never added', time: 21, corrected: false, total: 7 },
  ])('of one that is $name: $corrected', ({ time, corrected, total }) => {
    const ledger = filled(upTo(20, 1))
    ledger.dropAged(13, 0)
    expect([ledger.correct(time, -1), ledger.total]).toEqual([corrected, total])
  })

  test('of one that was dropped before the steps became longer does not touch what came after', () => {
    const ledger = filled(upTo(17, 1), 16, 16)
    ledger.dropAged(7, 0)
    for (const time of upTo(30, 18)) ledger.add(time, 1, 1_000)
    expect(ledger.slackMs).toBeGreaterThan(1)
    expect([ledger.correct(7, 5), ledger.total, ledger.correct(8, 5)]).toEqual([false, 40, true])
  })

  test('of one that was dropped does not touch what came after the ledger was empty', () => {
    const ledger = filled([1])
    ledger.dropAged(1, 0)
    ledger.add(2, 1, windowMs)
    expect([ledger.correct(1, 5), ledger.total]).toEqual([false, 1])
  })
})
