import { describe, expect, test } from 'vitest'
import { Park, type Throttle } from '../../src/gate/park.ts'

const cooldown = { baseMs: 60_000, maxMs: 600_000, parkMs: 5_000 }

/** A throttled answer at `now` to the attempt of place `order`, without hint or reading unless said. */
function throttle(now: number, order: number, more: Partial<Throttle> = {}): Throttle {
  return { now, order, retryAfterMs: undefined, readingUntil: undefined, random: 0, ...more }
}

/** Attempts 0 to 9 were sent; number 9 was throttled at 0. */
function parked(more: Partial<Throttle> = {}): Park {
  const park = new Park(cooldown)
  park.throttled(throttle(0, 9, more), 9)
  return park
}

/** A park whose probe, number 10, was let through at its end. */
function probing(more: Partial<Throttle> = {}): Park {
  const park = parked(more)
  park.probe(10, park.until)
  return park
}

test('a gate is open at first', () => {
  expect(new Park(cooldown)).toMatchObject({ state: 'open', until: -Infinity, hinted: false, broken: false })
})

describe('how long a throttled answer parks', () => {
  test.each<{ name: string; more: Partial<Throttle>; until: number; hinted: boolean }>([
    { name: 'its hint', more: { retryAfterMs: 7_000 }, until: 7_000, hinted: true },
    { name: 'its hint, not its reading', more: { retryAfterMs: 10, readingUntil: 5_000 }, until: 10, hinted: true },
    { name: 'its hint, at most maxMs', more: { retryAfterMs: 1e12 }, until: 600_000, hinted: true },
    { name: 'its reading', more: { readingUntil: 5_000 }, until: 5_000, hinted: false },
    { name: 'its reading; a hint of 0 is none', more: { retryAfterMs: 0, readingUntil: 8 }, until: 8, hinted: false },
    { name: 'baseMs without either', more: {}, until: 60_000, hinted: false },
    { name: 'baseMs at first whatever is drawn', more: { random: 0.999 }, until: 60_000, hinted: false },
    { name: 'baseMs where the hint is 0', more: { retryAfterMs: 0 }, until: 60_000, hinted: false },
  ])('$name', ({ more, until, hinted }) => {
    const park = parked(more)
    expect([park.state, park.until, park.hinted]).toEqual(['parked', until, hinted])
  })

  test('not at all where its reading says that the reset has passed', () => {
    expect(parked({ readingUntil: 0 }).state).toBe('open')
  })
})

describe('the probe', () => {
  test('is the attempt let through after the park', () => {
    const park = probing()
    expect([park.state, park.isProbe(10), park.isProbe(9), park.isProbe(11)]).toEqual(['probing', true, false, false])
  })

  test('reopens with an answer that does not throttle', () => {
    const park = probing()
    expect([park.answered(10), park.state, park.until, park.hinted]).toEqual([true, 'open', -Infinity, false])
  })

  test.each([
    { name: 'sent before the park', order: 5 },
    { name: 'sent after the probe', order: 11 },
  ])('no answer to an attempt $name reopens', ({ order }) => {
    const park = probing()
    expect([park.answered(order), park.state]).toEqual([false, 'probing'])
  })

  test('no answer reopens while nobody probes', () => {
    const park = parked()
    expect([park.answered(9), park.answered(10), park.state]).toEqual([false, false, 'parked'])
  })

  test('that is lost frees the probe for another', () => {
    const park = probing()
    park.probeLost()
    expect([park.state, park.isProbe(10)]).toEqual(['parked', false])
    park.probe(11, park.until)
    expect([park.answered(10), park.answered(11)]).toEqual([false, true])
  })
})

describe('a failed probe parks again', () => {
  test.each<{ name: string; more: Partial<Throttle>; until: number }>([
    { name: 'for its hint', more: { retryAfterMs: 2_000 }, until: 62_000 },
    { name: 'for its reading', more: { readingUntil: 90_000 }, until: 90_000 },
    { name: 'for parkMs at least without a hint', more: { readingUntil: 60_000 }, until: 65_000 },
    { name: 'from baseMs', more: {}, until: 120_000 },
    { name: 'up to twice baseMs', more: { random: 0.5 }, until: 60_000 + 90_000 },
  ])('$name', ({ more, until }) => {
    const park = probing()
    park.throttled(throttle(60_000, 10, more), 10)
    expect([park.state, park.until]).toEqual(['parked', until])
  })

  /** Probe after probe fails; each is drawn at the top of its range. */
  function failing(times: number, hint?: number): Park {
    const park = parked()
    for (let order = 10; order < 10 + times; order++) {
      park.probe(order, park.until)
      park.throttled(throttle(park.until, order, { random: 0, retryAfterMs: hint }), order)
    }
    return park
  }

  test.each([
    { failures: 1, ceiling: 120_000 },
    { failures: 2, ceiling: 240_000 },
    { failures: 3, ceiling: 480_000 },
    { failures: 4, ceiling: 600_000 },
    { failures: 9, ceiling: 600_000 },
  ])('after $failures of them the ceiling of the draw is $ceiling', ({ failures, ceiling }) => {
    for (const hint of [undefined, 1_000]) {
      const park = failing(failures - 1, hint)
      const now = park.until
      park.probe(99, park.until)
      park.throttled(throttle(now, 99, { random: 1 }), 99)
      expect(park.until - now).toBe(ceiling)
    }
  })

  test('a success resets the ceiling', () => {
    const park = failing(3)
    const now = park.until
    park.probe(50, park.until)
    park.answered(50)
    park.throttled(throttle(now, 51, { random: 1 }), 51)
    expect(park.until - now).toBe(60_000)
  })

  test('the draw only ever adds to baseMs', () => {
    for (let tenth = 0; tenth < 10; tenth++) {
      const park = probing()
      park.throttled(throttle(60_000, 10, { random: tenth / 10 }), 10)
      expect(park.until).toBe(120_000 + tenth * 6_000)
    }
  })
})

describe('answers to attempts sent before the park', () => {
  test.each([
    { name: 'lengthen it by a later hint', more: { retryAfterMs: 90_000 }, until: 91_000 },
    { name: 'at most by maxMs', more: { retryAfterMs: 1e12 }, until: 601_000 },
    { name: 'do not shorten it by a nearer one', more: { retryAfterMs: 10 }, until: 60_000 },
    { name: 'do not touch it without one', more: { random: 1 }, until: 60_000 },
    { name: 'do not touch it by a hint of 0', more: { retryAfterMs: 0 }, until: 60_000 },
    { name: 'do not touch it by their reading', more: { readingUntil: 100_000 }, until: 60_000 },
  ])('$name', ({ more, until }) => {
    const park = parked()
    park.throttled(throttle(1_000, 8, more), 9)
    expect([park.state, park.until]).toEqual(['parked', until])
  })

  test('count as no failed probe', () => {
    const park = probing()
    park.throttled(throttle(60_000, 8, { retryAfterMs: 1 }), 10)
    park.throttled(throttle(60_000, 11), 11)
    expect([park.state, park.isProbe(10)]).toEqual(['probing', true])
    park.throttled(throttle(61_000, 10, { random: 1 }), 10)
    expect(park.until).toBe(61_000 + 120_000)
  })

  test('once it has reopened, shut it again by a hint and by nothing else', () => {
    const park = probing()
    park.answered(10)
    park.throttled(throttle(61_000, 8), 12)
    expect(park.state).toBe('open')
    park.throttled(throttle(61_000, 7, { retryAfterMs: 3_000 }), 12)
    expect([park.state, park.until, park.hinted]).toEqual(['parked', 64_000, true])
  })

  test('those sent after it has reopened park it as ever', () => {
    const park = probing()
    park.answered(10)
    park.throttled(throttle(61_000, 11), 12)
    expect([park.state, park.until]).toEqual(['parked', 121_000])
  })
})

describe('may be broken before its end', () => {
  test.each<{ name: string; park: Park; now: number; may: boolean }>([
    { name: 'by one who asks before it', park: parked(), now: 59_999, may: true },
    { name: 'not at its end', park: parked(), now: 60_000, may: false },
    { name: 'not where there is none', park: new Park(cooldown), now: 0, may: false },
    { name: 'not while one probes', park: lengthened(), now: 60_000, may: false },
    { name: 'not again', park: broken(), now: 2_000, may: false },
  ])('$name', ({ park, now, may }) => expect(park.mayBreak(now)).toBe(may))

  /** It probes, and a later hint has lengthened the park. */
  function lengthened(): Park {
    const park = probing()
    park.throttled(throttle(60_000, 8, { retryAfterMs: 30_000 }), 10)
    return park
  }

  function broken(): Park {
    const park = parked()
    park.probe(10, 1_000)
    park.probeLost()
    return park
  }
})

describe('the park of another process', () => {
  const other = { until: 90_000, hinted: true, ceilingMs: 120_000, broken: true }
  const seen = ({ state, until, hinted, ceilingMs, broken }: Park) => ({ state, until, hinted, ceilingMs, broken })

  test('is taken over where it is longer, its ceiling where it is higher, and broken where either is', () => {
    const [open, shut] = [new Park(cooldown), parked()]
    for (const park of [open, shut]) {
      park.take(other, 9)
      expect(seen(park)).toEqual({ state: 'parked', ...other })
      park.take({ until: 70_000, hinted: false, ceilingMs: 90_000, broken: false }, 9)
      expect(seen(park)).toEqual({ state: 'parked', ...other, hinted: false })
    }
  })

  test('is not broken as long as neither is, and its ceiling is maxMs at most', () => {
    const park = parked()
    park.take({ ...other, broken: false, ceilingMs: 1e9 }, 9)
    expect(seen(park)).toMatchObject({ ceilingMs: 600_000, broken: false })
  })

  test('does not end a probe that is out', () => {
    const park = probing()
    park.take(other, 10)
    expect([park.state, park.until]).toEqual(['probing', 60_000])
  })

  test('was neither hinted nor broken where what was saved does not say so', () => {
    const park = new Park(cooldown)
    park.restore({ forMs: 5_000, ceilingMs: 60_000 }, 0, -1)
    expect(seen(park)).toEqual({ state: 'parked', until: 5_000, hinted: false, ceilingMs: 60_000, broken: false })
  })
})

describe('shut from outside', () => {
  test('it is parked as by a hint', () => {
    const park = new Park(cooldown)
    park.extend(5_000, 3)
    expect([park.state, park.until, park.hinted]).toEqual(['parked', 5_000, true])
    park.throttled(throttle(1_000, 3), 3)
    expect(park.until).toBe(5_000)
  })

  test('a park is lengthened, never shortened', () => {
    const park = parked()
    park.extend(10_000, 9)
    expect(park.until).toBe(60_000)
    park.extend(70_000, 9)
    expect(park.until).toBe(70_000)
  })

  test('a probe that is out no longer decides', () => {
    const park = probing()
    park.extend(90_000, 10)
    expect([park.answered(10), park.state, park.until]).toEqual([false, 'parked', 90_000])
  })
})
