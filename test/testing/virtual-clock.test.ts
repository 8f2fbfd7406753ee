import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { keepAlive, setUpClock as setUp, VirtualClock } from './set-up-clock.ts'

describe('time', () => {
  test('begins at 0 and 2026-01-01', () => {
    const clock = new VirtualClock()
    expect(clock.now()).toBe(0)
    expect(new Date(clock.wallNow()).toISOString()).toBe('2026-01-01T00:00:00.000Z')
  })

  test('begins where it is told, and wall time keeps step', async () => {
    const clock = new VirtualClock({ startMs: 500, wallStartMs: 1_000_000 })
    await clock.advance(250)
    expect([clock.now(), clock.wallNow()]).toEqual([750, 1_000_250])
  })

  test('jumpWall moves wall time alone', async () => {
    const { clock, fired, set } = setUp({ wallStartMs: 10_000 })
    set('a', 100)
    clock.jumpWall(-3_000)
    expect([clock.now(), clock.wallNow()]).toEqual([0, 7_000])
    await clock.advance(100)
    expect([clock.now(), clock.wallNow()]).toEqual([100, 7_100])
    expect(fired).toEqual([['a', 100]])
  })

  test.each([-1, NaN, Infinity])('advance(%d) is refused', async (ms) => {
    await expect(new VirtualClock().advance(ms)).rejects.toThrow(RangeError)
  })

  test('random is the same for the same seed, and another for another', () => {
    const draw = (seed?: number) => {
      const clock = new VirtualClock(seed === undefined ? {} : { seed })
      return [clock.random(), clock.random(), clock.random()]
    }
    expect(draw(7)).toEqual(draw(7))
    expect(draw()).toEqual(draw(1))
    expect(draw(7)).not.toEqual(draw(8))
    for (const value of draw(7)) expect(value >= 0 && value < 1).toBe(true)
  })
})

describe('timers', () => {
  test('fire in order of their instants, each at its own', async () => {
    const { clock, fired, set } = setUp()
    set('c', 30)
    set('a', 10)
    set('b', 20)
    await clock.advance(25)
    expect(fired).toEqual([
      ['a', 10],
      ['b', 20],
    ])
    expect(clock.now()).toBe(25)
    await clock.advance(5)
    expect(fired[2]).toEqual(['c', 30])
  })

  test('ties fire in the order they were set', async () => {
    const { clock, fired, set } = setUp()
    const names = Array.from({ length: 100 }, (_, index) => String(index))
    for (const name of names) set(name, 10)
    await clock.advance(10)
    expect(fired.map(([name]) => name)).toEqual(names)
  })

  test('one set for the present instant fires after those that are due', async () => {
    const { clock, fired, set } = setUp()
    clock.setTimer(() => set('set at 10', 0), 10, keepAlive)
    set('due at 10', 10)
    await clock.advance(10)
    expect(fired.map(([name]) => name)).toEqual(['due at 10', 'set at 10'])
  })

  test('a cleared one does not fire, whichever it is', async () => {
    for (let clear = 0; clear < 20; clear++) {
      const { clock, fired, set } = setUp()
      const timers = Array.from({ length: 20 }, (_, index) => set(String(index), 100 - ((index * 7) % 20)))
      clock.clearTimer(timers[clear])
      clock.clearTimer(timers[clear])
      expect(clock.pendingTimers).toBe(19)
      await clock.advance(100)
      const left = timers.map((_, index) => index).filter((index) => index !== clear)
      expect(fired.map(([name]) => Number(name))).toEqual(left.toSorted((a, b) => ((b * 7) % 20) - ((a * 7) % 20)))
    }
  })

  test('clearing a fired timer, that of another clock or nothing changes nothing', async () => {
    const { clock, set } = setUp()
    const early = set('early', 1)
    await clock.advance(1)
    set('late', 10)
    const foreign = setUp().set('foreign', 10)
    for (const timer of [early, foreign, undefined, null, 17]) clock.clearTimer(timer)
    expect([clock.pendingTimers, clock.keepAliveTimers]).toEqual([1, 1])
  })

  test('keepAlive ones are counted apart', async () => {
    const clock = new VirtualClock()
    const bookkeeping = clock.setTimer(() => {}, 10, { keepAlive: false })
    const waiting = clock.setTimer(() => {}, 10, keepAlive)
    clock.setTimer(() => {}, 5, keepAlive)
    expect([clock.pendingTimers, clock.keepAliveTimers]).toEqual([3, 2])
    await clock.advance(5)
    expect([clock.pendingTimers, clock.keepAliveTimers]).toEqual([2, 1])
    clock.clearTimer(bookkeeping)
    expect([clock.pendingTimers, clock.keepAliveTimers]).toEqual([1, 1])
    clock.clearTimer(waiting)
    expect([clock.pendingTimers, clock.keepAliveTimers]).toEqual([0, 0])
  })

  test.each([2 ** 31, Infinity, NaN])('a delay of %d is refused, as a host would fire it at once', (delayMs) => {
    expect(() => setUp().set('a', delayMs)).toThrow(RangeError)
  })

  test('a negative delay counts as 0; the longest one is taken', async () => {
    const { clock, fired, set } = setUp()
    set('negative', -5)
    set('longest', 2 ** 31 - 1)
    await clock.advance(0)
    expect(fired).toEqual([['negative', 0]])
    await clock.runAll({ maxMs: 2 ** 31 })
    expect(fired[1]).toEqual(['longest', 2 ** 31 - 1])
  })

  test('a delay too small to add to the time still moves it', async () => {
    const clock = new VirtualClock({ startMs: 1e9 })
    await clock.runUntil(clock.sleep(1e-12))
    expect(clock.now()).toBeGreaterThan(1e9)
    expect(clock.now()).toBeLessThan(1e9 + 1e-6)
  })

  test('what one throws comes out of the run', async () => {
    const clock = new VirtualClock()
    clock.setTimer(
      () => {
        throw new Error('from the timer')
      },
      1,
      keepAlive,
    )
    await expect(clock.advance(5)).rejects.toThrow('from the timer')
  })

  test('one that takes the place of a cleared one among later ones still fires in order', async () => {
    const { clock, fired, set } = setUp()
    const delaysMs = [1, 100, 2, 101, 102, 51, 50]
    const timers = delaysMs.map((delayMs) => set('timer', delayMs))
    clock.clearTimer(timers[delaysMs.indexOf(101)])
    await clock.runAll()
    expect(fired.map(([, atMs]) => atMs)).toEqual([1, 2, 50, 51, 100, 102])
  })

  property.prop([fc.array(fc.tuple(fc.nat(30), fc.boolean()), { maxLength: 60 })])(
    'whatever is set and cleared, the rest fires by instant, then by order',
    async (plan) => {
      const { clock, fired, set } = setUp()
      const timers = plan.map(([delayMs], index) => set(String(index), delayMs))
      plan.forEach(([, clear], index) => clear && clock.clearTimer(timers[index]))
      await clock.runAll()
      const left = plan.flatMap(([delayMs, clear], index) => (clear ? [] : [[String(index), delayMs] as const]))
      expect(fired).toEqual(left.toSorted(([, a], [, b]) => a - b))
    },
  )

  test('100 000 of them, a third cleared, in order', async () => {
    const { clock, fired, set } = setUp()
    const timers = Array.from({ length: 100_000 }, (_, index) => set(String(index), (index * 7_919) % 100_003))
    for (let index = 0; index < timers.length; index += 3) clock.clearTimer(timers[index])
    const startedMs = performance.now()
    await clock.runAll()
    expect(performance.now() - startedMs).toBeLessThan(20_000)
    expect(fired).toHaveLength(66_666)
    expect(fired.every(([, atMs], index) => index === 0 || atMs >= (fired[index - 1]?.[1] ?? 0))).toBe(true)
  })
})
