import { describe, expect, test } from 'vitest'
import { type Allowance, ConfigError } from '../../src/gate/index.ts'
import {
  answer,
  exchange,
  follow,
  limitOf,
  type Options,
  refusedWith,
  setUpGate,
  settled,
  takeAll,
  throttle,
} from '../support/set-up-gate.ts'

/** A gate that is parked for so long at 0. */
function parked(forMs: number, options: Options = {}) {
  const { clock, gate } = setUpGate(options)
  gate.park(forMs)
  return { clock, gate, wait: (allowance: Allowance) => follow(gate.acquire({ allowance })) }
}

describe('one that waits behind a park', () => {
  test('is refused when its allowance ends, to the millisecond, where the park was broken before', async () => {
    const { clock, gate, wait } = parked(600_000)
    const [breaker, caller] = [wait({ maxDurationMs: 1_000 }), wait({ maxDurationMs: 30_000 })]
    await clock.advance(1_000)
    breaker.permit!.settle(throttle(600_000))
    await clock.advance(28_999)
    expect([caller.state, clock.pendingTimers]).toEqual(['waiting', 1])
    await clock.advance(1)
    expect(refusedWith(caller)).toEqual(['parked', 571_000])
    expect([gate.snapshot().queued, clock.pendingTimers]).toEqual([0, 0])
  })

  test('goes on as ever where the park ends first, or just then', async () => {
    const { clock, wait } = parked(5_000)
    const caller = wait({ maxDurationMs: 5_000 })
    await clock.advance(5_000)
    expect(caller.permit).toMatchObject({ isProbe: true, sentAt: 5_000, parkedSince: 0 })
  })

  test('behind the probe is refused with a second', async () => {
    const { clock, gate, wait } = parked(100)
    const [probe, caller] = [wait({ maxDurationMs: 1_000 }), wait({ maxDurationMs: 1_000 })]
    await clock.advance(999)
    expect([probe.state, caller.state]).toEqual(['granted', 'waiting'])
    await clock.advance(1)
    expect(refusedWith(caller)).toEqual(['probing', 1_000])
    expect(gate.snapshot()).toMatchObject({ state: 'probing', queued: 0 })
  })

  test('and then for its limit is not bounded any more', async () => {
    const { clock, gate, wait } = parked(5_000, limitOf(1))
    const [first, second] = [wait({ maxDurationMs: 30_000 }), wait({ maxDurationMs: 30_000 })]
    await clock.advance(5_000)
    first.permit!.settle(answer())
    first.permit!.release()
    await clock.advance(25_000)
    expect(gate.snapshot().state).toBe('open')
    expect(second.state).toBe('waiting')
    await clock.advance(35_000)
    expect(second.permit!.sentAt).toBe(65_000)
  })

  test('and then for its limit is bounded still where it is trying again', async () => {
    const { clock, gate } = parked(5_000, limitOf(1))
    const first = follow(gate.acquire())
    const ends = [40_000, 10_000, 20_000, 30_000]
    const others = [
      follow(gate.acquire({ allowance: { maxDurationMs: 6_000 } })),
      ...ends.map((maxDurationMs) => follow(gate.acquire({ allowance: { maxDurationMs, startedAt: 0 } }))),
    ]
    await clock.advance(5_000)
    first.permit!.settle(answer())
    for (const [ended, end] of [10_000, 20_000, 30_000, 40_000].entries()) {
      await clock.advance(end - clock.now() - 1)
      expect(others.filter(refusedWith)).toHaveLength(ended)
      await clock.advance(1)
      expect(refusedWith(others[1 + ends.indexOf(end)]!)?.[0]).toBe('wait-too-long')
    }
  })

  test('lets those behind it go that may when it has given up', async () => {
    const { clock, gate } = setUpGate(limitOf(2))
    exchange(gate)
    gate.park(100)
    const heavy = follow(gate.acquire({ weight: 2, allowance: { maxDurationMs: 1_000 } }))
    const light = follow(gate.acquire({ allowance: { maxDurationMs: 1_000 } }))
    await clock.advance(999)
    expect([heavy.state, light.state]).toEqual(['waiting', 'waiting'])
    await clock.advance(1)
    expect([refusedWith(heavy), light.permit?.sentAt]).toEqual([['parked', 59_000], 1_000])
  })
})

test('one whose allowance has ended as it comes behind others is refused at once', async () => {
  const { clock, gate } = setUpGate(limitOf(1))
  exchange(gate)
  await clock.advance(1_000)
  const [first, over] = [undefined, { maxDurationMs: 1_000, startedAt: 0 }].map((allowance) =>
    follow(gate.acquire({ allowance })),
  )
  await settled()
  expect([first!.state, refusedWith(over!)]).toEqual(['waiting', ['wait-too-long', 119_000]])
})

describe('an allowance begins', () => {
  test('when the caller comes behind a park', async () => {
    const { clock, gate } = parked(600_000)
    await clock.advance(7_000)
    const caller = follow(gate.acquire({ allowance: { maxDurationMs: 1_000 } }))
    await clock.advance(999)
    expect(caller.state).toBe('waiting')
    await clock.advance(1)
    expect(caller.permit).toMatchObject({ sentAt: 8_000, parkedSince: 7_000, isProbe: true })
  })

  test('when the park begins for one queued before, and not anew when it is lengthened', async () => {
    const { clock, gate } = setUpGate({ concurrency: 1 })
    const [held] = takeAll(gate)
    const caller = follow(gate.acquire({ allowance: { maxDurationMs: 1_000 } }))
    await clock.advance(50_000)
    held!.settle(throttle(5_000))
    held!.release()
    await clock.advance(500)
    gate.park(60_000)
    await clock.advance(499)
    expect(caller.state).toBe('waiting')
    await clock.advance(1)
    expect(caller.permit).toMatchObject({ sentAt: 51_000, parkedSince: 50_000 })
  })

  test('at startedAt where the caller says so', async () => {
    const { clock, gate } = parked(600_000)
    await clock.advance(7_000)
    const caller = follow(gate.acquire({ allowance: { maxDurationMs: 10_000, startedAt: 2_000 } }))
    await clock.advance(4_999)
    expect(caller.state).toBe('waiting')
    await clock.advance(1)
    expect(caller.permit).toMatchObject({ sentAt: 12_000, parkedSince: 7_000 })
  })

  test('never without a park: ordinary waiting is not bounded', async () => {
    const { clock, gate } = setUpGate(limitOf(1))
    exchange(gate)
    const caller = follow(gate.acquire({ allowance: { maxDurationMs: 0, whenTooLong: 'return' } }))
    await clock.advance(59_999)
    expect(caller.state).toBe('waiting')
    await clock.advance(1)
    expect([caller.state, caller.permit?.parkedSince]).toEqual(['granted', undefined])
  })

  test('with a later park again, once the first is over', async () => {
    const { clock, gate } = setUpGate({ concurrency: 1 })
    gate.park(600_000)
    const first = follow(gate.acquire({ allowance: { maxDurationMs: 1_000 } }))
    await clock.advance(1_000)
    const second = follow(gate.acquire())
    const third = follow(gate.acquire({ allowance: { maxDurationMs: 3_000 } }))
    await clock.advance(1_000)
    first.permit!.settle(answer({ limit: 9, remaining: 9 }))
    first.permit!.release()
    await settled()
    expect(gate.snapshot()).toMatchObject({ state: 'open', held: 1, queued: 1 })
    const late = follow(gate.acquire({ allowance: { maxDurationMs: 500, whenTooLong: 'return' } }))
    second.permit!.settle(throttle(60_000))
    await settled()
    expect([third.state, refusedWith(late)]).toEqual(['waiting', ['parked', 60_000]])
  })
})

describe('clamp: one early probe in a park, whoever asks', () => {
  test.each([
    { name: 'end together', maxDurationMs: () => 30_000, firstAt: 30_000 },
    { name: 'end all over the park', maxDurationMs: (index: number) => 100 + index * 50, firstAt: 100 },
  ])('1 000 callers whose allowances $name', async ({ maxDurationMs, firstAt }) => {
    const { clock, wait } = parked(600_000)
    const callers = Array.from({ length: 1_000 }, (_, index) => wait({ maxDurationMs: maxDurationMs(index) }))
    expect(clock.pendingTimers).toBe(1)
    await clock.advance(firstAt)
    const [early] = callers.filter(({ permit }) => permit)
    expect(early?.permit).toMatchObject({ isProbe: true, sentAt: firstAt })
    early!.permit!.settle(throttle(600_000))
    early!.permit!.release()
    await clock.advance(599_000 - firstAt)
    expect(callers.filter(({ state }) => state === 'granted')).toEqual([early])
    expect(callers.filter(({ state }) => state === 'refused')).toHaveLength(999)
    expect(clock.pendingTimers).toBe(0)
  })

  test('whose success reopens the gate for all who wait, and for another early probe in the next park', async () => {
    const { clock, gate, wait } = parked(600_000)
    const [early, patient] = [wait({ maxDurationMs: 1_000 }), wait({ maxDurationMs: 60_000 })]
    await clock.advance(1_000)
    early.permit!.settle(answer({ limit: 9, remaining: 9 }))
    await settled()
    expect([patient.state, gate.snapshot().state]).toEqual(['granted', 'open'])
    gate.park(600_000)
    const again = wait({ maxDurationMs: 1_000 })
    await clock.advance(1_000)
    expect(again.permit).toMatchObject({ isProbe: true, sentAt: 2_000 })
  })

  test('which is not to be had again until a probe at the regular end of the park has failed too', async () => {
    const { clock, gate, wait } = parked(10_000)
    const early = wait({ maxDurationMs: 1_000 })
    await clock.advance(1_000)
    early.permit!.settle(throttle(20_000))
    const [refused, regular] = [wait({ maxDurationMs: 1_000 }), follow(gate.acquire())]
    await clock.advance(1_000)
    expect(refusedWith(refused)).toEqual(['parked', 19_000])
    await clock.advance(18_999)
    expect(regular.state).toBe('waiting')
    await clock.advance(1)
    expect(regular.permit).toMatchObject({ isProbe: true, sentAt: 21_000 })
    regular.permit!.settle(throttle(20_000))
    const next = wait({ maxDurationMs: 1_000 })
    await clock.advance(1_000)
    expect(next.permit).toMatchObject({ isProbe: true, sentAt: 22_000 })
  })

  test.each<{ name: string; options: Options }>([
    { name: 'the own window', options: limitOf(1) },
    { name: 'concurrency', options: { concurrency: 1 } },
  ])('is held back by $name, and still to be had', async ({ options }) => {
    const { clock, gate } = setUpGate(options)
    const [held] = takeAll(gate)
    gate.park(600_000)
    const [first, second] = [1_000, 70_000].map((maxDurationMs) =>
      follow(gate.acquire({ allowance: { maxDurationMs } })),
    )
    await clock.advance(1_000)
    expect(refusedWith(first!)).toEqual(['parked', 599_000])
    held!.release()
    await clock.advance(69_000)
    expect(second!.permit).toMatchObject({ isProbe: true, sentAt: 70_000 })
  })

  test('is not held back by what a reading says is left, nor by who stands before it', async () => {
    const { clock, gate } = setUpGate(limitOf(5))
    exchange(gate, throttle(600_000, { limit: 5, remaining: 0 }))
    const patient = follow(gate.acquire({ priority: 1 }))
    const early = follow(gate.acquire({ allowance: { maxDurationMs: 1_000 } }))
    await clock.advance(1_000)
    expect([patient.state, early.permit?.isProbe]).toEqual(['waiting', true])
  })
})

describe('return: refused as soon as the park is known to outlast the allowance', () => {
  const allowance = { maxDurationMs: 5_000, whenTooLong: 'return' } as const

  test.each([
    { forMs: 5_000, refused: undefined },
    { forMs: 5_001, refused: ['parked', 5_001] },
  ])('as it comes behind a park of $forMs ms: $refused', async ({ forMs, refused }) => {
    const { wait } = parked(forMs)
    const caller = wait(allowance)
    await settled()
    expect(refusedWith(caller)).toEqual(refused)
  })

  test.each([
    { startedAt: 3_000, refused: undefined },
    { startedAt: 2_999, refused: ['parked', 3_000] },
  ])('counted from startedAt $startedAt', async ({ startedAt, refused }) => {
    const { clock, gate } = parked(8_000)
    await clock.advance(5_000)
    const caller = follow(gate.acquire({ allowance: { ...allowance, startedAt } }))
    await settled()
    expect(refusedWith(caller)).toEqual(refused)
  })

  test('when the park begins, one after another as it is lengthened', async () => {
    const { clock, gate } = setUpGate({ concurrency: 1 })
    takeAll(gate)
    const callers = [5_000, 10_000, 20_000].map((maxDurationMs) =>
      follow(gate.acquire({ allowance: { ...allowance, maxDurationMs } })),
    )
    const refused = async () => {
      await settled()
      return callers.map(refusedWith)
    }
    await clock.advance(1_000)
    gate.park(8_000)
    expect(await refused()).toEqual([['parked', 8_000], undefined, undefined])
    await clock.advance(2_000)
    gate.park(8_000)
    expect(await refused()).toEqual([['parked', 8_000], undefined, undefined])
    gate.park(8_001)
    expect(await refused()).toEqual([['parked', 8_000], ['parked', 8_001], undefined])
  })
})

describe('parkedSince of a permit', () => {
  test('is unset where the caller did not wait behind a park', async () => {
    const { clock, gate } = setUpGate(limitOf(1))
    expect(gate.tryAcquire()!.parkedSince).toBeUndefined()
    const waiter = follow(gate.acquire())
    await clock.advance(61_000)
    expect(waiter.permit!.parkedSince).toBeUndefined()
  })

  test('is when the park began for one queued before that goes while it lasts, and unset for those that go later', async () => {
    const { clock, gate } = setUpGate({ concurrency: 1 })
    const [held] = takeAll(gate)
    const allowances = [undefined, { maxDurationMs: Infinity }, { maxDurationMs: 90_000, startedAt: 0 }]
    const waiters = allowances.map((allowance) => follow(gate.acquire({ allowance })))
    await clock.advance(1_000)
    gate.park(5_000)
    gate.park(6_000)
    held!.release()
    for (const waiter of waiters) {
      await clock.advance(6_000)
      waiter.permit?.settle(answer())
      waiter.permit?.release()
    }
    expect(waiters.map(({ permit }) => permit?.parkedSince)).toEqual([1_000, undefined, undefined])
  })

  test('is when the caller came, also one who sets no allowance', async () => {
    const { clock, gate } = parked(5_000)
    await clock.advance(2_000)
    const waiter = follow(gate.acquire())
    await clock.advance(3_000)
    expect(waiter.permit!.parkedSince).toBe(2_000)
  })
})

test.each<{ allowance: unknown; option: string }>([
  { allowance: { maxDurationMs: NaN }, option: 'allowance.maxDurationMs' },
  { allowance: { maxDurationMs: -1 }, option: 'allowance.maxDurationMs' },
  { allowance: {}, option: 'allowance.maxDurationMs' },
  { allowance: { maxDurationMs: 1, startedAt: NaN }, option: 'allowance.startedAt' },
  { allowance: { maxDurationMs: 1, whenTooLong: 'wait' }, option: 'allowance.whenTooLong' },
  { allowance: 5, option: 'allowance' },
])('an allowance that makes no sense is refused: $allowance', async ({ allowance, option }) => {
  const { gate } = setUpGate()
  const error: unknown = await gate.acquire({ allowance: allowance as Allowance }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ConfigError)
  expect((error as ConfigError).faults.map((fault) => fault.option)).toEqual([option])
  expect(gate.snapshot().held).toBe(0)
})
