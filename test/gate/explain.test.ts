import { describe, expect, test } from 'vitest'
import type { Gate } from '../../src/gate/index.ts'
import {
  answer,
  exchange,
  follow,
  limitOf,
  type Options,
  setUpGate,
  takeAll,
  windowMs,
} from '../support/set-up-gate.ts'

describe('explain', () => {
  test.each<{ name: string; options: Options; before: (gate: Gate) => void; explained: unknown }>([
    { name: 'nothing', options: {}, before: () => {}, explained: [0, 'nothing'] },
    { name: 'limit', options: limitOf(1), before: (gate) => exchange(gate), explained: [60_000, 'limit'] },
    {
      name: 'reading',
      options: limitOf(5),
      before: (gate) => exchange(gate, answer({ limit: 5, remaining: 0 })),
      explained: [60_000, 'reading'],
    },
    { name: 'park', options: {}, before: (gate) => gate.park(7_000), explained: [7_000, 'park'] },
    {
      name: 'concurrency',
      options: { concurrency: 1 },
      before: (gate) => gate.tryAcquire(),
      explained: [0, 'concurrency'],
    },
    {
      name: 'cold-start',
      options: { coldStartMs: 1_000 },
      before: (gate) => gate.tryAcquire(),
      explained: [0, 'cold-start'],
    },
    {
      name: 'pace',
      options: { ...limitOf(60), pace: 'even' },
      before: (gate) => exchange(gate),
      explained: [980, 'pace'],
    },
  ])('says $name', ({ options, before, explained }) => {
    const { gate } = setUpGate(options)
    before(gate)
    const { wouldWaitMs, boundBy } = gate.explain()
    expect([wouldWaitMs, boundBy]).toEqual(explained)
  })

  test('says probe', async () => {
    const { clock, gate } = setUpGate()
    gate.park(10)
    await clock.advance(10)
    gate.tryAcquire()
    expect(gate.explain()).toEqual({ wouldWaitMs: 0, boundBy: 'probe', queued: 0 })
  })

  test('says probe while one is out that broke a park', async () => {
    const { gate } = setUpGate()
    gate.park(60_000)
    follow(gate.acquire({ allowance: { maxDurationMs: 0 } }))
    expect([gate.snapshot().state, gate.explain().boundBy]).toEqual(['probing', 'probe'])
  })

  test('says what the wait of the head of the queue is for, unless one goes before it', () => {
    const { gate } = setUpGate(limitOf(3))
    exchange(gate)
    follow(gate.acquire({ weight: 3 }))
    expect(gate.explain()).toMatchObject({ boundBy: 'limit', queued: 1 })
    expect(gate.explain({ priority: 1 })).toEqual({ wouldWaitMs: 0, boundBy: 'nothing', queued: 1 })
  })

  test('spends nothing', () => {
    const { gate } = setUpGate(limitOf(2))
    for (let asked = 0; asked < 10; asked++) gate.explain({ weight: 2 })
    expect(takeAll(gate)).toHaveLength(2)
  })
})

describe('snapshot and idle', () => {
  test('say what there is', async () => {
    const { clock, gate } = setUpGate({ limits: { limit: 5, windowMs, name: 'a' }, transitMs: 0 })
    expect(gate.idle).toBe(true)
    const [first, second] = [gate.tryAcquire(), gate.tryAcquire({ weight: 2 })]
    first!.settle(answer({ limit: 4, remaining: 1 }))
    follow(gate.acquire({ weight: 5 }))
    await clock.advance(1_000)
    const { ledgerBytes, ...snapshot } = gate.snapshot()
    expect(snapshot).toEqual({
      queued: 1,
      inFlight: 1,
      held: 2,
      state: 'open',
      parkedForMs: 0,
      limits: [
        {
          name: 'a',
          unit: 'requests',
          source: 'configured',
          limit: 4,
          windowMs,
          held: 3,
          foreignUse: 0,
          readingAgeMs: 1_000,
        },
      ],
    })
    expect(ledgerBytes).toBeGreaterThan(0)
    first!.release()
    second!.release()
    gate.park(5_000)
    expect(gate.snapshot()).toMatchObject({ state: 'parked', parkedForMs: 5_000, inFlight: 0, held: 0 })
  })

  test.each<{ name: string; make: (gate: Gate) => unknown; idleAfterMs: number }>([
    { name: 'weight in the window', make: (gate) => exchange(gate), idleAfterMs: windowMs },
    { name: 'a park', make: (gate) => gate.park(5_000), idleAfterMs: 5_000 },
    { name: 'a permit', make: (gate) => gate.tryAcquire({ weight: 0 }), idleAfterMs: 120_000 },
  ])('is idle once $name is gone', async ({ make, idleAfterMs }) => {
    const { clock, gate } = setUpGate(limitOf(2))
    make(gate)
    await clock.advance(idleAfterMs - 1)
    expect(gate.idle).toBe(false)
    await clock.advance(1)
    expect(gate.idle).toBe(true)
  })

  test('is idle although a limit whose window is not known holds weight for ever', () => {
    const { gate } = setUpGate()
    exchange(gate, answer({ limit: 10, remaining: 9 }))
    expect([gate.snapshot().limits[0]?.held, gate.idle]).toEqual([1, true])
  })

  test('is not idle while it probes, nor while anybody waits', async () => {
    const { clock, gate } = setUpGate()
    gate.park(10)
    const waiter = follow(gate.acquire())
    expect(gate.idle).toBe(false)
    await clock.advance(10)
    expect([waiter.state, gate.idle]).toEqual(['granted', false])
    waiter.permit!.settle()
    waiter.permit!.release()
    expect(gate.idle).toBe(true)
  })
})
