import { describe, expect, test } from 'vitest'
import { type Block, Gate, type Part, type Share, type SharedGate, type Weight } from '../../src/gate/index.ts'
import {
  answer,
  exchange,
  follow,
  limitOf,
  type Options,
  refusal,
  refusedWith,
  setUpGate,
  settled,
  takeAll,
  windowMs,
} from '../support/set-up-gate.ts'
import { setUpShared, type ToldShare } from '../support/set-up-share.ts'

/** What no instant is known for that would let it go: the engine has not said. */
const unasked: Block = { at: Infinity, cause: 'limit' }

/** Callers of these weights, of which the engine has granted nothing yet. */
async function queue({ gate, share }: ReturnType<typeof setUpShared>, ...weights: Weight[]) {
  share.held = unasked
  const callers = weights.map((weight) => follow(gate.acquire({ weight })))
  await settled()
  return callers
}

test('snapshot() says by whose word attempts go, and how many draw on the budget', () => {
  const { gate, share } = setUpShared()
  expect(gate.snapshot().shared).toEqual({ via: 'engine', processes: 3 })
  Object.assign(share, { via: 'share', processes: 2 })
  expect(gate.snapshot().shared).toEqual({ via: 'share', processes: 2 })
  expect(setUpGate().gate.snapshot()).not.toHaveProperty('shared')
})

describe('what a share holds', () => {
  test('comes on top of what the gate holds', () => {
    const { gate, share } = setUpShared(limitOf(1), { via: 'share' })
    share.held = { at: 5_000, cause: 'engine' }
    expect(gate.explain()).toMatchObject({ boundBy: 'engine' })
    share.held = undefined
    exchange(gate)
    share.held = { at: 90_000, cause: 'engine' }
    expect(gate.explain()).toMatchObject({ boundBy: 'limit' })
  })

  test('goes when it says so, and it is asked again', async () => {
    const { clock, gate, share } = setUpShared()
    share.held = { at: 5_000, cause: 'limit' }
    const waiter = follow(gate.acquire())
    await clock.advance(4_999)
    share.held = undefined
    expect(waiter.state).toBe('waiting')
    await clock.advance(1)
    expect(waiter.permit?.sentAt).toBe(5_000)
  })

  test('is not idle while a caller waits for it', async () => {
    const set = setUpShared()
    expect(set.gate.idle).toBe(true)
    await queue(set, 1)
    expect([set.gate.idle, set.inside.queued]).toEqual([false, 1])
  })

  test.each<{
    name: string
    options?: Options
    before?: (gate: Gate) => unknown
    as?: Partial<ToldShare>
    boundBy: string
  }>([
    { name: 'only the engine has to be asked: nothing', boundBy: 'nothing' },
    { name: 'the engine is away: what its share says', as: { via: 'share' }, boundBy: 'limit' },
    { name: 'the engine has said until when: that', as: { projectAt: (now) => now + 5_000 }, boundBy: 'limit' },
    {
      name: 'the gate has to wait for an answer: that',
      options: { concurrency: 1 },
      before: (gate) => takeAll(gate),
      boundBy: 'concurrency',
    },
  ])('explain() says, where $name', ({ options, before, as, boundBy }) => {
    const { gate, share } = setUpShared(options, as)
    before?.(gate)
    share.held = unasked
    expect(gate.explain().boundBy).toBe(boundBy)
  })

  test.each<{ name: string; held: Block; via?: Share['via']; refused: unknown }>([
    {
      name: 'is refused where it is too heavy for a process that is by itself',
      held: { at: Infinity, cause: 'engine' },
      refused: ['engine-lost', 0],
    },
    { name: 'waits where its part will be another one', held: { at: 5_000, cause: 'engine' }, refused: undefined },
    { name: 'waits for the engine to answer', held: unasked, refused: undefined },
    {
      name: 'waits where nobody may go: the engine may come back',
      held: { at: Infinity, cause: 'engine' },
      via: 'closed',
      refused: undefined,
    },
  ])('a caller $name', async ({ held, via = 'share', refused }) => {
    const { gate, share } = setUpShared({}, { via })
    share.held = held
    const caller = follow(gate.acquire())
    await settled()
    expect(refusedWith(caller)).toEqual(refused)
  })

  test('a caller leaves after maxWaitMs, but gives the engine time to answer', async () => {
    const set = setUpShared({}, { answersWithinMs: 2_000 })
    set.share.held = unasked
    const callers = [100, 3_000].map((maxWaitMs) => follow(set.gate.acquire({ maxWaitMs })))
    await set.clock.advance(1_999)
    expect(callers.map(({ state }) => state)).toEqual(['waiting', 'waiting'])
    await set.clock.advance(1)
    expect(callers.map(({ state }) => state)).toEqual(['refused', 'waiting'])
    await set.clock.advance(1_000)
    expect(refusedWith(callers[1]!)).toEqual(['wait-too-long', 0])
  })
})

describe('a gate that is closed while its engine is away', () => {
  test('is parked until nobody knows when, and says why it refuses', async () => {
    const { gate, share, inside } = setUpShared({}, { projectAt: (now) => now + 700 })
    expect(gate.snapshot().state).toBe('open')
    Object.assign(share, { via: 'closed', held: { at: Infinity, cause: 'engine' } })
    expect([gate.snapshot().state, inside.park.state]).toEqual(['parked', 'open'])
    expect(await refusal(gate, { whenParked: 'refuse' })).toEqual(['engine-lost', 700])
  })

  test('is not broken by an early probe', async () => {
    const { clock, gate, share } = setUpShared()
    gate.park(60_000)
    Object.assign(share, { via: 'closed', held: { at: Infinity, cause: 'engine' } })
    const caller = follow(gate.acquire({ allowance: { maxDurationMs: 1_000 } }))
    await clock.advance(1_000)
    expect(refusedWith(caller)).toEqual(['engine-lost', 59_000])
  })
})

describe('a share is told', () => {
  test('of each attempt that goes, but not of one that breaks a park', async () => {
    const { clock, gate, news } = setUpShared()
    exchange(gate)
    follow(gate.acquire({ weight: { tokens: 7 } }))
    expect(news()).toEqual([
      ['spend', 1, 0],
      ['spend', { tokens: 7 }, 0],
    ])
    gate.park(60_000)
    const early = follow(gate.acquire({ allowance: { maxDurationMs: 1_000 } }))
    await clock.advance(1_000)
    expect([early.state, news()]).toEqual(['granted', []])
  })

  test('when one that starts later does', async () => {
    const { clock, gate, news } = setUpShared()
    const permit = await gate.acquire({ weight: 2, startsLater: true })
    await clock.advance(300)
    permit.start()
    permit.start()
    expect(news()).toEqual([
      ['spend', 2, 0],
      ['started', 2, 0, 300],
    ])
  })

  test('that an answer has come, whether somebody waits or not', async () => {
    let looked = false
    const set = setUpShared({}, { look: () => (looked = true) })
    const [first, second] = takeAll(set.gate, 2)
    looked = false
    first!.settle(answer())
    expect(looked).toBe(true)
    await queue(set, 1)
    looked = false
    second!.settle(answer())
    expect(looked).toBe(true)
  })

  test('that the gate closes once nobody waits, and the gate is closed when the others know', async () => {
    let others: (() => void) | undefined
    const close = () => new Promise<void>((resolve) => (others = resolve))
    const set = setUpShared({}, { close })
    await queue(set, 1)
    let closed = false
    const closing = set.gate.close({ drainMs: 1_000 }).then(() => (closed = true))
    await set.clock.advance(999)
    expect(others).toBeUndefined()
    await set.clock.advance(1)
    expect(closed).toBe(false)
    others!()
    await closing
  })
})

describe('readings', () => {
  const seen = ({ gate }: ReturnType<typeof setUpShared>) =>
    gate.snapshot().limits.map(({ foreignUse }) => [foreignUse, gate.explain().boundBy])
  const configured = limitOf(10)
  const spent = answer({ limit: 10, remaining: 0, windowMs })

  test.each([
    { name: 'a configured limit', options: configured },
    { name: 'one that they state', options: {} },
  ])('of $name are judged by the engine, and by the gate while it is away', ({ options }) => {
    const set = setUpShared(options)
    exchange(set.gate, spent)
    expect(seen(set)).toEqual([[0, 'nothing']])
    set.inside.tell('share', 'connect ECONNREFUSED')
    expect(seen(set)).toEqual([[10, 'reading']])
    set.inside.tell('engine', 'answered')
    expect(seen(set)).toEqual([[0, 'nothing']])
    expect(set.news().slice(1)).toEqual([
      ['degraded', 'share', 'connect ECONNREFUSED'],
      ['degraded', 'engine', 'answered'],
    ])
  })

  test('are judged by the gate from the start where there is no engine to do it', () => {
    const set = setUpShared(configured, { via: 'share' })
    exchange(set.gate, spent)
    expect(seen(set)).toEqual([[10, 'reading']])
  })

  test('need nobody who is told by whose word attempts go', () => {
    for (const context of [{}, { observer: {} }]) {
      let inside: SharedGate | undefined
      const { share } = setUpShared()
      setUpGate({}, Gate, { ...context, openShare: (gate) => ((inside = gate), share) })
      inside!.tell('share', 'connect ECONNREFUSED')
    }
  })
})

test('limits are those whose number and window are known, with what was told of them', () => {
  const { gate, inside } = setUpShared(limitOf(10))
  expect(inside.limits).toMatchObject([{ unit: 'requests', configured: true, sharedLimit: 10, told: undefined }])
  exchange(
    gate,
    answer(
      { limit: 20, used: 3, windowMs },
      { limit: 5, remaining: 1, windowMs: 1_000, name: 'second' },
      { limit: 7, remaining: 6, name: 'of no known window', unit: 'tokens' },
    ),
  )
  expect(inside.limits).toMatchObject([
    { name: undefined, sharedLimit: 10, configured: true, told: { used: 3, stated: 20 } },
    { name: 'second', sharedLimit: 5, configured: false, told: { used: 4, stated: 5 } },
  ])
  expect(inside.limits).toHaveLength(2)
})

describe('those who wait for the engine', () => {
  const tokens = { limit: 100, windowMs, unit: 'tokens' }
  test.each<{
    name: string
    options?: Options
    before?: (gate: Gate) => unknown
    queued?: Weight[]
    most?: number
    waiting: Weight[]
  }>([
    { name: 'as many as the limit holds', options: limitOf(3), waiting: [1, 1, 1] },
    { name: 'fewer than that', options: limitOf(9), waiting: [1, 1, 1, 1, 1] },
    { name: 'fewer than that, where so many are asked for', options: limitOf(9), most: 2, waiting: [1, 1] },
    { name: 'all, where no limit is known', waiting: [1, 1, 1, 1, 1] },
    { name: 'beside what is held', options: limitOf(3), before: (gate) => exchange(gate), waiting: [1, 1] },
    { name: 'in order: those that fit beside each other', options: limitOf(3), queued: [2, 2, 1], waiting: [2] },
    { name: 'by unit', options: { limits: tokens }, queued: [{ tokens: 60 }, 40, 1], waiting: [{ tokens: 60 }, 40] },
    {
      name: 'as many as the tightest of its limits holds',
      options: {
        limits: [
          { limit: 4, windowMs },
          { limit: 2, windowMs: 1_000 },
          { limit: 3, windowMs: 2_000 },
        ],
      },
      waiting: [1, 1],
    },
    {
      name: 'as many as may be open beside those that are',
      options: { concurrency: 4 },
      before: (gate) => takeAll(gate, 1),
      waiting: [1, 1, 1],
    },
    { name: 'one, where they are spread evenly', options: { pace: 'even' }, waiting: [1] },
    { name: 'one, where the first goes alone', options: { coldStartMs: 1_000 }, waiting: [1] },
    {
      name: 'none, where the first is held by the gate',
      options: { ...limitOf(1) },
      before: (gate) => exchange(gate),
      waiting: [],
    },
  ])('are told of: $name', async ({ options, before, queued = [1, 1, 1, 1, 1], most = 10, waiting }) => {
    const set = setUpShared(options)
    before?.(set.gate)
    await queue(set, ...queued)
    expect(set.inside.waiting(most, 0)).toEqual(waiting)
  })

  test('are one after a park: it probes', async () => {
    const set = setUpShared()
    set.gate.park(1_000)
    await queue(set, 1, 1)
    expect(set.inside.waiting(10, 0)).toEqual([])
    await set.clock.advance(1_000)
    expect(set.inside.waiting(10, 1_000)).toEqual([1])
  })

  test('are one at least, though it is heavier than the part of its process', async () => {
    const set = setUpShared(limitOf(9))
    set.inside.bind(() => ({ units: 2, until: Infinity, heavyGoesAlone: true }))
    await queue(set, 5, 1)
    expect(set.inside.waiting(10, 0)).toEqual([5])
  })
})

describe('a gate that is bound to its part', () => {
  const part =
    (units: number, more: Partial<Part> = {}) =>
    (): Part => ({
      units,
      until: Infinity,
      heavyGoesAlone: false,
      ...more,
    })

  test('sends no more than that of each limit, until it is bound no longer', () => {
    const { gate, inside } = setUpShared(limitOf(9), { via: 'share' })
    inside.bind(part(2))
    expect([takeAll(gate).length, gate.explain()]).toMatchObject([2, { wouldWaitMs: windowMs, boundBy: 'limit' }])
    expect(gate.snapshot().limits).toMatchObject([{ limit: 2 }])
    inside.bind(undefined)
    expect(takeAll(gate)).toHaveLength(7)
  })

  test('stays bound when it is told by whose word attempts go', () => {
    const { gate, inside } = setUpShared(limitOf(9), { via: 'share' })
    inside.bind(part(2))
    inside.tell('share', 'the engine is away')
    expect(takeAll(gate)).toHaveLength(2)
  })

  test('of a limit that is stated later, too', () => {
    const { gate, inside } = setUpShared({}, { via: 'share' })
    inside.bind(part(2))
    exchange(gate, answer({ limit: 9, remaining: 8, windowMs }))
    expect(takeAll(gate)).toHaveLength(1)
  })

  test('looks again when the part becomes another one', async () => {
    const { clock, gate, inside } = setUpShared(limitOf(9), { via: 'share' })
    inside.bind((_, now) => ({
      units: now < 5_000 ? 1 : 3,
      until: now < 5_000 ? 5_000 : Infinity,
      heavyGoesAlone: false,
    }))
    takeAll(gate)
    const waiters = [1, 2, 3].map(() => follow(gate.acquire()))
    await clock.advance(4_999)
    expect(waiters.map(({ state }) => state)).toEqual(['waiting', 'waiting', 'waiting'])
    await clock.advance(1)
    expect(waiters.map(({ state }) => state)).toEqual(['granted', 'granted', 'waiting'])
  })

  test('says how long the whole limit will hold, where that is longer than its part does', () => {
    const { gate, inside } = setUpShared(limitOf(3), { via: 'share' })
    takeAll(gate)
    inside.bind(part(1, { until: 5_000 }))
    expect(gate.explain()).toMatchObject({ wouldWaitMs: windowMs })
  })

  test('says that the engine holds what is heavier than its part', () => {
    const { gate, inside } = setUpShared(limitOf(9), { via: 'share' })
    inside.bind(part(2, { until: 5_000 }))
    expect(gate.explain({ weight: 3 }).boundBy).toBe('engine')
  })

  test.each<{ name: string; units: number; more?: Partial<Part>; becomes: unknown }>([
    { name: 'as heavy as the part goes', units: 3, becomes: 'granted' },
    { name: 'heavier goes alone where it may', units: 2, more: { heavyGoesAlone: true }, becomes: 'granted' },
    { name: 'heavier waits for another part', units: 2, more: { until: 5_000 }, becomes: 'waiting' },
    { name: 'heavier is refused where there will be none', units: 2, becomes: ['engine-lost', windowMs] },
  ])('an attempt $name', async ({ units, more, becomes }) => {
    const { gate, inside } = setUpShared(limitOf(9), { via: 'share' })
    inside.bind(part(units, more))
    const caller = follow(gate.acquire({ weight: 3 }))
    await settled()
    expect(refusedWith(caller) ?? caller.state).toEqual(becomes)
  })
})

describe('a park that another process was told to make', () => {
  const park = { until: 5_000, hinted: true, ceilingMs: 60_000, broken: false }

  test('has the ceiling of the settings before there is any', () => {
    const { inside } = setUpShared({ cooldown: { baseMs: 7_000 } })
    expect(inside.park).toMatchObject({ state: 'open', until: -Infinity, ceilingMs: 7_000 })
  })

  test('shuts the gate until its end, then one attempt probes', async () => {
    const { clock, gate, inside } = setUpShared()
    inside.parkUntil(park)
    expect(gate.snapshot()).toMatchObject({ state: 'parked', parkedForMs: 5_000 })
    expect(inside.park).toMatchObject({ state: 'parked', ...park })
    await clock.advance(4_999)
    expect(takeAll(gate)).toHaveLength(0)
    await clock.advance(1)
    expect(takeAll(gate).map(({ isProbe }) => isProbe)).toEqual([true])
  })

  test('ends when the probe of another is answered', () => {
    const { gate, inside } = setUpShared()
    inside.parkUntil(park)
    inside.reopen()
    expect([gate.snapshot().state, takeAll(gate, 2).length]).toEqual(['open', 2])
  })
})
