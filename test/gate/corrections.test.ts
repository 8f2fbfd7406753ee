import { describe, expect, test } from 'vitest'
import type { Gate, Permit, Reading } from '../../src/gate/index.ts'
import type { VirtualClock } from '../../src/testing/index.ts'
import { answer, exchange, limitOf, type Options, setUpGate, takeAll, windowMs } from '../support/set-up-gate.ts'

const hourMs = 3_600_000
const tenRolling: Options = { limits: { limit: 10, windowMs } }
const tenFixed: Options = { limits: { limit: 10, windowMs, kind: 'fixed' } }

/** Sends one, and answers it 100 ms later. */
async function ask(gate: Gate, clock: VirtualClock, reading: Reading, weight = 1): Promise<Permit> {
  const permit = gate.tryAcquire({ weight })!
  await clock.advance(100)
  permit.settle(answer(reading))
  return permit
}

/** How many may still go after a reading that leaves 5 of 100; 20 that were counted before it weigh less in the end. */
async function roomAfter(options: Options, reset: Reading, correct: (permit: Permit) => void, before: boolean) {
  const { clock, gate } = setUpGate(options)
  exchange(gate, answer({ limit: 100, remaining: 99, ...reset }))
  const hanging = Array.from({ length: 20 }, () => gate.tryAcquire()!)
  await clock.advance(2_000)
  const asking = ask(gate, clock, { limit: 100, remaining: 5, ...reset })
  if (before) hanging.forEach(correct)
  await asking
  await clock.advance(100)
  if (!before) hanging.forEach(correct)
  return takeAll(gate).length
}

describe('weight that was taken for counted and never was', () => {
  const rolling: Options = { limits: { limit: 100, windowMs } }
  const fixed: Options = { limits: { limit: 100, windowMs, kind: 'fixed' } }

  test.each<{ name: string; options: Options; reset: Reading; room: number }>([
    { name: 'a learned limit', options: {}, reset: { resetInMs: hourMs }, room: 5 },
    { name: 'a learned limit without a window', options: {}, reset: {}, room: 5 },
    { name: 'others in a stated window', options: {}, reset: { windowMs: hourMs }, room: 4 },
    { name: 'others in a rolling window', options: rolling, reset: {}, room: 4 },
    { name: 'others in a fixed window', options: fixed, reset: { resetInMs: 30_000, resetStepMs: 1_000 }, room: 5 },
  ])('is not given back against $name', async ({ options, reset, room }) => {
    const nothing = (): void => {}
    const refund = (permit: Permit): void => permit.refund()
    const correct = (permit: Permit): void => permit.correct(0.25)
    expect(await roomAfter(options, reset, nothing, false)).toBe(room)
    for (const before of [true, false]) {
      expect([before, await roomAfter(options, reset, refund, before)]).toEqual([before, room])
      expect([before, await roomAfter(options, reset, correct, before)]).toEqual([before, room])
    }
  })

  test.each([
    { name: 'a fixed window is found to be of others', options: tenFixed, before: 5, after: 6.5, room: 3 },
    { name: 'a rolling one was taken for that of others', options: tenRolling, before: 7, after: 7, room: 2 },
  ])('and brought the reading of $name', async ({ options, before, after, room }) => {
    const { clock, gate } = setUpGate(options)
    const asked = await ask(gate, clock, { limit: 10, remaining: 3 }, 2)
    expect(gate.snapshot().limits[0]).toMatchObject({ held: 2, foreignUse: before })
    asked.correct(0.5)
    expect(gate.snapshot().limits[0]).toMatchObject({ held: 0.5, foreignUse: after })
    expect(takeAll(gate)).toHaveLength(room)
  })

  test('and brought the reading of a learned limit is not sent again', async () => {
    const { clock, gate } = setUpGate()
    const asked = await ask(gate, clock, { remaining: 3 }, 2)
    asked.correct(0)
    expect(takeAll(gate)).toHaveLength(3)
  })

  test('but turns out to be less as its answer comes is of nobody', async () => {
    const { clock, gate } = setUpGate({ ...tenFixed, transitMs: 50 })
    const asked = gate.tryAcquire({ weight: 4 })!
    await clock.advance(100)
    asked.settle({ ...answer({ limit: 10, remaining: 3 }), cost: { requests: 1 } })
    expect(gate.snapshot().limits[0]).toMatchObject({ held: 1, foreignUse: 6 })
  })

  test('and started later than it was let through is none in the readings that follow', async () => {
    const { clock, gate } = setUpGate(tenRolling)
    takeAll(gate, 3).forEach((permit) => permit.settle())
    await clock.advance(30_000)
    const late = await gate.acquire({ weight: 4, startsLater: true })
    await clock.advance(500)
    late.start()
    late.settle()
    late.correct(0)
    await clock.advance(30_500)
    await ask(gate, clock, { limit: 10, remaining: 4 })
    expect(gate.snapshot().limits[0]).toMatchObject({ held: 1, foreignUse: 6 })
  })

  test('in flight at the reading is found to be of others', async () => {
    const { clock, gate } = setUpGate({ limits: { limit: 100, windowMs }, transitMs: Infinity })
    const hanging = Array.from({ length: 20 }, () => gate.tryAcquire()!)
    await ask(gate, clock, { limit: 100, remaining: 79 })
    await clock.advance(100)
    expect(takeAll(gate, 1)).toHaveLength(1)
    for (const permit of hanging) permit.refund()
    expect(gate.snapshot().limits[0]).toMatchObject({ held: 2, foreignUse: 21 })
  })

  test('that was sent after the reading is given back', async () => {
    const { clock, gate } = setUpGate(limitOf(10))
    await ask(gate, clock, { limit: 10, remaining: 5 })
    await clock.advance(100)
    const sent = takeAll(gate)
    for (const permit of sent) permit.refund()
    expect([sent.length, takeAll(gate).length]).toEqual([4, 4])
  })

  test('and has left the window since stays as it was', async () => {
    const { clock, gate } = setUpGate({ transitMs: 0 })
    exchange(gate, answer({ limit: 10, remaining: 10, resetInMs: 1_000 }))
    const old = Array.from({ length: 3 }, () => gate.tryAcquire()!)
    await clock.advance(1_500)
    await ask(gate, clock, { limit: 10, remaining: 6, resetInMs: 1_000 })
    const others = 3
    for (const permit of old) permit.correct(9)
    expect(takeAll(gate)).toHaveLength(10 - 1 - others)
  })
})

describe('weight that was more than it was taken for', () => {
  test('may have been spent after the reading that it brought', async () => {
    const gates = [{}, tenFixed, tenRolling].map((options) => setUpGate(options))
    for (const { clock, gate } of gates) (await ask(gate, clock, { limit: 10, remaining: 5 })).correct(3)
    expect(gates.map(({ gate }) => takeAll(gate).length)).toEqual([3, 3, 2])
  })

  test('is not taken for that of others', async () => {
    const { clock, gate } = setUpGate({ limits: { limit: 100, windowMs } })
    exchange(gate, answer({ limit: 100, remaining: 79 }))
    const [early] = takeAll(gate, 1)
    await clock.advance(2_000)
    await ask(gate, clock, { limit: 100, remaining: 58 })
    await clock.advance(100)
    const before = gate.snapshot().limits[0]!
    early!.correct(11)
    const after = gate.snapshot().limits[0]!
    expect([before.held + before.foreignUse, after.held + after.foreignUse]).toEqual([43, 43])
    expect([before.held, after.held]).toEqual([3, 13])
  })
})
