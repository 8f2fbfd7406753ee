import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import type { Gate } from '../../src/gate/index.ts'
import { answer, exchange, follow, setUpGate, settled, takeAll, throttle } from '../support/set-up-gate.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Collects garbage until something has come of it, within reason. */
async function collect(until: () => boolean): Promise<void> {
  for (let round = 0; round < 100 && !until(); round++) {
    collectGarbage()
    await settled()
  }
}

/** Takes a permit that nobody keeps. */
function lose(gate: Gate): void {
  gate.tryAcquire()
}

describe('a permit that was garbage-collected', () => {
  test('is taken back at once', async () => {
    const { clock, gate } = setUpGate({ concurrency: 1 })
    lose(gate)
    const waiter = follow(gate.acquire())
    await collect(() => waiter.state === 'granted')
    expect([waiter.state, clock.now()]).toEqual(['granted', 0])
  })

  test('keeps its weight: it may have been counted', async () => {
    const { gate } = setUpGate({ limits: { limit: 1, windowMs: 60_000 }, concurrency: 1 })
    lose(gate)
    await collect(() => gate.snapshot().held === 0)
    expect([gate.snapshot().held, gate.explain().boundBy]).toEqual([0, 'limit'])
  })

  test('frees the probe, where concurrency is unbounded', async () => {
    const { clock, gate } = setUpGate()
    gate.park(10)
    await clock.advance(10)
    lose(gate)
    expect(gate.snapshot().state).toBe('probing')
    await collect(() => gate.snapshot().state === 'parked')
    expect(takeAll(gate)).toHaveLength(1)
  })

  test('frees its place under a ramp, where concurrency is unbounded', async () => {
    const { clock, gate } = setUpGate()
    exchange(gate, throttle())
    await clock.advance(60_000)
    exchange(gate)
    lose(gate)
    expect(gate.explain()).toMatchObject({ boundBy: 'concurrency' })
    await collect(() => gate.snapshot().held === 0)
    expect(takeAll(gate)).toHaveLength(1)
  })

  test('lets the lone attempt go while a limit is learned', async () => {
    const { clock, gate } = setUpGate()
    exchange(gate, answer({ limit: 2, remaining: 1 }))
    lose(gate)
    await clock.advance(60_000)
    expect([gate.snapshot().inFlight, gate.explain().boundBy]).toEqual([1, 'reading'])
    await collect(() => gate.snapshot().inFlight === 0)
    expect(takeAll(gate)).toHaveLength(1)
  })

  test('is not taken for one that is still held', async () => {
    const { gate } = setUpGate({ concurrency: 2 })
    const kept = gate.tryAcquire()
    lose(gate)
    await collect(() => gate.snapshot().held === 1)
    for (let round = 0; round < 5; round++) {
      collectGarbage()
      await settled()
    }
    expect([gate.snapshot().held, kept!.ended]).toEqual([1, false])
  })
})
