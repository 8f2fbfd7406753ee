import { describe, expect, test } from 'vitest'
import { type Clock, Gate } from '../../src/gate/index.ts'
import { VirtualClock } from '../../src/testing/index.ts'
import { exchange, follow, setUpGate, takeAll } from '../support/set-up-gate.ts'

const dayMs = 86_400_000

/** A clock whose timers fire this much too early. */
function earlyBy(clock: VirtualClock, ms: number): Clock {
  return {
    now: () => clock.now(),
    wallNow: () => clock.wallNow(),
    setTimer: (fire, delayMs, options) => clock.setTimer(fire, delayMs > ms ? delayMs - ms : delayMs, options),
    clearTimer: (timer) => clock.clearTimer(timer),
  }
}

describe('the timer of a gate', () => {
  test('is one, however many wait, and keeps the process alive', async () => {
    const { clock, gate } = setUpGate({ limits: { limit: 2, windowMs: 1_000 }, concurrency: 3, maxHoldMs: 5_000 })
    expect(clock.pendingTimers).toBe(0)
    takeAll(gate)
    expect(clock.pendingTimers).toBe(0)
    const callers = Array.from({ length: 20 }, (_, index) => follow(gate.acquire({ priority: index % 3, weight: 1 })))
    expect([clock.pendingTimers, clock.keepAliveTimers]).toEqual([1, 1])
    gate.park(700)
    while (callers.some(({ state }) => state === 'waiting')) {
      expect([clock.pendingTimers, clock.keepAliveTimers]).toEqual([1, 1])
      await clock.advance(100)
      callers.find(({ permit }) => permit?.ended === false)?.permit?.settle()
    }
    expect(clock.pendingTimers).toBe(0)
  })

  test('is gone with the last waiter', async () => {
    const { clock, gate } = setUpGate({ limits: { limit: 1, windowMs: 1_000 } })
    exchange(gate)
    const abort = new AbortController()
    follow(gate.acquire({ signal: abort.signal }))
    expect(clock.pendingTimers).toBe(1)
    abort.abort()
    expect(clock.pendingTimers).toBe(0)
  })

  test('keeps the process alive where only an answer can help', () => {
    const { clock, gate } = setUpGate({ limits: { limit: 1, windowMs: 1_000 }, transitMs: Infinity })
    takeAll(gate)
    follow(gate.acquire())
    expect(clock.keepAliveTimers).toBe(1)
  })

  test('is set for what the head needs, and again where another needs less', async () => {
    const { clock, gate } = setUpGate({ limits: { limit: 4, windowMs: 1_000 }, transitMs: 0 })
    for (const at of [0, 100, 200, 300]) {
      await clock.advance(at - clock.now())
      exchange(gate)
    }
    const heavy = follow(gate.acquire({ weight: 4 }))
    const urgent = follow(gate.acquire({ weight: 2, priority: 1 }))
    await clock.advance(5_000)
    expect([urgent.permit?.sentAt, heavy.permit?.sentAt]).toEqual([1_100, 2_100])
  })

  test('longer than 2^31 - 1 ms is waited for in steps', async () => {
    const { clock, gate } = setUpGate({ limits: { limit: 1, windowMs: 366 * dayMs }, transitMs: 0 })
    exchange(gate)
    const waiter = follow(gate.acquire())
    await clock.advance(366 * dayMs - 1)
    expect([waiter.state, clock.pendingTimers]).toEqual(['waiting', 1])
    await clock.advance(1)
    expect(waiter.permit?.sentAt).toBe(366 * dayMs)
  })

  test.each([1, 7, 500])('that fires %d ms early is set again, and nobody goes early', async (ms) => {
    const clock = new VirtualClock()
    const gate = new Gate({ clock: earlyBy(clock, ms), limits: { limit: 1, windowMs: 1_000 }, transitMs: 0 })
    exchange(gate)
    const waiter = follow(gate.acquire())
    await clock.advance(999)
    expect([waiter.state, clock.pendingTimers]).toEqual(['waiting', 1])
    await clock.advance(1_000)
    expect(waiter.permit?.sentAt).toBe(1_000)
  })

  test('waits in whole milliseconds, never too short', async () => {
    const { clock, gate } = setUpGate({ limits: { limit: 1, windowMs: 1_000 }, transitMs: 0 })
    await clock.advance(0.3)
    exchange(gate)
    const waiter = follow(gate.acquire())
    await clock.advance(0.4)
    await clock.advance(1_000)
    expect(waiter.permit?.sentAt).toBeCloseTo(1_000.3, 9)
  })

  test('that a clock has overtaken is set anew for who waits then', async () => {
    const { clock, gate } = setUpGate({ limits: { limit: 1, windowMs: 60_000 }, transitMs: 0 })
    exchange(gate)
    const [first, second] = [follow(gate.acquire()), follow(gate.acquire())]
    const now = clock.now.bind(clock)
    clock.now = () => now() + 60_000
    void gate.close({ drainMs: 1_000 })
    await clock.advance(1_000)
    expect([first.state, second.state]).toEqual(['granted', 'refused'])
  })

  test('that is late lets all go at once that may by then', async () => {
    const { clock, gate } = setUpGate({ limits: { limit: 2, windowMs: 1_000 }, transitMs: 0 })
    exchange(gate)
    exchange(gate)
    const waiters = [follow(gate.acquire()), follow(gate.acquire()), follow(gate.acquire())]
    await clock.advance(1_000)
    expect(waiters.map(({ state }) => state)).toEqual(['granted', 'granted', 'waiting'])
  })
})
