import { describe, expect, test } from 'vitest'
import { Gate } from '../../src/gate/index.ts'
import { limitOf, setUpGate, windowMs } from '../support/set-up-gate.ts'

describe('a gate that observes', () => {
  test('lets everyone through at once, however it is asked, and tells what would have waited', async () => {
    const waits: unknown[] = []
    const waited = (...what: unknown[]): void => void waits.push(what)
    const { gate } = setUpGate({ ...limitOf(1), mode: 'observe' }, Gate, { observer: { waited } })
    await gate.acquire()
    await gate.acquire()
    gate.tryAcquire()
    expect(gate.snapshot()).toMatchObject({ held: 3, queued: 0 })
    expect(waits).toEqual([
      [windowMs, 'limit'],
      [windowMs, 'limit'],
    ])
  })

  test('takes what goes while it is parked for no probe, and the first after it for one', async () => {
    const { clock, gate } = setUpGate({ mode: 'observe' })
    gate.park(1_000)
    expect([gate.tryAcquire()?.isProbe, gate.snapshot().state]).toEqual([false, 'parked'])
    await clock.advance(1_000)
    expect([gate.tryAcquire()?.isProbe, gate.snapshot().state]).toEqual([true, 'probing'])
  })
})
