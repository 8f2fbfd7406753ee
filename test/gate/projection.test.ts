import { describe, expect, test } from 'vitest'
import type { Gate } from '../../src/gate/index.ts'
import type { VirtualClock } from '../../src/testing/index.ts'
import {
  answer,
  exchange,
  follow,
  limitOf,
  type Options,
  refusal,
  setUpGate,
  settled,
  takeAll,
  throttle,
  windowMs,
} from '../support/set-up-gate.ts'

const hourMs = 3_600_000

interface Case {
  name: string
  options?: Options
  before: (gate: Gate, clock: VirtualClock) => unknown
  wouldWaitMs: number
  boundBy: string
}

const cases: Case[] = [
  {
    name: 'a park on a hint, whatever its reading says is left',
    options: limitOf(600),
    before: (gate) => exchange(gate, throttle(5_000, { limit: 600, remaining: 0 })),
    wouldWaitMs: 5_000,
    boundBy: 'park',
  },
  {
    name: 'a park on a hint that came with a long spent window',
    before: (gate) => exchange(gate, throttle(windowMs, { limit: 100, remaining: 0, windowMs: 6 * hourMs })),
    wouldWaitMs: windowMs,
    boundBy: 'park',
  },
  {
    name: 'a park on a hint that came with a long reset',
    before: (gate) => exchange(gate, throttle(windowMs, { limit: 5_000, remaining: 0, resetInMs: hourMs })),
    wouldWaitMs: windowMs,
    boundBy: 'park',
  },
  {
    name: 'a park on a reading, and what the reading leaves after it',
    options: limitOf(600),
    before: (gate) => exchange(gate, throttle(undefined, { limit: 600, remaining: 0 })),
    wouldWaitMs: windowMs,
    boundBy: 'reading',
  },
  {
    name: 'foreign use until it ages',
    options: limitOf(10),
    before: async (gate, clock) => {
      exchange(gate, answer({ limit: 10, remaining: 0 }))
      await clock.advance(55_000)
    },
    wouldWaitMs: 5_000,
    boundBy: 'reading',
  },
  {
    name: 'own weight, no matter how much others have spent beside it,',
    options: limitOf(1),
    before: async (gate, clock) => {
      const permit = gate.tryAcquire()!
      permit.settle(answer({ limit: 1, remaining: -5 }))
      permit.release()
      await clock.advance(1_000)
    },
    wouldWaitMs: 59_000,
    boundBy: 'limit',
  },
  {
    name: 'a fixed window until it reopens',
    options: { limits: { limit: 10, windowMs, kind: 'fixed' } },
    before: async (gate, clock) => {
      await clock.advance(50_000)
      for (let sent = 1; sent <= 10; sent++)
        exchange(gate, answer({ limit: 10, remaining: 10 - sent, resetInMs: 5_000 }))
      await clock.advance(1)
    },
    wouldWaitMs: 4_999,
    boundBy: 'limit',
  },
  {
    name: 'a fixed window that all sent may be counted after',
    options: { limits: { limit: 10, windowMs, kind: 'fixed' } },
    before: (gate) => {
      for (let sent = 1; sent <= 10; sent++) exchange(gate, answer({ limit: 10, remaining: 10 - sent, resetInMs: 500 }))
    },
    wouldWaitMs: windowMs,
    boundBy: 'limit',
  },
  {
    name: 'a fixed window of which all in flight will be counted before it reopens',
    options: { limits: { limit: 10, windowMs, kind: 'fixed' }, transitMs: Infinity },
    before: (gate, clock) => {
      gate.tryAcquire({ weight: 0 })!.settle(answer({ limit: 10, remaining: 10, resetInMs: 30_000 }))
      const permits = takeAll(gate)
      clock.setTimer(() => permits.forEach((permit) => permit.settle()), 1, { keepAlive: false })
    },
    wouldWaitMs: 30_000,
    boundBy: 'limit',
  },
  {
    name: 'a reading of the fixed window after the next',
    options: { limits: { limit: 10, windowMs, kind: 'fixed' } },
    before: async (gate, clock) => {
      exchange(gate, answer({ limit: 10, remaining: 9, resetInMs: 1_000 }))
      await clock.advance(900)
      exchange(gate, answer({ limit: 10, remaining: 0, resetInMs: windowMs }))
    },
    wouldWaitMs: windowMs,
    boundBy: 'reading',
  },
  {
    name: 'a learned limit until one goes alone',
    before: (gate) => exchange(gate, answer({ remaining: 0, resetInMs: 10_000 })),
    wouldWaitMs: 11_000,
    boundBy: 'reading',
  },
]

describe('with nobody ahead', () => {
  test.each(cases)('explain tells how long $name holds a caller', async ({ options, before, wouldWaitMs, boundBy }) => {
    const { clock, gate } = setUpGate(options)
    await before(gate, clock)
    expect(gate.explain()).toEqual({ wouldWaitMs, boundBy, queued: 0 })
    expect(await refusal(gate, { maxWaitMs: wouldWaitMs - 1 })).toEqual(['wait-too-long', wouldWaitMs])
    const comesAt = clock.now()
    const caller = follow(gate.acquire({ maxWaitMs: wouldWaitMs }))
    await clock.advance(wouldWaitMs - 1)
    expect(caller.state).toBe('waiting')
    await clock.advance(1)
    expect(caller.permit?.sentAt).toBe(comesAt + wouldWaitMs)
  })

  test('a weight that can never go is told to wait for ever, by the limit', () => {
    const { gate } = setUpGate(limitOf(10))
    exchange(gate, throttle())
    expect(gate.explain({ weight: 11 })).toEqual({ wouldWaitMs: Infinity, boundBy: 'limit', queued: 0 })
  })
})

test('behind others, sends are spread over the window by what they spend of it', () => {
  const { gate } = setUpGate({ ...limitOf(60), pace: 'even' })
  exchange(gate)
  follow(gate.acquire({ weight: 2 }))
  follow(gate.acquire({ weight: { requests: 3, tokens: 500 } }))
  expect(gate.explain()).toEqual({ wouldWaitMs: 980 + 5_000, boundBy: 'pace', queued: 2 })
})

test('behind others, a fixed window takes another of its length for each limit of them', () => {
  const { gate } = setUpGate({ limits: { limit: 3, windowMs, kind: 'fixed' }, transitMs: 0 })
  exchange(gate, answer({ limit: 3, remaining: 2, resetInMs: 10_000 }))
  takeAll(gate)
  for (let queued = 0; queued < 5; queued++) follow(gate.acquire())
  expect(gate.explain().wouldWaitMs).toBe(10_000 + windowMs)
})

test('behind another, foreign use holds a caller no longer than it lasts', async () => {
  const { clock, gate } = setUpGate(limitOf(10))
  exchange(gate, answer({ limit: 10, remaining: 0 }))
  await clock.advance(55_000)
  follow(gate.acquire())
  expect(gate.explain()).toEqual({ wouldWaitMs: 5_000, boundBy: 'reading', queued: 1 })
  const second = follow(gate.acquire({ maxWaitMs: 5_000 }))
  await clock.advance(5_000)
  expect(second.permit?.sentAt).toBe(windowMs)
})

describe('behind a timer that is due and has not fired', () => {
  /** At 1 000 room is back, and nothing has told the gate. */
  async function overdue(weight: number) {
    const { clock, gate } = setUpGate({ limits: { limit: 2, windowMs: 1_000 }, transitMs: 0 })
    exchange(gate)
    exchange(gate)
    const first = follow(gate.acquire({ weight }))
    await settled()
    clock.now = () => 1_000
    return { gate, first }
  }

  test.each([
    { weight: 1, late: 'granted' },
    { weight: 2, late: 'waiting' },
  ])('a caller comes after the one of weight $weight that may go: $late', async ({ weight, late }) => {
    const { gate, first } = await overdue(weight)
    const second = follow(gate.acquire())
    await settled()
    expect([first.state, second.state, second.error]).toEqual(['granted', late, undefined])
  })

  test('who only asks is told what is left behind it', async () => {
    expect((await overdue(1)).gate.explain()).toEqual({ wouldWaitMs: 0, boundBy: 'nothing', queued: 0 })
    expect((await overdue(1)).gate.tryAcquire()?.sentAt).toBe(1_000)
  })

  test('a caller comes after one that may go since the head has given up', async () => {
    const { clock, gate } = setUpGate(limitOf(2))
    exchange(gate)
    const head = follow(gate.acquire({ weight: 2, allowance: { maxDurationMs: 1_000, startedAt: 0 } }))
    const next = follow(gate.acquire())
    await settled()
    clock.now = () => 1_000
    const last = follow(gate.acquire())
    await settled()
    expect([head.state, next.state, last.state, last.error]).toEqual(['refused', 'granted', 'waiting', undefined])
  })
})
