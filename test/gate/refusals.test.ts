import { describe, expect, test } from 'vitest'
import { exchange, follow, limitOf, refusal, setUpGate, windowMs } from '../support/set-up-gate.ts'

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

  test('of one that comes back counts those who came back before it, and none whom both pass', async () => {
    const { clock, gate } = setUpGate(limitOf(2))
    const [first, second] = [gate.tryAcquire()!, gate.tryAcquire()!]
    for (const permit of [first, second]) permit.settle()
    for (let caller = 0; caller < 5; caller++) follow(gate.acquire())
    const back = [first, second].map(({ arrival }) => follow(gate.acquire({ arrival, maxWaitMs: windowMs })))
    await clock.advance(windowMs)
    expect(back.map(({ permit }) => permit?.sentAt)).toEqual([windowMs, windowMs])
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
