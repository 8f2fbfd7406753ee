import { describe, expect, test } from 'vitest'
import { type AcquireOptions, type Gate, RateLimitError, type Weight } from '../../src/gate/index.ts'
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
const limitOf = (limit: number): Options => ({ limits: { limit, windowMs }, transitMs: 0 })

/** How a gate refuses this caller: reason and hint. */
async function refusal(gate: Gate, options: AcquireOptions): Promise<unknown> {
  const error: unknown = await gate.acquire(options).then(
    () => 'granted',
    (reason: unknown) => reason,
  )
  return error instanceof RateLimitError ? [error.reason, error.retryAfterMs] : error
}

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

describe('maxQueueSize', () => {
  test.each([0, 1, 3])('%d may wait, the next is refused with its projected wait', async (maxQueueSize) => {
    const { clock, gate } = setUpGate({ ...limitOf(1), maxQueueSize })
    exchange(gate)
    await clock.advance(1_000)
    for (let caller = 0; caller < maxQueueSize; caller++) follow(gate.acquire())
    expect(await refusal(gate, {})).toEqual(['queue-full', windowMs * (maxQueueSize + 1) - 1_000])
    expect(gate.snapshot().queued).toBe(maxQueueSize)
  })

  test('does not refuse who need not wait, and a place that is left is free', async () => {
    const { gate } = setUpGate({ ...limitOf(1), maxQueueSize: 1 })
    expect(await refusal(gate, {})).toBe('granted')
    const abort = new AbortController()
    follow(gate.acquire({ signal: abort.signal }))
    expect(await refusal(gate, {})).toEqual(['queue-full', 2 * windowMs])
    abort.abort()
    expect(follow(gate.acquire()).state).toBe('waiting')
    expect(gate.snapshot().queued).toBe(1)
  })
})

describe('maxWaitMs', () => {
  test.each([
    { queued: 0, projected: 60_000 },
    { queued: 1, projected: 60_500 },
    { queued: 2, projected: 120_000 },
    { queued: 5, projected: 180_500 },
  ])('is judged at queueing, by what the wait will be behind $queued others', async ({ queued, projected }) => {
    const { clock, gate } = setUpGate(limitOf(2))
    exchange(gate)
    await clock.advance(500)
    exchange(gate)
    for (let caller = 0; caller < queued; caller++)
      void gate.acquire().then((permit) => {
        permit.settle()
        permit.release()
      })
    const waitMs = projected - 500
    expect(gate.explain().wouldWaitMs).toBe(waitMs)
    expect(await refusal(gate, { maxWaitMs: waitMs - 1 })).toEqual(['wait-too-long', waitMs])
    expect(gate.snapshot().queued).toBe(queued)
    const patient = follow(gate.acquire({ maxWaitMs: waitMs }))
    await clock.advance(waitMs)
    expect(patient.permit?.sentAt).toBe(projected)
  })

  test('counts only who goes before', async () => {
    const { gate } = setUpGate(limitOf(1))
    exchange(gate)
    for (const priority of [0, 0, 2]) follow(gate.acquire({ priority }))
    const at = (priority: number) => refusal(gate, { priority, maxWaitMs: 0 })
    expect([await at(3), await at(2), await at(1), await at(0)]).toEqual(
      [60_000, 120_000, 120_000, 240_000].map((waitMs) => ['wait-too-long', waitMs]),
    )
  })

  test('includes a park, and even pace', async () => {
    const { gate } = setUpGate(limitOf(5))
    gate.park(7_000)
    expect(await refusal(gate, { maxWaitMs: 6_999 })).toEqual(['wait-too-long', 7_000])
    const even = setUpGate({ limits: { limit: 10, windowMs: 1_000 }, pace: 'even' }).gate
    exchange(even)
    follow(even.acquire())
    expect(await refusal(even, { maxWaitMs: 0 })).toEqual(['wait-too-long', 180])
  })

  test('never refuses a wait that only an answer ends', async () => {
    const { gate } = setUpGate({ concurrency: 1 })
    gate.tryAcquire()
    expect(follow(gate.acquire({ maxWaitMs: 0 })).state).toBe('waiting')
    expect(gate.snapshot().queued).toBe(1)
  })
})

describe('whenParked refuse', () => {
  test('is refused while the gate is parked, with what is left of it, and while it is probing, with a second', async () => {
    const { clock, gate } = setUpGate()
    gate.park(5_000)
    await clock.advance(2_000)
    expect(await refusal(gate, { whenParked: 'refuse' })).toEqual(['parked', 3_000])
    await clock.advance(3_000)
    const probe = await gate.acquire({ whenParked: 'refuse' })
    expect(await refusal(gate, { whenParked: 'refuse' })).toEqual(['probing', 1_000])
    probe.settle()
    expect(await refusal(gate, { whenParked: 'refuse' })).toBe('granted')
  })

  test('does not refuse an ordinary wait', async () => {
    const { gate } = setUpGate(limitOf(1))
    exchange(gate)
    expect(follow(gate.acquire({ whenParked: 'refuse' })).state).toBe('waiting')
    expect(gate.snapshot().queued).toBe(1)
  })

  test('behind others who wait for the probe is told a second', async () => {
    const { clock, gate } = setUpGate({ concurrency: 1 })
    gate.tryAcquire()
    gate.park(1_000)
    follow(gate.acquire())
    await clock.advance(1_000)
    expect(await refusal(gate, { whenParked: 'refuse' })).toEqual(['probing', 1_000])
  })
})

describe('an aborted caller', () => {
  test('gets the reason of its signal, before, while and after it waits', async () => {
    const { gate } = setUpGate(limitOf(1))
    const reason = new Error('changed my mind')
    expect(await refusal(gate, { signal: AbortSignal.abort(reason) })).toBe(reason)
    expect(gate.snapshot().held).toBe(0)
    const abort = new AbortController()
    const granted = follow(gate.acquire({ signal: abort.signal }))
    const waiting = follow(gate.acquire({ signal: abort.signal }))
    abort.abort(reason)
    await settled()
    expect([granted.state, waiting.error, gate.snapshot().queued]).toEqual(['granted', reason, 0])
  })

  test('at the head lets the next one go that fits', async () => {
    const { gate } = setUpGate(limitOf(3))
    exchange(gate)
    const abort = new AbortController()
    const heavy = follow(gate.acquire({ weight: 3, signal: abort.signal }))
    const light = follow(gate.acquire())
    abort.abort()
    await settled()
    expect([heavy.state, light.state]).toEqual(['refused', 'granted'])
  })
})

describe('run', () => {
  test('settles and releases when the task is done', async () => {
    const { clock, gate } = setUpGate({ limits: { limit: 1, windowMs }, concurrency: 1 })
    const result = gate.run(async ({ sentAt }) => {
      await clock.sleep(100)
      return sentAt
    })
    await clock.advance(100)
    expect([await result, gate.snapshot()]).toMatchObject([0, { held: 0, inFlight: 0 }])
    const next = follow(gate.acquire())
    await clock.advance(windowMs)
    expect(next.permit?.sentAt).toBe(100 + windowMs)
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('broken')
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
  ])('releases when the task %s, as if no headers had arrived', async (_, task) => {
    const { clock, gate } = setUpGate({ limits: { limit: 1, windowMs }, concurrency: 1 })
    await expect(gate.run(task)).rejects.toThrow('broken')
    expect(gate.snapshot()).toMatchObject({ held: 0, inFlight: 0 })
    const next = follow(gate.acquire())
    await clock.advance(2 * windowMs)
    expect(next.permit?.sentAt).toBe(1_000 + windowMs)
  })

  test('does not begin the task of a caller that is refused', async () => {
    const { gate } = setUpGate(limitOf(1))
    let begun = false
    await expect(gate.run(() => (begun = true), { weight: 2 })).rejects.toThrow(RateLimitError)
    expect(begun).toBe(false)
  })
})

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

describe('close', () => {
  test('refuses who waits and who comes, and takes no permit back', async () => {
    const { gate } = setUpGate(limitOf(1))
    const [held] = takeAll(gate)
    const waiters = [follow(gate.acquire()), follow(gate.acquire())]
    await gate.close()
    await settled()
    expect(waiters.map(({ error }) => (error as RateLimitError).reason)).toEqual(['closed', 'closed'])
    expect([held!.ended, gate.tryAcquire(), await refusal(gate, {})]).toEqual([false, undefined, ['closed', undefined]])
  })

  test('with drainMs lets those go first who can, and refuses the others then', async () => {
    const { clock, gate } = setUpGate({ limits: { limit: 1, windowMs: 1_000 }, transitMs: 0 })
    exchange(gate)
    const waiters = [1, 2, 3].map(() => follow(gate.acquire()))
    let closed = false
    const closing = gate.close({ drainMs: 2_500 }).then(() => (closed = true))
    expect(await refusal(gate, {})).toEqual(['closed', undefined])
    await clock.advance(2_499)
    expect([waiters.map(({ state }) => state), closed]).toEqual([['granted', 'granted', 'waiting'], false])
    await clock.advance(1)
    await closing
    expect([waiters[2]!.state, clock.pendingTimers]).toEqual(['refused', 0])
  })

  test('is over as soon as nobody waits', async () => {
    const { clock, gate } = setUpGate({ concurrency: 1 })
    const [held] = takeAll(gate)
    const waiter = follow(gate.acquire())
    const closing = gate.close({ drainMs: 1e9 })
    held!.release()
    await closing
    expect([waiter.state, clock.now(), clock.pendingTimers]).toEqual(['granted', 0, 0])
  })

  test('may be called again, and sooner then', async () => {
    const { gate } = setUpGate(limitOf(1))
    exchange(gate)
    const waiter = follow(gate.acquire())
    const slowly = gate.close({ drainMs: 1e9 })
    await Promise.all([gate.close(), slowly])
    expect(waiter.state).toBe('refused')
  })
})

describe('park', () => {
  test('shuts the gate for so long, at most cooldown.maxMs, then one attempt probes', async () => {
    const { clock, gate } = setUpGate({ cooldown: { baseMs: 10, maxMs: 1_000 } })
    gate.park(1e12)
    const waiters = [1, 2, 3].map(() => follow(gate.acquire()))
    await clock.advance(999)
    expect(waiters.map(({ state }) => state)).toEqual(['waiting', 'waiting', 'waiting'])
    await clock.advance(1)
    expect(waiters.map(({ state }) => state)).toEqual(['granted', 'waiting', 'waiting'])
    waiters[0]!.permit!.settle()
    await settled()
    expect(waiters.map(({ state }) => state)).toEqual(['granted', 'granted', 'granted'])
  })

  test.each<{ name: string; lose: (gate: Gate, waiter: ReturnType<typeof follow>) => void; afterMs: number }>([
    { name: 'is aborted', lose: (_, { permit }) => permit!.release(), afterMs: 0 },
    { name: 'fails to connect', lose: (_, { permit }) => permit!.refund(), afterMs: 0 },
    { name: 'is taken back', lose: () => {}, afterMs: 120_000 },
  ])('a probe that $name frees the probe for another caller', async ({ lose, afterMs }) => {
    const { clock, gate } = setUpGate()
    gate.park(100)
    const [first, second] = [follow(gate.acquire()), follow(gate.acquire())]
    await clock.advance(100)
    lose(gate, first)
    await clock.advance(afterMs)
    expect([second.state, gate.snapshot().state]).toEqual(['granted', 'probing'])
    first.permit!.settle(answer())
    expect(gate.snapshot().state).toBe('probing')
    second.permit!.settle(answer())
    expect(gate.snapshot().state).toBe('open')
  })

  test('the draw of a park without a hint comes from the clock', async () => {
    const { clock, gate } = setUpGate()
    Object.assign(clock, { random: () => 0.5 })
    exchange(gate, throttle())
    await clock.advance(60_000)
    exchange(gate, throttle())
    expect(gate.snapshot().parkedForMs).toBe(60_000 + 0.5 * 60_000)
  })
})
