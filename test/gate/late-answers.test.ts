import { describe, expect, test } from 'vitest'
import { answer, exchange, follow, setUpGate, settled, takeAll, throttle, windowMs } from '../support/set-up-gate.ts'

const hourMs = 3_600_000

describe('a refusal that comes late, of an attempt sent before the gate reopened', () => {
  /** Two are sent, one is throttled, the probe reopens the gate with what it says is left. */
  async function reopened(left: Parameters<typeof answer>[0]) {
    const { clock, gate } = setUpGate()
    const [first, late] = takeAll(gate, 2)
    await clock.advance(100)
    first!.settle(throttle(1_000))
    first!.release()
    await clock.advance(1_000)
    const probe = gate.tryAcquire()!
    await clock.advance(100)
    probe.settle(answer(left))
    probe.release()
    await clock.advance(1_000)
    return { gate, late: late! }
  }

  const left = { limit: 5_000, remaining: 4_000, resetInMs: hourMs }

  test.each([
    { name: 'tells that nothing is left', observation: throttle(undefined, { ...left, remaining: 0 }) },
    { name: 'tells nothing', observation: throttle() },
  ])('and $name changes neither the reading nor foreign use', async ({ observation }) => {
    const { gate, late } = await reopened(left)
    const [before] = gate.snapshot().limits
    expect(before).toMatchObject({ limit: 5_000, foreignUse: 1_000, readingAgeMs: 1_000 })
    late.settle(observation)
    expect(gate.snapshot()).toMatchObject({ state: 'open', limits: [before] })
    expect(takeAll(gate)).toHaveLength(4_000)
  })

  test('with a hint parks all the same', async () => {
    const { gate, late } = await reopened(left)
    late.settle(throttle(7_000))
    expect(gate.snapshot()).toMatchObject({ state: 'parked', parkedForMs: 7_000 })
  })

  test('does not bring a ramp: what the probe left goes at once', async () => {
    const { gate, late } = await reopened(left)
    late.settle(throttle())
    exchange(gate)
    expect(takeAll(gate, 10)).toHaveLength(10)
  })

  test('of one that was sent since the reopening it overrules what later attempts were told', async () => {
    const { gate } = await reopened(left)
    const [older, newer] = takeAll(gate, 2)
    newer!.settle(answer({ ...left, remaining: 3_990 }))
    older!.settle(throttle(undefined, { ...left, remaining: 0 }))
    expect([gate.snapshot().state, gate.explain().boundBy]).toEqual(['parked', 'reading'])
  })
})

test('callers who do not wait behind a park leave as it begins, with what is left of it', async () => {
  const { clock, gate } = setUpGate({ concurrency: 1 })
  const [held] = takeAll(gate)
  const refusing = [1, 2].map(() => follow(gate.acquire({ whenParked: 'refuse' })))
  const waiting = follow(gate.acquire())
  await clock.advance(100)
  held!.settle(throttle(9_000))
  await settled()
  expect(refusing.map(({ error }) => error)).toMatchObject([
    { reason: 'parked', retryAfterMs: 9_000 },
    { reason: 'parked', retryAfterMs: 9_000 },
  ])
  expect([waiting.state, gate.snapshot().queued]).toEqual(['waiting', 1])
})

describe('a reading that leaves nothing and is never repeated', () => {
  /** How long it takes to send 60 one after another, none of which is told anything. */
  async function sixty(first: Parameters<typeof exchange>[1]): Promise<number> {
    const { clock, gate } = setUpGate()
    exchange(gate, first)
    for (let sent = 0; sent < 60; sent++) {
      const permit = await clock.runUntil(gate.acquire())
      await clock.advance(50)
      permit.settle(answer())
      permit.release()
    }
    return clock.now() - 60 * 50
  }

  test.each([
    { name: 'the lone attempt', told: answer({ remaining: 0, resetInMs: 10_000 }), heldMs: 11_000 },
    { name: 'the lone attempt, a minute on', told: answer({ limit: 100, remaining: 0 }), heldMs: windowMs },
    { name: 'the probe', told: throttle(10_000, { limit: 100, remaining: 0 }), heldMs: 10_000 },
    { name: 'the probe after a reset', told: throttle(undefined, { remaining: 0, resetInMs: 3_000 }), heldMs: 5_000 },
  ])('is over with the answer to $name', async ({ told, heldMs }) => {
    expect(await sixty(told)).toBe(heldMs)
  })

  test('is not over with the answer to another', async () => {
    const { clock, gate } = setUpGate()
    const [early, first] = takeAll(gate, 2)
    first!.settle(answer({ remaining: 0, resetInMs: 10_000 }))
    await clock.advance(100)
    early!.settle(answer())
    expect(gate.explain()).toMatchObject({ boundBy: 'reading', wouldWaitMs: 10_900 })
  })

  test.each<{ name: string; told: Parameters<typeof exchange>[1] }>([
    { name: 'says nothing of this client', told: { ...answer(), tellsNothing: true } },
    {
      name: 'refuses it for another limit',
      told: throttle(undefined, { name: 'b', unit: 'tokens', limit: 10, remaining: 0.5 }),
    },
  ])('is not over with an answer that $name', async ({ told }) => {
    const { clock, gate } = setUpGate()
    exchange(gate, answer({ name: 'a', remaining: 0, resetInMs: 10_000 }))
    await clock.advance(11_000)
    exchange(gate, told)
    await clock.advance(10_000)
    expect(gate.explain({ weight: { tokens: 0 } })).toMatchObject({ boundBy: 'reading', wouldWaitMs: 50_000 })
  })

  test('lets one go alone, and the next a minute after it where that brings no answer', async () => {
    const { clock, gate } = setUpGate()
    const [early] = takeAll(gate, 1)
    exchange(gate, answer({ remaining: 0, resetInMs: 10_000 }))
    await clock.advance(11_000)
    expect(takeAll(gate)).toHaveLength(0)
    early!.release()
    const [alone, ...more] = takeAll(gate)
    alone!.release()
    await clock.advance(59_999)
    expect([more, takeAll(gate)]).toEqual([[], []])
    await clock.advance(1)
    expect(takeAll(gate)).toHaveLength(1)
  })

  test.each([hourMs * 24 + 1, 315_360_000_000, 99_999_999_000])(
    'of a stated window of %d ms holds for a minute',
    async (longMs) => {
      const { clock, gate } = setUpGate()
      exchange(gate, answer({ limit: 5, remaining: 0, windowMs: longMs }))
      expect(gate.explain()).toMatchObject({ boundBy: 'reading', wouldWaitMs: windowMs })
      expect((await clock.runUntil(gate.acquire())).sentAt).toBe(windowMs)
    },
  )

  test('of a stated window of a day holds for a day', () => {
    const { gate } = setUpGate()
    exchange(gate, answer({ limit: 5, remaining: 0, windowMs: hourMs * 24 }))
    expect(gate.explain()).toMatchObject({ boundBy: 'reading', wouldWaitMs: hourMs * 24 })
  })
})

test('a late answer of the old fixed window does not set foreign use in the new one', async () => {
  const { clock, gate } = setUpGate({ limits: { limit: 100, windowMs, kind: 'fixed' } })
  await clock.advance(50_000)
  exchange(gate, answer({ limit: 100, remaining: 10, resetInMs: 10_000 }))
  await clock.advance(9_000)
  const slow = gate.tryAcquire()!
  expect(gate.snapshot().limits[0]).toMatchObject({ held: 2, foreignUse: 89 })
  await clock.advance(5_000)
  expect(gate.snapshot().limits[0]).toMatchObject({ held: 1, foreignUse: 0 })
  slow.settle(answer({ limit: 100, remaining: 9, resetInMs: 1_000 }))
  expect(gate.snapshot().limits[0]).toMatchObject({ held: 1, foreignUse: 0 })
  expect(gate.explain({ weight: 99 }).boundBy).toBe('nothing')
})
