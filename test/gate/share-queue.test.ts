import { describe, expect, test } from 'vitest'
import type { Block } from '../../src/gate/limit.ts'
import {
  exchange,
  follow,
  limitOf,
  type Options,
  refusal,
  refusedWith,
  settled,
  takeAll,
  windowMs,
} from '../support/set-up-gate.ts'
import { setUpShared, type ToldShare } from '../support/set-up-share.ts'

/** The engine has been asked and has not said. */
const unanswered: Block = { at: Infinity, cause: 'limit' }

/** Nobody may go as long as the engine is away. */
const away: Block = { at: Infinity, cause: 'engine' }

test('a gate is shared as soon as it is made', () => {
  expect(setUpShared().inside).toBeDefined()
})

describe('explain', () => {
  test.each<{ name: string; options?: Options; told: Partial<ToldShare>; explained: [number, string] }>([
    { name: 'one that need not be asked for', told: {}, explained: [0, 'nothing'] },
    { name: 'one whom nothing holds but to ask', told: { held: unanswered }, explained: [0, 'nothing'] },
    { name: 'one that was refused', told: { held: unanswered, opensAt: 500 }, explained: [500, 'limit'] },
    { name: 'one that is not asked for', told: { held: away, via: 'share' }, explained: [0, 'engine'] },
    {
      name: 'one held by the gate itself',
      options: { concurrency: 1 },
      told: { held: unanswered },
      explained: [0, 'concurrency'],
    },
  ])('of $name', ({ options, told, explained }) => {
    const { gate, share } = setUpShared(options)
    if (options) takeAll(gate)
    Object.assign(share, told)
    expect(Object.values(gate.explain()).slice(0, 2)).toEqual(explained)
  })
})

describe('how long one that comes waits for an answer of the engine', () => {
  test.each([
    { maxWaitMs: 200, answersWithinMs: 1_000, leavesAt: 1_100 },
    { maxWaitMs: 5_000, answersWithinMs: 1_000, leavesAt: 5_100 },
    { maxWaitMs: undefined, answersWithinMs: 1_000, leavesAt: undefined },
    { maxWaitMs: 200, answersWithinMs: 0, leavesAt: undefined },
  ])('$maxWaitMs of its own, $answersWithinMs of the engine', async ({ maxWaitMs, answersWithinMs, leavesAt }) => {
    const { clock, gate } = setUpShared({}, { held: unanswered, answersWithinMs })
    await clock.advance(100)
    const waiter = follow(gate.acquire({ maxWaitMs }))
    await clock.advance((leavesAt ?? 1e9) - 101)
    expect(waiter.state).toBe('waiting')
    await clock.advance(1)
    expect(refusedWith(waiter)).toEqual(leavesAt === undefined ? undefined : ['wait-too-long', 0])
  })

  test('does not end with a park being broken', async () => {
    const { clock, gate } = setUpShared({}, { held: unanswered, answersWithinMs: 200 })
    const waiter = follow(gate.acquire({ maxWaitMs: 0 }))
    gate.park(10_000)
    await clock.advance(200)
    expect(refusedWith(waiter)).toEqual(['parked', 9_800])
  })

  test('does not put off the end of an allowance that begins with a park', async () => {
    const { clock, gate } = setUpShared({}, { held: unanswered, answersWithinMs: 1_000 })
    const waiter = follow(gate.acquire({ maxWaitMs: 100_000, allowance: { maxDurationMs: 1_000 } }))
    await clock.advance(500)
    gate.park(60_000)
    await clock.advance(999)
    expect(waiter.state).toBe('waiting')
    await clock.advance(1)
    expect(waiter.permit).toMatchObject({ isProbe: true, sentAt: 1_500, parkedSince: 500 })
  })

  test('is no longer than it takes: one for whom it comes at once goes', async () => {
    const { clock, gate, share } = setUpShared({}, { held: unanswered })
    share.look = () => (share.held = undefined)
    const waiter = follow(gate.acquire())
    await clock.advance(0)
    expect(waiter.state).toBe('granted')
  })
})

describe('without the engine', () => {
  test('a closed gate refuses as a parked one does, at once, as it closes, and at the end of an allowance', async () => {
    const { clock, gate, share, inside } = setUpShared({}, { held: unanswered })
    const callers = [
      follow(gate.acquire({ whenParked: 'refuse' })),
      follow(gate.acquire({ allowance: { maxDurationMs: 1_000 } })),
    ]
    Object.assign(share, { via: 'closed', held: away, opensAt: 3_000 })
    inside.serve()
    expect(await refusal(gate, { whenParked: 'refuse' })).toEqual(['engine-lost', 3_000])
    await clock.advance(1_000)
    expect(callers.map(refusedWith)).toEqual([
      ['engine-lost', 3_000],
      ['engine-lost', 2_000],
    ])
  })

  test('an allowance goes on as the engine is back and the gate parked still', async () => {
    const { clock, gate, share, inside } = setUpShared({}, { held: away, via: 'closed' })
    gate.park(60_000)
    const waiter = follow(gate.acquire({ allowance: { maxDurationMs: 1_000 } }))
    Object.assign(share, { via: 'engine', held: unanswered })
    inside.serve()
    await clock.advance(1_000)
    expect(waiter.permit).toMatchObject({ isProbe: true, sentAt: 1_000 })
  })

  test('one that is heavier than the part of this process is refused, and those behind it go', async () => {
    const { gate, share, inside } = setUpShared(limitOf(4), { held: unanswered })
    const [heavy, light] = [follow(gate.acquire({ weight: 4 })), follow(gate.acquire())]
    Object.assign(share, { via: 'share', held: undefined })
    inside.bind(() => ({ units: 2, until: Infinity, heavyGoesAlone: false }))
    inside.serve()
    await settled()
    expect([refusedWith(heavy), light.state]).toEqual([['engine-lost', windowMs], 'granted'])
  })
})

describe('weights of those who could go by the rules of the gate', () => {
  const weights = [{ weight: 2 }, { weight: 3, priority: 1 }, { weight: 4 }]
  test.each<{ name: string; options?: Options; most: number; waiting: number[] }>([
    { name: 'all, in order', most: 9, waiting: [3, 2, 4] },
    { name: 'at most so many', most: 2, waiting: [3, 2] },
    { name: 'those that fit beside each other', options: limitOf(8), most: 9, waiting: [3, 2] },
    { name: 'those that may be open at once', options: { concurrency: 1 }, most: 9, waiting: [3] },
    { name: 'the first attempt alone', options: { coldStartMs: 1_000 }, most: 9, waiting: [3] },
  ])('$name', ({ options, most, waiting }) => {
    const { gate, inside } = setUpShared(options, { held: unanswered })
    for (const asked of weights) follow(gate.acquire(asked))
    expect(inside.waiting(most, 0)).toEqual(waiting)
  })

  test('none where nobody waits, or the gate holds the first', () => {
    const { gate, inside } = setUpShared(limitOf(4))
    expect(inside.waiting(9, 0)).toEqual([])
    exchange(gate)
    for (const weight of [4, 1]) follow(gate.acquire({ weight }))
    expect(inside.waiting(9, 0)).toEqual([])
  })
})

test('what goes is spent, also after waiting, but for what breaks a park', async () => {
  const { clock, gate, share, inside } = setUpShared()
  exchange(gate)
  share.held = unanswered
  follow(gate.acquire({ weight: 2 }))
  share.held = undefined
  inside.serve()
  expect(share.spent).toEqual([1, 2])
  gate.park(10_000)
  const early = follow(gate.acquire({ weight: 3, allowance: { maxDurationMs: 1_000 } }))
  await clock.advance(1_000)
  expect([early.state, share.spent]).toEqual(['granted', [1, 2]])
})

describe('another process', () => {
  const park = { until: 5_000, hinted: false, ceilingMs: 120_000, broken: false }

  test('that was told to park parks this one', async () => {
    const { clock, gate, inside } = setUpShared()
    inside.parkUntil(park)
    expect(gate.snapshot()).toMatchObject({ state: 'parked', parkedForMs: 5_000 })
    await clock.advance(5_000)
    expect(takeAll(gate)).toHaveLength(1)
  })

  test('whose park is over and not probed yet has one refused that would not wait for that', async () => {
    const { clock, gate, share, inside } = setUpShared({}, { held: unanswered })
    const waiter = follow(gate.acquire({ whenParked: 'refuse' }))
    await clock.advance(6_000)
    inside.parkUntil(park)
    share.held = undefined
    inside.serve()
    await settled()
    expect(refusedWith(waiter)).toEqual(['probing', 1_000])
  })

  test('whose probe is answered opens this one', () => {
    const { gate, inside } = setUpShared()
    gate.park(5_000)
    inside.reopen()
    expect([takeAll(gate, 2).length, gate.snapshot().state]).toEqual([2, 'open'])
  })
})
