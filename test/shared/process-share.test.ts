import { describe, expect, test } from 'vitest'
import { peak, setUpFleet } from './fleet.ts'

const windowMs = 1_000
/** As the engine keeps it. */
const engineWindowMs = 1_100

describe('a fleet', () => {
  test('sends what the limit allows and no more, whoever sends it', async () => {
    const { clock, all } = setUpFleet({ processes: 3 })
    for (const process of all) process.burst(20)
    await clock.advance(7_000)
    const sent = all.flatMap((process) => process.sent)
    expect([sent.length, peak(sent, windowMs)]).toEqual([60, 10])
    expect(Math.max(...sent)).toBeLessThan(6 * engineWindowMs)
  })

  test('shares by who asks, and one that sends little does not wait behind one that sends much', async () => {
    const { clock, first, second } = setUpFleet()
    first.burst(100)
    await clock.advance(5_000)
    second.burst(2)
    await clock.advance(2 * engineWindowMs)
    expect(second.sent).toHaveLength(2)
  })

  test('gives each that sends much its part of every window, and what is left over in turn', async () => {
    const { clock, first, second } = setUpFleet({ gate: { limits: { limit: 5, windowMs } } })
    for (const process of [first, second]) process.burst(20)
    await clock.advance(8 * engineWindowMs)
    const inWindow = ({ sent }: typeof first, window: number): number =>
      sent.filter((at) => Math.floor(at / engineWindowMs) === window).length
    for (let window = 0; window < 8; window += 1) {
      const counts = [inWindow(first, window), inWindow(second, window)]
      expect([Math.min(...counts), Math.max(...counts)]).toEqual([2, 3])
    }
  })

  test('uses what one of its members leaves', async () => {
    const { clock, first, second } = setUpFleet()
    second.burst(1)
    first.burst(30)
    await clock.advance(3 * engineWindowMs + 20)
    expect(first.sent.length + second.sent.length).toBe(31)
  })

  test('lets a heavy attempt go before light ones that keep coming', async () => {
    const { clock, first, second } = setUpFleet()
    for (let at = 0; at < 5_000; at += 50) clock.setTimer(() => first.burst(1), at, { keepAlive: false })
    await clock.advance(1_500)
    void second.send({ weight: 10 })
    await clock.advance(2 * engineWindowMs + 100)
    expect(second.sent).toHaveLength(1)
  })

  test('keeps weights within the limit', async () => {
    const { clock, all } = setUpFleet({ processes: 3 })
    const weights: number[] = []
    for (const process of all)
      for (const weight of [1, 4, 7, 3, 10, 2]) void process.send({ weight }).then(() => weights.push(weight))
    await clock.advance(15_000)
    const sent = all.flatMap((process) => process.sent.map((at, index) => [at, [1, 4, 7, 3, 10, 2][index]!] as const))
    const heaviest = Math.max(
      ...sent.map(([at]) =>
        sent.reduce((sum, [other, weight]) => (other <= at && other > at - windowMs ? sum + weight : sum), 0),
      ),
    )
    expect([weights.length, heaviest <= 10]).toEqual([18, true])
  })

  test('keeps a priority within its process, and no order over others', async () => {
    const { clock, first, second } = setUpFleet()
    first.burst(10)
    await clock.advance(100)
    const order: string[] = []
    const send = (process: typeof first, name: string, priority: number) =>
      process.send({ priority }).then(() => order.push(name))
    void send(first, 'low', 0)
    await clock.advance(100)
    void send(first, 'high', 5)
    void send(second, 'other', -5)
    await clock.advance(2 * engineWindowMs)
    expect(order.indexOf('high')).toBeLessThan(order.indexOf('low'))
    expect(order).toContain('other')
  })
})

describe('calls of the engine', () => {
  test('one asks for all that has queued meanwhile', async () => {
    const { clock, first } = setUpFleet({ processes: 1 })
    first.burst(10)
    await clock.advance(20)
    const calls = first.wire.calls.map(({ call }) => call.wants.map(({ count }) => count))
    expect([first.sent.length, calls]).toEqual([10, [[1], [9]]])
  })

  test('are one at a time', async () => {
    const { clock, first } = setUpFleet({ processes: 1 })
    Object.assign(first.wire, { upMs: 50, downMs: 50 })
    for (let at = 0; at < 1_000; at += 10) clock.setTimer(() => first.burst(1), at, { keepAlive: false })
    await clock.advance(2_000)
    const gaps = first.wire.calls.map(({ at }, index, all) => at - (all[index - 1]?.at ?? -Infinity))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(100)
  })

  test('are far fewer than attempts where these queue, and nobody polls', async () => {
    const { clock, all } = setUpFleet({ processes: 6, gate: { limits: { limit: 150, windowMs } } })
    for (const process of all) process.burst(500)
    await clock.advance(10_000)
    const calls = all.reduce((sum, { wire }) => sum + wire.calls.length, 0)
    const sent = all.flatMap((process) => process.sent)
    expect([peak(sent, windowMs), sent.length > 1_300]).toEqual([150, true])
    expect(calls / 10).toBeLessThan(60)
  })

  test('are few where the limit is small and many wait for it', async () => {
    const { clock, all } = setUpFleet({ processes: 6, gate: { limits: { limit: 4, windowMs } } })
    for (const process of all) process.burst(50)
    await clock.advance(11_000)
    const calls = all.reduce((sum, { wire }) => sum + wire.calls.length, 0)
    expect(all.flatMap((process) => process.sent)).toHaveLength(40)
    expect(calls / 11).toBeLessThan(60)
    expect(Math.min(...all.map((process) => process.sent.length))).toBeGreaterThanOrEqual(4)
  })

  test('come when it said that they should', async () => {
    const { clock, first, second } = setUpFleet({ gate: { limits: { limit: 1, windowMs: 10_000 } } })
    second.burst(1)
    await clock.advance(10)
    first.burst(1)
    await clock.advance(20_000)
    expect(first.sent[0]! - second.sent[0]!).toBeGreaterThanOrEqual(10_100)
    expect(first.sent[0]! - second.sent[0]!).toBeLessThanOrEqual(10_115)
    const wanting = first.wire.calls.filter(({ call }) => call.wants.length > 0).map(({ at }) => at)
    const beats = wanting.filter((at, index) => index === 0 || at - wanting[index - 1]! === 500)
    expect(wanting.length - beats.length).toBe(1)
  })

  test('keep a member that waits for nothing in touch, twice in a heartbeat', async () => {
    const { clock, first } = setUpFleet({ processes: 1, gate: { limits: { limit: 10, windowMs: 60_000 } } })
    first.burst(1)
    await clock.advance(5_000)
    expect(first.wire.calls.map(({ at }) => at).filter((at) => at > 10)).toEqual(
      Array.from({ length: 10 }, (_, index) => 500 * (index + 1)),
    )
  })

  test('are none for a gate that is not used', async () => {
    const { clock, first } = setUpFleet({ processes: 1 })
    await clock.advance(60_000)
    expect([first.wire.calls, clock.pendingTimers, first.wire.listeners]).toEqual([[], 0, 0])
  })

  test('are none before an attempt where no limit is known and nothing is parked', async () => {
    const { clock, first } = setUpFleet({ processes: 1, gate: { limits: [] } })
    void first.send()
    await clock.advance(0)
    expect(first.sent).toEqual([0])
  })

  test('ask for a lighter attempt that has become first, without waiting until the heavy one may come back', async () => {
    const { clock, first, second } = setUpFleet({ gate: { limits: { limit: 10, windowMs: 60_000 } } })
    second.burst(6)
    await clock.advance(100)
    const abort = new AbortController()
    void first.send({ weight: 10, signal: abort.signal })
    first.burst(1)
    await clock.advance(1_000)
    expect(first.sent).toHaveLength(0)
    abort.abort()
    await clock.advance(10)
    expect(first.sent).toHaveLength(1)
  })
})

describe('a grant', () => {
  test('is used at its start, not before it', async () => {
    const { clock, first } = setUpFleet({ processes: 1, gate: { limits: { limit: 1, windowMs } } })
    first.burst(2)
    await clock.advance(2_000)
    const [one, other] = first.sent
    expect([other! - one! >= engineWindowMs, other! - one! <= engineWindowMs + 3]).toEqual([true, true])
  })

  test.each([
    { name: 'in time', stoodMs: 40, used: true },
    { name: 'too late', stoodMs: 60, used: false },
  ])('that comes to be used $name by a process that stood still', async ({ stoodMs, used }) => {
    const { clock, first } = setUpFleet({ processes: 1 })
    first.burst(1)
    await clock.advance(4_800)
    first.wire.downMs = 1 + stoodMs
    first.burst(1)
    await clock.advance(3 + stoodMs)
    expect(first.sent).toHaveLength(used ? 2 : 1)
    first.wire.downMs = 1
    await clock.advance(100 + stoodMs)
    expect(first.sent).toHaveLength(2)
  })

  test('of an engine that has lost its memory since is not used', async () => {
    const { clock, engine, first, second } = setUpFleet({ gate: { limits: { limit: 2, windowMs } } })
    second.burst(1)
    first.burst(3)
    await clock.advance(900)
    engine.flush()
    await clock.advance(8_000)
    const sent = [...first.sent, ...second.sent]
    expect([sent.length, peak(sent, windowMs)]).toEqual([4, 2])
  })

  test('by a clock of the engine that has jumped a little ahead is asked for again', async () => {
    const { clock, engineClock, first, second } = setUpFleet({ gate: { limits: { limit: 1, windowMs } } })
    second.burst(1)
    await clock.advance(10)
    first.burst(1)
    await clock.advance(700)
    engineClock.offMs = 200
    await clock.advance(5_000)
    expect(first.sent[0]! - second.sent[0]!).toBeGreaterThanOrEqual(windowMs)
  })

  test('is dropped when the machine has slept', async () => {
    const { clock, first, second } = setUpFleet({ gate: { limits: { limit: 1, windowMs } } })
    second.burst(1)
    await clock.advance(10)
    first.burst(1)
    await clock.advance(1_000)
    clock.jumpWall(3_600_000)
    await clock.advance(5_000)
    expect(first.sent).toHaveLength(1)
    expect(first.sent[0]).toBeGreaterThan(2 * engineWindowMs)
  })
})

describe('what a process tells of itself', () => {
  test('snapshot() says by whose word attempts go, and how many processes there are', async () => {
    const { clock, first, second } = setUpFleet()
    first.burst(1)
    second.burst(1)
    await clock.advance(1_000)
    expect(first.gate.snapshot().shared).toEqual({ via: 'engine', processes: 2 })
    first.wire.fault = new Error('connect ECONNREFUSED')
    await clock.advance(1_000)
    expect(first.gate.snapshot().shared).toEqual({ via: 'share', processes: 2 })
  })

  test('explain() says limit while the engine grants nothing, and until when', async () => {
    const { clock, first, second } = setUpFleet({ gate: { limits: { limit: 1, windowMs: 10_000 } } })
    second.burst(1)
    await clock.advance(100)
    first.burst(1)
    await clock.advance(100)
    const { wouldWaitMs, boundBy, queued } = first.gate.explain()
    expect([boundBy, queued]).toEqual(['limit', 1])
    expect(wouldWaitMs).toBeGreaterThan(9_000)
    expect(wouldWaitMs).toBeLessThan(11_000)
  })

  test('a caller that waits too long is refused when it has, since what the engine will say is not known before', async () => {
    const { clock, first, second } = setUpFleet({ gate: { limits: { limit: 1, windowMs: 10_000 } } })
    second.burst(1)
    await clock.advance(100)
    first.burst(1, { maxWaitMs: 500 })
    await clock.advance(499)
    expect(first.refused).toEqual([])
    await clock.advance(2)
    expect(first.refused).toEqual(['wait-too-long'])
  })

  test('a weight above the limit is refused at once', async () => {
    const { first, clock } = setUpFleet()
    void first.send({ weight: 11 })
    await clock.advance(0)
    expect([first.refused, first.wire.calls]).toEqual([['never'], []])
  })
})

describe('callers that leave', () => {
  test('free their places, and their grants go to those behind them', async () => {
    const { clock, first } = setUpFleet({ processes: 1, gate: { limits: { limit: 2, windowMs } } })
    const abort = new AbortController()
    first.burst(2)
    await clock.advance(500)
    first.burst(2, { signal: abort.signal })
    first.burst(2)
    await clock.advance(400)
    abort.abort(new Error('gone'))
    await clock.advance(300)
    expect(first.refused).toEqual(['Error: gone', 'Error: gone'])
    expect(first.sent).toHaveLength(4)
    await clock.advance(10_000)
    expect([first.sent.length, first.gate.snapshot().queued]).toEqual([4, 0])
  })

  test('and where nobody is left nothing more is asked for', async () => {
    const { clock, first, second } = setUpFleet({ gate: { limits: { limit: 2, windowMs } } })
    const abort = new AbortController()
    second.burst(2)
    await clock.advance(10)
    first.burst(2, { signal: abort.signal })
    await clock.advance(100)
    abort.abort()
    const { length } = first.wire.calls
    await clock.advance(3_000)
    expect(first.wire.calls.slice(length).every(({ call }) => call.wants.length === 0)).toBe(true)
  })

  test('a gate that closes refuses those who wait and lets its drained ones go first', async () => {
    const { clock, first } = setUpFleet({ processes: 1, gate: { limits: { limit: 2, windowMs } } })
    first.burst(6)
    await clock.advance(10)
    const closed = first.gate.close({ drainMs: 1_500 })
    await clock.runUntil(closed)
    expect([first.sent.length, first.refused]).toEqual([4, ['closed', 'closed']])
    await clock.advance(20_000)
    expect([clock.pendingTimers, first.wire.listeners]).toEqual([0, 0])
  })
})

describe('a gate that is out of use', () => {
  test('leaves after ten heartbeats, and leaves no timer and no listener behind', async () => {
    const { clock, first, second } = setUpFleet()
    first.burst(1)
    second.burst(1)
    await clock.advance(9_900)
    expect(first.wire.calls.some(({ call }) => call.leaves)).toBe(false)
    for (let at = 0; at < 30; at += 1) {
      second.burst(1)
      await clock.advance(100)
    }
    expect(first.wire.calls.filter(({ call }) => call.leaves)).toHaveLength(1)
    expect([first.wire.listeners, second.gate.snapshot().shared!.processes]).toEqual([0, 1])
    await clock.advance(20_000)
    expect([clock.pendingTimers, second.wire.listeners]).toEqual([0, 0])
  })

  test('not while its window holds anything', async () => {
    const { clock, first } = setUpFleet({ gate: { limits: { limit: 1, windowMs: 30_000 } } })
    first.burst(1)
    await clock.advance(29_900)
    expect(first.wire.calls.some(({ call }) => call.leaves)).toBe(false)
    await clock.advance(1_000)
    expect(clock.pendingTimers).toBe(0)
  })

  test('joins anew when it is used again, and what it has in the window is known', async () => {
    const { clock, first, second } = setUpFleet()
    first.burst(3)
    await clock.advance(15_000)
    first.burst(10)
    await clock.advance(100)
    second.burst(1)
    await clock.advance(900)
    expect([first.sent.length, second.sent.length]).toEqual([13, 0])
  })

  test('also where the engine is away: it is not asked for ever', async () => {
    const { clock, first } = setUpFleet({ processes: 1 })
    first.burst(1)
    await clock.advance(100)
    first.wire.fault = new Error('connect ECONNREFUSED')
    await clock.advance(20_000)
    expect([clock.pendingTimers, first.wire.listeners]).toEqual([0, 0])
    expect(first.told.at(-1)).toEqual(['engine', 'idle'])
  })

  test('leaves once, though the engine refuses just when it was to be told what was sent without it', async () => {
    const { clock, first } = setUpFleet({ processes: 1 })
    let leaving = 0
    const call = first.wire.call.bind(first.wire)
    first.wire.call = async (gate, asked) => {
      // So often at most that a process which asks for ever does not hang the test.
      if (asked.leaves && (leaving += 1) < 100) throw new Error('connect ECONNREFUSED')
      return call(gate, asked)
    }
    first.burst(1)
    await clock.advance(8_000)
    first.wire.fault = new Error('connect ECONNREFUSED')
    await clock.advance(1_800)
    first.wire.fault = undefined
    first.wire.downMs = 240
    await clock.advance(20_000)
    expect([leaving, clock.pendingTimers, first.wire.listeners]).toEqual([1, 0, 0])
  })

  test('and asks it before it sends by itself when it is used again', async () => {
    const { clock, first, second } = setUpFleet()
    first.burst(1)
    second.burst(1)
    await clock.advance(100)
    first.wire.fault = new Error('connect ECONNREFUSED')
    await clock.advance(20_000)
    first.wire.fault = undefined
    second.burst(10)
    await clock.advance(20)
    first.burst(5)
    await clock.advance(500)
    expect(peak([...first.sent, ...second.sent], windowMs)).toBe(10)
  })

  test('waits for another window where it is used again: the engine may have been there meanwhile, and granted all to others', async () => {
    const { clock, first, second } = setUpFleet()
    first.burst(1)
    second.burst(1)
    await clock.advance(1_000)
    first.wire.fault = new Error('connect ECONNREFUSED')
    await clock.advance(20_000)
    first.burst(20)
    await clock.advance(900)
    expect(first.sent).toHaveLength(1)
    await clock.advance(1_000)
    expect(first.sent).toHaveLength(1 + 5)
  })

  test('also where a park has ended that nobody has probed', async () => {
    const { clock, first } = setUpFleet({ processes: 1 })
    first.burst(1)
    await clock.advance(100)
    first.gate.park(1_000)
    await clock.advance(30_000)
    expect([clock.pendingTimers, first.gate.snapshot().state]).toEqual([0, 'parked'])
    first.burst(3)
    await clock.advance(2_000)
    expect(first.sent).toHaveLength(4)
  })
})

describe('a process', () => {
  test('is kept running by those who wait, and not by heartbeats', async () => {
    const { clock, first } = setUpFleet({ processes: 1, gate: { limits: { limit: 1, windowMs: 60_000 } } })
    const abort = new AbortController()
    first.burst(1)
    expect(clock.keepAliveTimers).toBeGreaterThan(0)
    await clock.advance(100)
    expect([clock.keepAliveTimers, clock.pendingTimers > 0]).toEqual([0, true])
    first.burst(1, { signal: abort.signal })
    await clock.advance(100)
    expect(clock.keepAliveTimers).toBeGreaterThan(0)
    abort.abort()
    await clock.advance(0)
    expect(clock.keepAliveTimers).toBe(0)
  })

  test('is not kept running by an engine that is away', async () => {
    const { clock, first } = setUpFleet({ processes: 1, gate: { limits: { limit: 1, windowMs: 60_000 } } })
    const abort = new AbortController()
    first.burst(1)
    await clock.advance(100)
    first.wire.fault = new Error('connect ECONNREFUSED')
    first.burst(1, { signal: abort.signal })
    await clock.advance(1_000)
    expect(clock.keepAliveTimers).toBeGreaterThan(0)
    abort.abort()
    await clock.advance(0)
    expect([clock.keepAliveTimers, clock.pendingTimers > 0]).toEqual([0, true])
  })
})
