import { describe, expect, test } from 'vitest'
import type { Gate, Reading } from '../../src/gate/index.ts'
import {
  answer,
  exchange,
  follow,
  type Options,
  setUpGate,
  settled,
  takeAll,
  throttle,
} from '../support/set-up-gate.ts'

const windowMs = 60_000
const tenPerMinute: Options = { limits: { limit: 10, windowMs } }
const foreignUse = (gate: Gate) => gate.snapshot().limits[0]!.foreignUse

describe('own weight around a reading', () => {
  test.each([
    { used: 4, foreign: 0 },
    { used: 3, foreign: 0 },
    { used: 5, foreign: 5 },
  ])('in flight may be in it: used $used of 4 sent shows $foreign of others', ({ used, foreign }) => {
    const { gate } = setUpGate(tenPerMinute)
    const [first] = takeAll(gate, 4)
    first!.settle(answer({ limit: 10, used }))
    expect(foreignUse(gate)).toBe(foreign)
  })

  test.each([
    { sentAt: 999, used: 5, foreign: 5 },
    { sentAt: 1_000, used: 5, foreign: 2 },
    { sentAt: 1_000, used: 4, foreign: 0 },
  ])('is surely in it once transitMs have passed: sent at $sentAt, used $used: $foreign', async (row) => {
    const { clock, gate } = setUpGate(tenPerMinute)
    takeAll(gate, 3)
    await clock.advance(row.sentAt)
    exchange(gate, answer({ limit: 10, used: row.used }))
    expect(foreignUse(gate)).toBe(row.foreign)
  })

  test('is surely in it once it was answered', () => {
    const { gate } = setUpGate(tenPerMinute)
    for (let calls = 0; calls < 3; calls++) exchange(gate)
    exchange(gate, answer({ limit: 10, used: 6 }))
    expect(foreignUse(gate)).toBe(3)
  })

  test('sent after it is charged beside it', () => {
    const { gate } = setUpGate(tenPerMinute)
    exchange(gate, answer({ limit: 10, remaining: 3 }))
    expect(takeAll(gate)).toHaveLength(2)
  })

  test('that may have left the window is not surely in it', async () => {
    const { clock, gate } = setUpGate(tenPerMinute)
    for (let calls = 0; calls < 3; calls++) exchange(gate)
    await clock.advance(59_900)
    const [slow] = takeAll(gate, 1)
    await clock.advance(100)
    slow!.settle(answer({ limit: 10, used: 5 }))
    expect(foreignUse(gate)).toBe(5)
  })
})

describe('which reading is believed', () => {
  test('that of the attempt sent last, not the one that comes last', async () => {
    const { clock, gate } = setUpGate(tenPerMinute)
    const [older, newer] = takeAll(gate, 2)
    await clock.advance(100)
    newer!.settle(answer({ limit: 10, remaining: 1 }))
    await clock.advance(100)
    older!.settle(answer({ limit: 10, remaining: 10 }))
    expect([foreignUse(gate), takeAll(gate).length]).toEqual([9, 0])
  })

  test('that of a throttled answer, whenever it was sent', async () => {
    const { gate } = setUpGate(tenPerMinute)
    const [older, newer] = takeAll(gate, 2)
    newer!.settle(answer({ limit: 10, remaining: 8 }))
    older!.settle(throttle(1_000, { limit: 10, remaining: 0 }))
    expect(foreignUse(gate)).toBe(10)
  })

  test('until it is older than its window, counted from when its headers arrived', async () => {
    const { clock, gate } = setUpGate(tenPerMinute)
    const [slow] = takeAll(gate, 1)
    await clock.advance(5_000)
    slow!.settle(answer({ limit: 10, remaining: 0 }))
    const waiter = follow(gate.acquire())
    expect(gate.explain()).toMatchObject({ boundBy: 'reading' })
    await clock.advance(windowMs - 1)
    expect([foreignUse(gate), waiter.state]).toEqual([10, 'waiting'])
    await clock.advance(1)
    expect([foreignUse(gate), waiter.state, gate.snapshot().limits[0]!.readingAgeMs]).toEqual([0, 'granted', undefined])
  })

  test('whatever an answer says that tells nothing of the limits', () => {
    const { gate } = setUpGate(tenPerMinute)
    exchange(gate, answer({ limit: 10, remaining: 4 }))
    exchange(gate, answer())
    exchange(gate)
    expect([foreignUse(gate), takeAll(gate).length]).toEqual([6, 1])
  })
})

describe('cold start', () => {
  const cold: Options = { ...tenPerMinute, coldStartMs: 1_000 }

  test.each([
    { name: 'its answer', afterMs: 300, reading: { limit: 10, remaining: 9 }, goes: 9 },
    { name: 'its answer, as far as that leaves room', afterMs: 300, reading: { limit: 10, remaining: 2 }, goes: 1 },
    { name: 'its answer, silent as it is', afterMs: 300, reading: undefined, goes: 9 },
  ])('one goes alone; the others wait for $name', async ({ afterMs, reading, goes }) => {
    const { clock, gate } = setUpGate(cold)
    const callers = Array.from({ length: 20 }, () => follow(gate.acquire()))
    await clock.advance(afterMs)
    const granted = () => callers.filter(({ state }) => state === 'granted').length
    expect(granted()).toBe(1)
    callers[0]!.permit!.settle(answer(...(reading ? [reading] : [])))
    await settled()
    expect(granted()).toBe(1 + goes)
  })

  test('the others wait coldStartMs at most', async () => {
    const { clock, gate } = setUpGate(cold)
    const callers = Array.from({ length: 20 }, () => follow(gate.acquire()))
    await clock.advance(999)
    expect([callers[1]!.state, gate.explain().boundBy]).toEqual(['waiting', 'cold-start'])
    await clock.advance(1)
    expect(callers.filter(({ state }) => state === 'granted')).toHaveLength(10)
  })

  test.each([
    { name: 'that showed foreign use', remaining: 5, alone: 1 },
    { name: 'that showed none', remaining: 9, alone: 9 },
  ])('is there again when a reading $name has gone stale', async ({ remaining, alone }) => {
    const { clock, gate } = setUpGate(cold)
    exchange(gate, answer({ limit: 10, remaining }))
    await clock.advance(5_999)
    expect(gate.explain().boundBy).toBe('nothing')
    await clock.advance(1)
    expect(takeAll(gate)).toHaveLength(alone)
  })
})

test('a lone first attempt whose answer says nothing of this client lets another go alone', () => {
  const { gate } = setUpGate({ ...tenPerMinute, coldStartMs: 1_000 })
  exchange(gate, { ...answer(), tellsNothing: true })
  expect(takeAll(gate)).toHaveLength(1)
})

describe('an upstream that tells nothing', () => {
  test('is bounded by the configured limit alone', async () => {
    const { clock, gate } = setUpGate(tenPerMinute)
    let sent = 0
    for (let second = 0; second < 59; second++) {
      for (const permit of takeAll(gate)) {
        permit.settle(answer())
        permit.release()
        sent++
      }
      await clock.advance(1_000)
    }
    expect(sent).toBe(10)
  })

  test('is bounded by nothing where no limit is configured', () => {
    const { gate } = setUpGate()
    for (let calls = 0; calls < 1_000; calls++) exchange(gate, answer())
    expect(gate.explain().boundBy).toBe('nothing')
  })
})

describe('a 429 that states what is left', () => {
  const spent: Reading = { limit: 10, remaining: 0 }

  test('parks for parkMs, after which its reading governs', async () => {
    const { clock, gate } = setUpGate(tenPerMinute)
    exchange(gate, throttle(undefined, spent))
    const waiter = follow(gate.acquire())
    expect(gate.snapshot()).toMatchObject({ state: 'parked', parkedForMs: 5_000 })
    await clock.advance(59_999)
    expect([waiter.state, gate.explain().boundBy]).toEqual(['waiting', 'reading'])
    await clock.advance(1)
    expect([waiter.state, gate.snapshot().state]).toEqual(['granted', 'probing'])
  })

  test('parks as without headers where it says that enough is left', () => {
    const { gate } = setUpGate(tenPerMinute)
    exchange(gate, throttle(undefined, { limit: 10, remaining: 5 }))
    expect(gate.snapshot().parkedForMs).toBe(60_000)
  })

  test('with a hint is probed on the hint, whatever it says is left', async () => {
    const { clock, gate } = setUpGate(tenPerMinute)
    exchange(gate, throttle(2_000, spent))
    await clock.advance(1_999)
    expect(takeAll(gate)).toHaveLength(0)
    await clock.advance(1)
    expect(takeAll(gate)).toHaveLength(1)
    expect(gate.explain().boundBy).toBe('reading')
  })

  test('with a hint is not probed beyond the own window', async () => {
    const { clock, gate } = setUpGate({ limits: { limit: 1, windowMs } })
    exchange(gate, throttle(2_000, spent))
    await clock.advance(59_999)
    expect(takeAll(gate)).toHaveLength(0)
    await clock.advance(1)
    expect(takeAll(gate)).toHaveLength(1)
  })

  test('of -534 has to age out', async () => {
    const { clock, gate } = setUpGate({ limits: { limit: 600, windowMs } })
    exchange(gate, throttle(undefined, { limit: 600, remaining: -534 }))
    await clock.advance(windowMs - 1)
    expect(takeAll(gate)).toHaveLength(0)
    await clock.advance(1)
    const [probe] = takeAll(gate)
    probe!.settle(answer({ limit: 600, remaining: 599 }))
    expect(takeAll(gate)).toHaveLength(599)
  })

  test('of a fixed window parks until its reset', async () => {
    const { clock, gate } = setUpGate({ limits: { limit: 10, windowMs, kind: 'fixed' } })
    exchange(gate, throttle(undefined, { ...spent, resetInMs: 20_000, resetStepMs: 1_000 }))
    expect(gate.snapshot().parkedForMs).toBe(21_000)
    await clock.advance(21_000)
    const [probe, ...more] = takeAll(gate)
    expect(more).toEqual([])
    probe!.settle(answer({ limit: 10, remaining: 9, resetInMs: 60_000, resetStepMs: 1_000 }))
    expect(takeAll(gate)).toHaveLength(9)
  })

  test('and a reset that has passed gives no park', () => {
    const { gate } = setUpGate({ limits: { limit: 10, windowMs, kind: 'fixed' } })
    exchange(gate, throttle(undefined, { ...spent, resetInMs: 0 }))
    expect(gate.snapshot().state).toBe('open')
  })

  test.each<{ stated: Reading; parkedForMs: number }>([
    { stated: { limit: 10, used: 10 }, parkedForMs: 5_000 },
    { stated: { limit: 10, used: 9 }, parkedForMs: 60_000 },
    { stated: { limit: 10 }, parkedForMs: 60_000 },
    { stated: { used: 10 }, parkedForMs: 60_000 },
    { stated: { resetInMs: 3_600_000 }, parkedForMs: 60_000 },
    { stated: { unit: 'tokens', resetInMs: 3_600_000 }, parkedForMs: 60_000 },
  ])('by $stated parks for $parkedForMs', ({ stated, parkedForMs }) => {
    const { gate } = setUpGate(tenPerMinute)
    exchange(gate, throttle(undefined, stated))
    expect(gate.snapshot().parkedForMs).toBe(parkedForMs)
  })

  test('of two fixed windows parks until the later reset', () => {
    const hour = 60 * windowMs
    const limits = [10, 100].map((limit, each) => ({
      limit,
      windowMs: [windowMs, hour][each]!,
      kind: 'fixed' as const,
    }))
    const { gate } = setUpGate({ limits })
    const left = limits.map(({ limit }, each) => ({ limit, remaining: 0, resetInMs: [20_000, 900_000][each]! }))
    exchange(gate, throttle(undefined, ...left))
    expect(gate.snapshot().parkedForMs).toBe(900_000)
  })

  test('and absurdly far away parks no longer than a window', () => {
    const { gate } = setUpGate({ limits: { limit: 10, windowMs, kind: 'fixed', name: 'a' } })
    exchange(gate, throttle(undefined, { ...spent, name: 'a', resetInMs: 1e12 }))
    expect(gate.snapshot().parkedForMs).toBe(windowMs)
  })
})

describe('a 429 that does not', () => {
  const learnt: Reading = { limit: 100, remaining: 80, resetInMs: 3_600_000 }
  test.each<{ name: string; limits: Reading[] }>([
    { name: 'says nothing', limits: [] },
    { name: 'says only the limit', limits: [{ limit: 100 }] },
    { name: 'says only the reset', limits: [{ resetInMs: 3_600_000 }] },
  ])('marks the budget spent: after the probe 1, 2, 4 ... go at a time ($name)', async ({ limits }) => {
    const { clock, gate } = setUpGate()
    exchange(gate, answer(learnt))
    exchange(gate, throttle(undefined, ...limits))
    await clock.advance(59_999)
    expect(takeAll(gate)).toHaveLength(0)
    await clock.advance(1)
    let flight = takeAll(gate)
    const flights = []
    for (let round = 0; round < 4; round++) {
      for (const permit of flight) {
        permit.settle(answer(...limits))
        permit.release()
      }
      flights.push(flight.length)
      flight = takeAll(gate)
    }
    expect(flights).toEqual([1, 1, 2, 8])
  })

  test('forgets what others had spent', () => {
    const { gate } = setUpGate(tenPerMinute)
    const [refused, later] = takeAll(gate, 2)
    later!.settle(answer({ limit: 10, remaining: 1 }))
    expect(gate.snapshot().limits).toMatchObject([{ foreignUse: 9, readingAgeMs: 0 }])
    refused!.settle(throttle())
    expect(gate.snapshot().limits[0]).toMatchObject({ foreignUse: 0 })
  })

  test('lets go at once what the answer to the probe leaves', async () => {
    const { clock, gate } = setUpGate()
    exchange(gate, throttle())
    await clock.advance(60_000)
    exchange(gate, answer({ limit: 100, remaining: 30, resetInMs: 60_000 }))
    expect(takeAll(gate)).toHaveLength(30)
  })

  test('needs no ramp where nothing was marked spent', async () => {
    const { clock, gate } = setUpGate()
    gate.park(1_000)
    await clock.advance(1_000)
    exchange(gate)
    expect(takeAll(gate, 50)).toHaveLength(50)
  })
})

describe('answers that come after the gate was parked', () => {
  test('do not draw it anew, nor reopen it', async () => {
    const { clock, gate } = setUpGate()
    const [first, second, third] = takeAll(gate, 3)
    first!.settle(throttle())
    await clock.advance(1_000)
    second!.settle(throttle())
    third!.settle(answer({ limit: 10, remaining: 9 }))
    expect(gate.snapshot()).toMatchObject({ state: 'parked', parkedForMs: 59_000 })
  })

  test('lengthen it by a hint', async () => {
    const { clock, gate } = setUpGate()
    const [first, second] = takeAll(gate, 2)
    first!.settle(throttle(10_000))
    await clock.advance(1_000)
    second!.settle(throttle(30_000))
    expect(gate.snapshot()).toMatchObject({ state: 'parked', parkedForMs: 30_000 })
  })
})

describe('a share of the limit', () => {
  test('below the one that the upstream states is never charged with foreign use', () => {
    const { gate } = setUpGate({ limits: { limit: 10, windowMs } })
    exchange(gate, answer({ limit: 100, remaining: 50 }))
    expect([foreignUse(gate), takeAll(gate).length]).toEqual([50, 9])
  })

  test('is cut where others leave less than it', () => {
    const { gate } = setUpGate({ limits: { limit: 10, windowMs } })
    exchange(gate, answer({ limit: 100, remaining: 5 }))
    expect(takeAll(gate)).toHaveLength(4)
  })

  test('is never loosened', () => {
    const { gate } = setUpGate({ limits: { limit: 10, windowMs } })
    exchange(gate, answer({ limit: 1_000, remaining: 999 }))
    expect(takeAll(gate)).toHaveLength(9)
  })
})

describe('learned limits', () => {
  test('hold whatever is sent from then on, in flight included', () => {
    const { gate } = setUpGate()
    const [first] = takeAll(gate, 4)
    first!.settle(answer({ limit: 10, remaining: 6, windowMs }))
    expect(takeAll(gate)).toHaveLength(6)
  })

  test('are several, by name; all hold', () => {
    const { gate } = setUpGate()
    exchange(
      gate,
      answer(
        { name: 'minute', limit: 10, remaining: 9, windowMs },
        { name: 'second', limit: 3, remaining: 2, windowMs: 1_000 },
      ),
    )
    expect([takeAll(gate).length, gate.snapshot().limits.map(({ name }) => name)]).toEqual([2, ['minute', 'second']])
  })

  test('are 16 at most, however many an upstream makes up', () => {
    const { gate } = setUpGate(tenPerMinute)
    const made = Array.from({ length: 50 }, (_, index) => ({
      name: `made up ${index}`,
      limit: 9,
      remaining: 8,
      windowMs,
    }))
    const { gate: bare } = setUpGate()
    exchange(bare, answer(...made))
    exchange(gate, answer(...made))
    // The configured one has no name, so the first of them is its reading.
    expect([bare.snapshot().limits.length, gate.snapshot().limits.length]).toEqual([16, 1])
  })

  test.each<Reading>([{ limit: 9 }, { remaining: 9 }, { used: 9 }, { limit: 9, windowMs }])(
    'are made of %o',
    (reading) => {
      const { gate } = setUpGate()
      exchange(gate, answer(reading))
      expect(gate.snapshot().limits).toHaveLength(1)
    },
  )

  test('are counted in the unit that is stated', () => {
    const { gate } = setUpGate()
    exchange(gate, answer({ unit: 'tokens', limit: 9, remaining: 9, windowMs }))
    gate.tryAcquire({ weight: { tokens: 4 } })
    expect(gate.snapshot().limits).toMatchObject([{ unit: 'tokens', held: 1 + 4 }])
  })

  test('of which only what is left is stated leave that, whatever the window', () => {
    const { gate } = setUpGate()
    exchange(gate, answer({ remaining: 3, windowMs }))
    expect(takeAll(gate)).toHaveLength(3)
  })

  test('of the next fixed window hold nothing of an attempt that was counted before they were known', async () => {
    const { clock, gate } = setUpGate({ coldStartMs: 0, transitMs: 0 })
    const [first, second] = takeAll(gate, 2)
    first!.settle(answer({ kind: 'fixed', windowMs, limit: 10, remaining: 5, resetInMs: 1_000 }))
    await clock.advance(100)
    second!.settle(answer({ kind: 'fixed', windowMs, limit: 10, remaining: 4, resetInMs: windowMs }))
    expect(gate.snapshot().limits[0]).toMatchObject({ held: 0, foreignUse: 6 })
  })

  test('of the next fixed window leave others what they took, whatever attempts of the old one turn out to weigh', async () => {
    const { clock, gate } = setUpGate({ limits: { limit: 10, windowMs, kind: 'fixed' }, transitMs: 0 })
    const [first, second] = [gate.tryAcquire()!, gate.tryAcquire()!]
    first.settle(answer({ limit: 10, remaining: 9, resetInMs: 1_000 }))
    await clock.advance(100)
    second.settle(answer({ limit: 10, remaining: 5, resetInMs: windowMs }))
    expect(gate.snapshot().limits[0]).toMatchObject({ held: 2, foreignUse: 4 })
    first.correct(3)
    expect(gate.snapshot().limits[0]).toMatchObject({ held: 4, foreignUse: 4 })
  })

  test('are not made of a reading that tells no number', () => {
    const { gate } = setUpGate()
    exchange(gate, answer({ resetInMs: 5_000 }))
    expect(gate.snapshot().limits).toEqual([])
  })

  test('let a weight above them go alone', async () => {
    const { clock, gate } = setUpGate()
    exchange(gate, answer({ limit: 10, remaining: 9, windowMs }))
    const heavy = follow(gate.acquire({ weight: 50 }))
    await clock.advance(windowMs)
    expect(heavy.permit?.sentAt).toBe(windowMs)
    expect(takeAll(gate)).toHaveLength(0)
  })

  test('of which a reset of 58 s is told, again and again, are a rolling minute, tried by one alone 59 s on', async () => {
    const { clock, gate } = setUpGate()
    const sentAt: number[] = []
    for (let calls = 0; calls < 6; calls++) {
      const permit = await clock.runUntil(gate.acquire())
      sentAt.push(permit.sentAt)
      const used = sentAt.filter((at) => at > clock.now() - 60_000).length
      permit.settle(answer({ limit: 3, remaining: 3 - used, resetInMs: 58_000 }))
      permit.release()
      await clock.advance(10)
    }
    expect(sentAt).toEqual([0, 10, 20, 59_020, 60_010, 60_020])
  })
})
