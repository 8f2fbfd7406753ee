import { describe, expect, test } from 'vitest'
import { Gate, type GateOptions } from '../src/gate/index.ts'
import { Registry } from '../src/registry.ts'
import { VirtualClock } from '../src/testing/index.ts'

function setUp({ maxGates = 100, gateIdleMs = 10_000 } = {}, options: Omit<GateOptions, 'clock'> = {}) {
  const clock = new VirtualClock()
  const registry = new Registry<string>({ clock, maxGates, gateIdleMs })
  const made: string[] = []
  const use = (key: string) =>
    registry.use(key, () => {
      made.push(key)
      return { gate: new Gate({ clock, ...options }), details: key }
    }).gate
  return { clock, registry, made, use, keys: () => [...registry].map(({ details }) => details) }
}

describe('gates', () => {
  test('are made on first use and kept', () => {
    const { use, made, keys, registry } = setUp()
    const [a, b] = [use('a'), use('b')]
    expect([use('a') === a, use('b') === b, a === b]).toEqual([true, true, false])
    expect([made, keys(), registry.size]).toEqual([['a', 'b'], ['a', 'b'], 2])
  })

  test('one that cannot be made leaves nothing', () => {
    const { registry, clock } = setUp()
    const fail = () => {
      throw new Error('no')
    }
    expect(() => registry.use('a', fail)).toThrow('no')
    expect([registry.size, clock.pendingTimers]).toEqual([0, 0])
  })
})

describe('idle gates', () => {
  test('go gateIdleMs after their last use, looked for that often', async () => {
    const { clock, use, keys } = setUp()
    use('a')
    await clock.advance(4_000)
    use('b')
    await clock.advance(5_999)
    expect(keys()).toEqual(['a', 'b'])
    await clock.advance(1)
    expect(keys()).toEqual(['b'])
    await clock.advance(9_999)
    expect(keys()).toEqual(['b'])
    await clock.advance(1)
    expect([keys(), clock.pendingTimers]).toEqual([[], 0])
  })

  test('stay while they are used', async () => {
    const { clock, use, keys, made } = setUp()
    for (let round = 0; round < 10; round++) {
      use('a')
      await clock.advance(9_000)
    }
    expect([keys(), made]).toEqual([['a'], ['a']])
  })

  test.each<[string, (gate: Gate) => unknown]>([
    ['a permit is held', (gate) => gate.tryAcquire()],
    ['somebody waits', (gate) => (gate.tryAcquire()?.release(), void gate.acquire({ weight: 2 }))],
    ['the gate is parked', (gate) => gate.park(60_000)],
    ['weight is still counted', (gate) => (gate.tryAcquire()?.settle(), undefined)],
  ])('stay while %s', async (_, busy) => {
    const { clock, use, keys } = setUp({}, { limits: { limit: 2, windowMs: 30_000 }, maxHoldMs: 30_000 })
    busy(use('a'))
    await clock.advance(20_000)
    expect(keys()).toEqual(['a'])
    await clock.advance(100_000)
    expect(keys()).toEqual([])
  })

  test('the timer that looks for them does not hold the process, and runs only where there are any', async () => {
    const { clock, use, registry } = setUp()
    expect(clock.pendingTimers).toBe(0)
    use('a')
    use('b')
    expect([clock.pendingTimers, clock.keepAliveTimers]).toEqual([1, 0])
    registry.close()
    expect(clock.pendingTimers).toBe(0)
    registry.close()
  })

  test.each([
    [0, 1],
    [2 ** 40, 1],
    [Infinity, 0],
  ])('gateIdleMs %d sets %d timer', async (gateIdleMs, timers) => {
    const { clock, use, keys } = setUp({ gateIdleMs })
    use('a')
    expect(clock.pendingTimers).toBe(timers)
    await clock.advance(1)
    expect(keys()).toEqual(gateIdleMs === 0 ? [] : ['a'])
  })
})

describe('more gates than maxGates', () => {
  test('the least recently used idle one goes first', () => {
    const { use, keys } = setUp({ maxGates: 3 })
    for (const key of ['a', 'b', 'c', 'a', 'd', 'e']) use(key)
    expect(keys()).toEqual(['a', 'd', 'e'])
  })

  test('one that is busy stays, and another goes instead', () => {
    const { use, keys } = setUp({ maxGates: 2 })
    use('a').tryAcquire()
    use('b')
    use('c')
    expect(keys()).toEqual(['a', 'c'])
  })

  test('where all are busy there are more for a while', async () => {
    const { use, keys } = setUp({ maxGates: 2 })
    for (const key of ['a', 'b', 'c']) use(key).tryAcquire()
    expect(keys()).toEqual(['a', 'b', 'c'])
  })

  test('the search is bounded: a long run of busy gates does not slow a new one down', () => {
    const { use, registry } = setUp({ maxGates: 100 })
    for (let n = 0; n < 99; n++) use(`busy ${n}`).tryAcquire()
    use('idle')
    use('one more')
    expect(registry.size).toBe(101)
  })

  test('the next search looks at others: idle ones behind a run of busy ones are found', () => {
    const { use, registry } = setUp({ maxGates: 20 })
    const permits = Array.from({ length: 40 }, (_, n) => use(`busy ${n}`).tryAcquire())
    expect(permits).toHaveLength(40)
    for (let n = 0; n < 100; n++) use(`idle ${n}`)
    expect(registry.size).toBeLessThan(40 + 4)
  })

  test('busy ones that are free again make room for all but maxGates within a few uses', () => {
    const { use, registry } = setUp({ maxGates: 20 })
    const permits = Array.from({ length: 100 }, (_, n) => use(`busy ${n}`).tryAcquire())
    expect(registry.size).toBe(100)
    for (const permit of permits) permit?.release()
    const sizes = Array.from({ length: 7 }, (_, n) => (use(`new ${n}`), registry.size))
    expect(sizes).toEqual([85, 70, 55, 40, 25, 20, 20])
  })

  test('no more than maxGates go', () => {
    const { use, keys } = setUp({ maxGates: 3 })
    const permits = Array.from({ length: 4 }, (_, n) => use(`busy ${n}`).tryAcquire())
    for (const permit of permits) permit?.release()
    use('new')
    expect(keys()).toEqual(['busy 2', 'busy 3', 'new'])
  })

  test('gates that were busy when room was made still go gateIdleMs after their last use', async () => {
    const { use, keys, clock } = setUp({ maxGates: 3 })
    const permit = use('old').tryAcquire()
    use('idle')
    await clock.advance(4_000)
    use('young')
    use('new')
    expect(keys()).toEqual(['young', 'old', 'new'])
    permit?.release()
    await clock.advance(6_000)
    expect(keys()).toEqual(['young', 'new'])
    await clock.advance(10_000)
    expect(keys()).toEqual([])
  })

  // sentry-python-586, run B
  test('2 000 authorities that are used once are forgotten', async () => {
    const { use, registry, clock } = setUp({ gateIdleMs: 2_000 }, { limits: { limit: 1, windowMs: 1_000 } })
    for (let n = 0; n < 2_000; n++) {
      const permit = use(`host ${n}`).tryAcquire()
      permit?.settle()
      permit?.release()
    }
    expect(registry.size).toBe(2_000)
    await clock.advance(5_000)
    expect(registry.size).toBe(0)
  })
})
