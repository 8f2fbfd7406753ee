import { describe, expect, test } from 'vitest'
import { RateLimitError, type Weight } from '../../src/gate/index.ts'
import {
  answer,
  exchange,
  follow,
  limitOf,
  refusal,
  setUpGate,
  settled,
  takeAll,
  windowMs,
} from '../support/set-up-gate.ts'

describe('acquire', () => {
  test('grants as many as the limit at once, and the next as the first leaves the window', async () => {
    const { clock, gate } = setUpGate(limitOf(2))
    const callers = [1, 2, 3].map(() => follow(gate.acquire()))
    await settled()
    expect(callers.map(({ state }) => state)).toEqual(['granted', 'granted', 'waiting'])
    await clock.advance(windowMs - 1)
    expect(callers[2]!.state).toBe('waiting')
    await clock.advance(1)
    expect(callers[2]!.permit?.sentAt).toBe(windowMs)
  })

  test('serves first in, first out, higher priority first', async () => {
    const { clock, gate } = setUpGate({ limits: { limit: 1, windowMs: 10 }, transitMs: 0 })
    exchange(gate)
    const order: string[] = []
    for (const [name, priority] of [
      ['a', 0],
      ['b', 0],
      ['c', 5],
      ['d', -1],
      ['e', 5],
    ] as const)
      void gate.acquire({ priority }).then(() => order.push(name))
    await clock.advance(100)
    expect(order.join('')).toBe('ceabd')
  })

  test('of a light newcomer does not pass a heavy waiter; one of higher priority does', async () => {
    const { gate } = setUpGate(limitOf(3))
    exchange(gate)
    const heavy = follow(gate.acquire({ weight: 3 }))
    const light = follow(gate.acquire())
    const urgent = follow(gate.acquire({ priority: 1 }))
    await settled()
    expect([heavy.state, light.state, urgent.state]).toEqual(['waiting', 'waiting', 'granted'])
    expect([gate.tryAcquire(), gate.tryAcquire({ priority: 1 }) !== undefined]).toEqual([undefined, true])
  })

  test('what one waits for is set by its own weight', async () => {
    const { clock, gate } = setUpGate(limitOf(3))
    exchange(gate)
    await clock.advance(1_000)
    exchange(gate)
    await clock.advance(1_000)
    const heavy = follow(gate.acquire({ weight: 3 }))
    await clock.advance(windowMs)
    expect(heavy.permit?.sentAt).toBe(61_000)
  })

  test.each([
    { weight: 0, left: 3 },
    { weight: 2, left: 1 },
    { weight: 3, left: 0 },
  ])('spends its weight: after $weight of 3, $left are left', ({ weight, left }) => {
    const { gate } = setUpGate(limitOf(3))
    gate.tryAcquire({ weight })
    expect(takeAll(gate)).toHaveLength(left)
  })

  test('fractions that add up to the limit but for rounding fit', () => {
    const { gate } = setUpGate(limitOf(0.3))
    expect([0.1, 0.2, 0.01].map((weight) => gate.tryAcquire({ weight }) !== undefined)).toEqual([true, true, false])
  })

  test('fractions of a unit add up', async () => {
    const { clock, gate } = setUpGate({ limits: { limit: 1, windowMs: 100 }, transitMs: 0 })
    const weights = [0.1, 0.2, 0.7, 1, 0.3, 0.3, 0.3, 0.1, 0.7, 1]
    const callers = weights.map((weight) => follow(gate.acquire({ weight })))
    await clock.advance(500)
    expect(callers.map(({ permit }) => permit?.sentAt)).toEqual([0, 0, 0, 100, 200, 200, 200, 200, 300, 400])
    await clock.advance(1_000)
    expect(gate.snapshot().limits[0]?.held).toBe(0)
  })
})

describe('several limits', () => {
  test('all hold, and what one of them blocks is charged to none', async () => {
    const limits = [
      { limit: 10, windowMs: 1_000 },
      { limit: 3, windowMs },
    ]
    const { clock, gate } = setUpGate({ limits, transitMs: 0 })
    expect(takeAll(gate)).toHaveLength(3)
    expect(gate.snapshot().limits.map(({ held }) => held)).toEqual([3, 3])
    await clock.advance(1_000)
    expect([takeAll(gate).length, ...gate.snapshot().limits.map(({ held }) => held)]).toEqual([0, 0, 3])
  })

  test('are counted by unit', () => {
    const limits = [
      { limit: 3, windowMs },
      { limit: 1_000, windowMs, unit: 'tokens' },
    ]
    const { gate } = setUpGate({ limits })
    const go = (weight: Weight) => gate.tryAcquire({ weight }) !== undefined
    expect([go({ tokens: 600 }), go({ tokens: 401 }), go({ tokens: 400 }), go({ tokens: 1 })]).toEqual([
      true,
      false,
      true,
      false,
    ])
    expect([go({}), go({}), go({ requests: 0 })]).toEqual([true, false, true])
  })

  test('what blocks longest is what binds, wherever it stands', () => {
    const short = { limit: 1, windowMs: 1_000, name: 'short' }
    const long = { limit: 10, windowMs, name: 'long' }
    for (const limits of [
      [short, long],
      [long, short],
    ]) {
      const { gate } = setUpGate({ limits })
      exchange(gate, answer({ name: 'long', limit: 10, remaining: 0 }))
      expect(gate.explain()).toMatchObject({ boundBy: 'reading', wouldWaitMs: windowMs })
    }
  })

  test('what the slowest of them needs is waited for', async () => {
    const limits = [
      { limit: 1, windowMs: 1_000 },
      { limit: 1, windowMs: 3_000 },
      { limit: 1, windowMs: 2_000 },
    ]
    const { clock, gate } = setUpGate({ limits, transitMs: 0 })
    exchange(gate)
    expect(gate.explain()).toEqual({ wouldWaitMs: 3_000, boundBy: 'limit', queued: 0 })
    const next = follow(gate.acquire())
    await clock.advance(3_000)
    expect(next.permit?.sentAt).toBe(3_000)
  })
})

describe('never', () => {
  const limits = [
    { limit: 3, windowMs },
    { limit: 100, windowMs, unit: 'tokens' },
  ]

  test.each<Weight>([3.1, 101, { tokens: 101 }])(
    'is said at once of a weight above a configured limit: %o',
    async (weight) => {
      const { gate } = setUpGate({ limits })
      expect(await refusal(gate, { weight })).toEqual(['never', undefined])
      expect(() => gate.tryAcquire({ weight })).toThrow(RateLimitError)
      expect(gate.snapshot()).toMatchObject({ held: 0, queued: 0 })
    },
  )

  test.each<Weight>([3, { tokens: 100 }, { bytes: 1e9 }])('is not said of one that fits: %o', async (weight) => {
    expect(await refusal(setUpGate({ limits }).gate, { weight })).toBe('granted')
  })
})

describe('concurrency', () => {
  test('bounds what is not released, answered or not', async () => {
    const { gate } = setUpGate({ concurrency: 2 })
    const [first] = takeAll(gate)
    first!.settle()
    const waiter = follow(gate.acquire())
    expect(gate.explain()).toEqual({ wouldWaitMs: 0, boundBy: 'concurrency', queued: 1 })
    first!.release()
    await settled()
    expect([waiter.state, gate.snapshot().held]).toEqual(['granted', 2])
  })
})

describe('pace even', () => {
  test('spreads sends over the window', async () => {
    const { clock, gate } = setUpGate({ limits: { limit: 10, windowMs: 1_000 }, pace: 'even', transitMs: 0 })
    await clock.advance(1_000)
    const callers = [1, 1, 2, 1].map((weight) => follow(gate.acquire({ weight })))
    expect(gate.explain()).toMatchObject({ boundBy: 'pace' })
    await clock.advance(1_000)
    expect(callers.map(({ permit }) => permit?.sentAt)).toEqual([1_000, 1_080, 1_180, 1_380])
  })

  test('is bounded by the limit all the same', async () => {
    const { clock, gate } = setUpGate({ limits: { limit: 2, windowMs: 1_000 }, pace: 'even', transitMs: 0 })
    const callers = [1, 2, 3, 4, 5].map(() => follow(gate.acquire()))
    await clock.advance(3_000)
    expect(callers.map(({ permit }) => permit?.sentAt)).toEqual([0, 480, 1_000, 1_480, 2_000])
  })
})
