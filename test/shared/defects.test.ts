import { describe, expect, test } from 'vitest'
import { createHeadgate } from '../../src/index.ts'
import { memoryEngine, sharedBudget } from '../../src/shared/index.ts'
import { createUpstream, VirtualClock } from '../../src/testing/index.ts'
import { setUpFleet } from './fleet.ts'

const REFUSED = new Error('connect ECONNREFUSED')

describe('a caller of a shared budget', () => {
  test('that would not wait still gets what the engine has room for', async () => {
    const { clock, first } = setUpFleet()
    first.burst(5, { maxWaitMs: 0 })
    await clock.advance(100)
    expect([first.sent.length, first.refused]).toEqual([5, []])
  })

  test('that would not wait is refused once the engine has had time to answer', async () => {
    const { clock, first } = setUpFleet()
    first.burst(15, { maxWaitMs: 0 })
    await clock.advance(300)
    expect([first.sent.length, first.refused.length]).toEqual([10, 5])
  })

  test('is told that nothing holds it while the engine has refused nothing', async () => {
    const { clock, first } = setUpFleet()
    expect(first.gate.explain()).toEqual({ wouldWaitMs: 0, boundBy: 'nothing', queued: 0 })
    first.burst(12)
    await clock.advance(20)
    expect(first.gate.explain()).toMatchObject({ boundBy: 'limit', queued: 2 })
  })

  test('heavier than what its process may send by itself is refused, and those behind it go', async () => {
    const { clock, first, second } = setUpFleet()
    first.burst(5)
    second.burst(1)
    await clock.advance(2_000)
    first.wire.fault = REFUSED
    void first.send({ weight: 8 })
    void first.send({ weight: 2 })
    await clock.advance(4_000)
    expect([first.refused, first.sent.length]).toEqual([['engine-lost'], 6])
  })

  test('has its part as soon as that grows, however seldom the engine is asked', async () => {
    const { clock, first, second } = setUpFleet()
    second.burst(1)
    first.burst(1)
    await clock.advance(500)
    first.wire.fault = new Error('NOPERM this user has no permissions')
    first.burst(8)
    await clock.advance(3_000)
    expect(first.sent.length).toBeGreaterThanOrEqual(1 + 5)
  })

  test('waits behind a closed gate where its process has no part at all', async () => {
    const { clock, first, second } = setUpFleet({ gate: { limits: { limit: 1, windowMs: 1_000 } } })
    first.burst(1)
    second.burst(1)
    await clock.advance(3_000)
    first.wire.fault = REFUSED
    first.burst(1, { whenParked: 'refuse' })
    await clock.advance(10)
    first.burst(1, { whenParked: 'refuse' })
    await clock.advance(10)
    expect([first.gate.snapshot().shared?.via, first.refused]).toEqual(['closed', ['engine-lost', 'engine-lost']])
  })
})

describe('grants are asked for only as they can be used', () => {
  test('at an even pace', async () => {
    const { clock, first } = setUpFleet({
      processes: 1,
      gate: { limits: { limit: 100, windowMs: 1_000 }, pace: 'even' },
    })
    first.burst(1_000)
    await clock.advance(5_000)
    expect(first.sent.length).toBeGreaterThan(400)
  })

  test('at a cold start', async () => {
    const { clock, first } = setUpFleet({ gate: { coldStartMs: 1_000 } })
    for (let count = 0; count < 10; count++) void first.send({}, 200)
    await clock.advance(1_000)
    expect(first.sent).toHaveLength(10)
  })
})

describe('a process', () => {
  test('that connects with its first call is not taken for one that was away', async () => {
    const { clock, first } = setUpFleet()
    const call = first.wire.call.bind(first.wire)
    first.wire.call = (gate, asked) => {
      first.wire.connections = 1
      return call(gate, asked)
    }
    first.burst(3)
    await clock.advance(600)
    expect(first.wire.calls.map(({ call: { away } }) => away)).not.toContain(true)
  })

  test('that comes back from being idle over another connection is not taken for one that was away', async () => {
    const { clock, first } = setUpFleet()
    first.burst(1)
    await clock.advance(30_000)
    first.wire.connections += 1
    first.burst(1)
    await clock.advance(1_000)
    expect(first.wire.calls.at(-1)!.call.away).toBe(false)
  })

  test('has left when close() resolves', async () => {
    const { clock, first } = setUpFleet()
    first.burst(1)
    await clock.advance(100)
    await clock.runUntil(first.gate.close())
    expect(first.wire.calls.at(-1)!.call.leaves).toBe(true)
    await clock.runUntil(first.gate.close())
    expect(first.wire.calls.filter(({ call }) => call.leaves)).toHaveLength(1)
  })

  test('tells a reading again that the engine never heard of', async () => {
    const { clock, first } = setUpFleet({ gate: { limits: { limit: 10, windowMs: 10_000 } } })
    first.burst(1)
    await clock.advance(100)
    const permit = await clock.runUntil(first.gate.acquire())
    first.wire.loses = 'calls'
    permit.settle({ limits: [{ limit: 10, remaining: 1 }], throttled: false, scope: 'partition' })
    await clock.advance(600)
    first.wire.loses = 'nothing'
    await clock.advance(1_000)
    const told = first.wire.calls.filter(({ call }) => call.readings.length > 0)
    expect(told.length).toBeGreaterThan(1)
  })

  test('goes on where an engine of its own throws at once, or answers nothing', async () => {
    const { clock, first } = setUpFleet({ shared: { assumeProcesses: 1 } })
    first.wire.call = () => {
      throw new Error('no engine')
    }
    first.burst(1)
    await clock.advance(10)
    expect(first.sent).toHaveLength(1)
    first.wire.call = async () => undefined as never
    await clock.advance(1_000)
    expect(first.gate.snapshot().shared?.via).toBe('share')
  })
})

test('options that are given as undefined are the defaults', () => {
  const { first, clock } = setUpFleet({ shared: { deadlineMs: undefined as never, transitMs: undefined as never } })
  first.burst(1)
  return clock.advance(100).then(() => expect(first.sent).toHaveLength(1))
})

test('two limits that are alike in all but their number are both kept', async () => {
  const limits = [
    { limit: 10, windowMs: 1_000 },
    { limit: 4, windowMs: 1_000 },
  ]
  const { clock, first, second } = setUpFleet({ gate: { limits } })
  first.burst(10)
  second.burst(10)
  await clock.advance(900)
  expect(first.sent.length + second.sent.length).toBe(4)
})

test('an engine that is away parks no authority', async () => {
  const clock = new VirtualClock()
  const engine = memoryEngine({ clock })
  const upstream = createUpstream({
    clock,
    latency: { upMs: 100, downMs: 100 },
    faults: [{ first: 1, status: 429, headers: { 'x-ratelimit-global': 'true' } }],
  })
  const headgate = createHeadgate({
    clock,
    fetch: upstream.fetch,
    upstreams: { 'a.test': { limits: { limit: 10, windowMs: 1_000 }, retry: false } },
    shared: sharedBudget({ engine, name: 'account', onEngineLoss: 'closed' }),
  })
  const call = headgate.fetch('https://a.test/')
  await clock.advance(50)
  engine.down = true
  await clock.advance(600)
  await clock.runUntil(call)
  const { parkedForMs } = headgate.snapshot().gates[0]!
  expect(parkedForMs).toBeLessThan(Infinity)
})

test('a weight above the part of a learned limit goes alone', async () => {
  const clock = new VirtualClock()
  const upstream = createUpstream({ clock, limits: { limit: 10, windowMs: 60_000 }, headers: 'ietf-06' })
  const headgate = createHeadgate({ clock, fetch: upstream.fetch, upstreams: { 'a.test': {} }, processes: 6 })
  await clock.runUntil(headgate.fetch('https://a.test/'))
  const heavy = headgate.fetch('https://a.test/', { headgate: { weight: 2 } })
  await clock.advance(130_000)
  expect((await heavy).status).toBe(200)
  expect(headgate.snapshot().gates[0]!.limits).toMatchObject([{ limit: 1 }])
})
