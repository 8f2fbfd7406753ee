import { describe, expect, test } from 'vitest'
import type { Permit } from '../../src/gate/index.ts'
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

describe('how long weight is held', () => {
  const answered = (permit: Permit) => permit.settle()
  const ended = (permit: Permit) => permit.release()
  const nothing = () => {}
  test.each<{ transitMs: number; name: string; report: (permit: Permit) => void; afterMs: number; until: number }>([
    { transitMs: 1_000, name: 'answered sooner', report: answered, afterMs: 300, until: 60_300 },
    { transitMs: 1_000, name: 'answered later', report: answered, afterMs: 5_000, until: 61_000 },
    { transitMs: 1_000, name: 'ended without headers sooner', report: ended, afterMs: 300, until: 61_000 },
    { transitMs: 1_000, name: 'ended without headers later', report: ended, afterMs: 5_000, until: 61_000 },
    { transitMs: 1_000, name: 'never heard of', report: nothing, afterMs: 0, until: 61_000 },
    { transitMs: 0, name: 'answered later', report: answered, afterMs: 5_000, until: 60_000 },
    { transitMs: 0, name: 'never heard of', report: nothing, afterMs: 0, until: 60_000 },
    { transitMs: Infinity, name: 'answered', report: answered, afterMs: 5_000, until: 65_000 },
    { transitMs: Infinity, name: 'ended without headers', report: ended, afterMs: 5_000, until: 65_000 },
    { transitMs: Infinity, name: 'never heard of: taken back', report: nothing, afterMs: 0, until: 180_000 },
  ])('transitMs $transitMs, $name at $afterMs: until $until', async ({ transitMs, report, afterMs, until }) => {
    const { clock, gate } = setUpGate({ limits: { limit: 1, windowMs }, transitMs })
    const [permit] = takeAll(gate)
    const next = follow(gate.acquire())
    await clock.advance(afterMs)
    report(permit!)
    await clock.advance(until - 1 - afterMs)
    expect(next.state).toBe('waiting')
    await clock.advance(1)
    expect(next.permit?.sentAt).toBe(until)
  })
})

describe('settle', () => {
  test('counts the first time only', () => {
    const { gate } = setUpGate()
    const [permit] = takeAll(gate, 1)
    permit!.settle(answer())
    permit!.settle(throttle(5_000))
    expect(gate.snapshot()).toMatchObject({ state: 'open', inFlight: 0, held: 1 })
  })
})

describe('release', () => {
  test('frees one place, however often it is called', async () => {
    const { gate } = setUpGate({ concurrency: 1 })
    const [permit] = takeAll(gate)
    permit!.release()
    const [second] = takeAll(gate)
    permit!.release()
    permit![Symbol.dispose]()
    permit!.refund()
    expect([permit!.ended, second!.ended, gate.tryAcquire()]).toEqual([true, false, undefined])
    expect(gate.snapshot()).toMatchObject({ held: 1, inFlight: 1 })
  })

  test('disposing releases', () => {
    const { gate } = setUpGate({ concurrency: 1 })
    const [permit] = takeAll(gate)
    permit![Symbol.dispose]()
    expect([permit!.ended, takeAll(gate).length]).toEqual([true, 1])
  })
})

describe('correct', () => {
  test.each([
    { weight: 1, left: 4 },
    { weight: 5, left: 0 },
    { weight: 7, left: 0 },
    { weight: 0, left: 5 },
  ])('to $weight of 5 leaves $left, before it is counted and after', async ({ weight, left }) => {
    for (const passMs of [0, 1_000]) {
      const { clock, gate } = setUpGate({ limits: { limit: 5, windowMs } })
      const permit = gate.tryAcquire({ weight: 2 })!
      await clock.advance(passMs)
      permit.correct(weight)
      expect(takeAll(gate)).toHaveLength(left)
    }
  })

  test('by unit', () => {
    const limits = [
      { limit: 5, windowMs },
      { limit: 1_000, windowMs, unit: 'tokens' },
    ]
    const { gate } = setUpGate({ limits })
    gate.tryAcquire({ weight: { tokens: 900 } })!.correct({ tokens: 300 })
    expect(gate.snapshot().limits.map(({ held }) => held)).toEqual([1, 300])
  })

  test('by what an answer says it has cost, in those units alone', () => {
    const limits = [
      { limit: 5, windowMs },
      { limit: 1_000, windowMs, unit: 'tokens' },
    ]
    const { gate } = setUpGate({ limits })
    gate.tryAcquire({ weight: { requests: 2, tokens: 900 } })!.settle({ ...answer(), cost: { tokens: 300 } })
    expect(gate.snapshot().limits.map(({ held }) => held)).toEqual([2, 300])
  })

  test('is nothing to a limit that is known only since it was counted', async () => {
    const { clock, gate } = setUpGate()
    const [permit] = takeAll(gate, 1)
    await clock.advance(5_000)
    exchange(gate, answer({ limit: 5, remaining: 3, windowMs }))
    permit!.correct(4)
    expect(gate.snapshot().limits).toMatchObject([{ held: 1 }])
  })

  test('lets a waiter go that fits now', async () => {
    const { gate } = setUpGate({ limits: { limit: 5, windowMs } })
    const permit = gate.tryAcquire({ weight: 5 })!
    const waiter = follow(gate.acquire())
    permit.correct(4)
    await settled()
    expect(waiter.state).toBe('granted')
  })

  test('changes nothing once the permit has ended', () => {
    const { gate } = setUpGate({ limits: { limit: 5, windowMs } })
    const [permit] = takeAll(gate, 1)
    permit!.release()
    permit!.correct(5)
    expect(gate.snapshot().limits[0]!.held).toBe(1)
  })
})

describe('refund', () => {
  const options: Options = { limits: { limit: 1, windowMs }, concurrency: 1 }

  test('gives the weight and the place back, to a waiter first', async () => {
    const { gate } = setUpGate(options)
    const [permit] = takeAll(gate)
    const waiter = follow(gate.acquire())
    permit!.refund()
    await settled()
    expect([permit!.ended, waiter.permit?.sentAt, gate.snapshot().limits[0]!.held]).toEqual([true, 0, 1])
  })

  test('gives it back where it is known to be counted by now', async () => {
    const { clock, gate } = setUpGate(options)
    const [permit] = takeAll(gate)
    await clock.advance(5_000)
    permit!.refund()
    expect(takeAll(gate)).toHaveLength(1)
  })

  test('of an attempt that was answered gives back its place alone', () => {
    const { gate } = setUpGate(options)
    const [permit] = takeAll(gate)
    permit!.settle()
    permit!.refund()
    expect([permit!.ended, gate.explain().boundBy]).toEqual([true, 'limit'])
  })

  test('of a lone first attempt lets another go', () => {
    const { gate } = setUpGate({ coldStartMs: 1_000 })
    const [permit, ...more] = takeAll(gate)
    expect(more).toEqual([])
    permit!.refund()
    expect(takeAll(gate)).toHaveLength(1)
  })
})

describe('a permit held longer than maxHoldMs', () => {
  test.each([{ maxHoldMs: undefined }, { maxHoldMs: 500 }])('is taken back ($maxHoldMs)', async ({ maxHoldMs }) => {
    const { clock, gate } = setUpGate({ concurrency: 1, ...(maxHoldMs === undefined ? {} : { maxHoldMs }) })
    const [permit] = takeAll(gate)
    const waiter = follow(gate.acquire())
    await clock.advance((maxHoldMs ?? 120_000) - 1)
    expect([permit!.ended, waiter.state]).toEqual([false, 'waiting'])
    await clock.advance(1)
    expect([permit!.ended, waiter.state]).toEqual([true, 'granted'])
  })

  test('is taken back although its headers arrived', async () => {
    const { clock, gate } = setUpGate({ concurrency: 1 })
    const [permit] = takeAll(gate)
    permit!.settle()
    await clock.advance(120_000)
    expect(takeAll(gate)).toHaveLength(1)
  })

  test('changes nothing by a late report', async () => {
    const { clock, gate } = setUpGate({ limits: { limit: 5, windowMs: 600_000 }, concurrency: 1 })
    const [late] = takeAll(gate)
    await clock.advance(120_000)
    takeAll(gate)
    const before = gate.snapshot()
    late!.settle(throttle(5_000, { limit: 5, remaining: 0 }))
    late!.correct(5)
    late!.refund()
    late!.release()
    expect(gate.snapshot()).toEqual(before)
  })

  test('whose task waits for another permit of the same gate is set free', async () => {
    const { clock, gate } = setUpGate({ concurrency: 1 })
    const outer = gate.run(() => gate.run(({ sentAt }) => sentAt))
    expect(await clock.runUntil(outer)).toBe(120_000)
    expect(gate.snapshot()).toMatchObject({ held: 0, queued: 0 })
  })

  test.each([{ startsLater: false }, { startsLater: true }])(
    'is held for a window from then, whenever somebody looks (startsLater: $startsLater)',
    async ({ startsLater }) => {
      const { clock, gate } = setUpGate({ limits: { limit: 1, windowMs }, transitMs: Infinity })
      await gate.acquire({ startsLater })
      await clock.advance(179_999)
      expect(gate.tryAcquire()).toBeUndefined()
      await clock.advance(1)
      expect(takeAll(gate).map(({ sentAt }) => sentAt)).toEqual([180_000])
    },
  )

  test('is held from then, and what was counted after it from its own time, whenever somebody looks', async () => {
    const { clock, gate } = setUpGate({ limits: { limit: 2, windowMs }, maxHoldMs: 1_000 })
    await gate.acquire({ startsLater: true })
    await clock.advance(500)
    takeAll(gate)
    await clock.advance(60_499)
    expect(takeAll(gate)).toHaveLength(0)
    await clock.advance(1)
    expect(takeAll(gate)).toHaveLength(1)
  })

  test('each at its own time, oldest first', async () => {
    const { clock, gate } = setUpGate({ concurrency: 2, maxHoldMs: 100 })
    takeAll(gate, 1)
    await clock.advance(30)
    takeAll(gate, 1)
    const waiters = [follow(gate.acquire()), follow(gate.acquire())]
    await clock.advance(1_000)
    expect(waiters.map(({ permit }) => permit?.sentAt)).toEqual([100, 130])
  })
})

test('no permit holds up an exchange that was answered', () => {
  const { gate } = setUpGate({ concurrency: 1 })
  for (let calls = 0; calls < 5; calls++) exchange(gate)
  expect(gate.snapshot()).toMatchObject({ held: 0, inFlight: 0 })
})
