import { describe, expect, test } from 'vitest'
import type { Gate } from '../../src/gate/index.ts'
import { answer, exchange, follow, setUpGate, settled, throttle } from '../support/set-up-gate.ts'

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

  test.each([
    { name: 'comes from the clock', random: () => 0.25, drawn: 0.25 },
    { name: 'is the middle where that draws nothing', random: undefined, drawn: 0.5 },
  ])('the draw of a park without a hint $name', async ({ random, drawn }) => {
    const { clock, gate } = setUpGate()
    Object.assign(clock, { random })
    exchange(gate, throttle())
    await clock.advance(60_000)
    exchange(gate, throttle())
    expect(gate.snapshot().parkedForMs).toBe(60_000 + drawn * 60_000)
  })
})

test('a reading of a window that is longer than is believed parks as one without', () => {
  const { gate } = setUpGate()
  const windowMs = 25 * 3_600_000
  exchange(gate, answer({ limit: 10, remaining: 5, windowMs }))
  exchange(gate, { ...answer({ limit: 10, remaining: 0, windowMs }), throttled: true })
  expect(gate.snapshot().parkedForMs).toBe(5_000)
})
