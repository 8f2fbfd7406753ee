import { getEventListeners } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import type { Allowance, Gate, Permit } from '../../src/gate/index.ts'
import { follow, setUpGate, settled, takeAll } from '../support/set-up-gate.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** A gate that is full, and how callers leave its line. */
function setUp() {
  const { clock, gate } = setUpGate({ concurrency: 1 })
  return { clock, gate, held: takeAll(gate)[0]!, abort: new AbortController() }
}

describe('no listener stays on the signal of a caller that', () => {
  test.each<{ name: string; leave: (gate: Gate, held: Permit) => unknown }>([
    { name: 'goes', leave: (_, held) => held.release() },
    { name: 'is refused as the gate is parked', leave: (gate) => gate.park(1_000) },
    { name: 'is refused as the gate is closed', leave: (gate) => gate.close() },
  ])('$name', ({ leave }) => {
    const { gate, held, abort } = setUp()
    follow(gate.acquire({ signal: abort.signal, whenParked: 'refuse' }))
    expect(getEventListeners(abort.signal, 'abort')).toHaveLength(1)
    leave(gate, held)
    expect([gate.snapshot().queued, getEventListeners(abort.signal, 'abort')]).toEqual([0, []])
  })

  test('gives up', async () => {
    const { clock, gate, abort } = setUp()
    follow(gate.acquire({ signal: abort.signal, allowance: { maxDurationMs: 1_000, startedAt: 0 } }))
    await clock.advance(1_000)
    expect([gate.snapshot().queued, getEventListeners(abort.signal, 'abort')]).toEqual([0, []])
  })
})

describe('of many callers few are kept until their allowances end, if they', () => {
  /** Waits, and makes room for the next. Of its allowance nothing but the gate knows. */
  function wait(gate: Gate, signal: AbortSignal): WeakRef<Allowance> {
    const allowance = { maxDurationMs: 1e9, startedAt: 0 }
    gate.acquire({ signal, allowance }).then(
      (permit) => permit.release(),
      () => {},
    )
    return new WeakRef(allowance)
  }

  test.each<{ name: string; leave: (held: Permit, abort: AbortController) => void }>([
    { name: 'are aborted', leave: (_, abort) => abort.abort() },
    { name: 'go', leave: (held) => held.release() },
  ])('$name', async ({ leave }) => {
    const { gate, held, abort } = setUp()
    const allowances = Array.from({ length: 500 }, () => wait(gate, abort.signal))
    const last = follow(gate.acquire())
    // Its end comes before those of all that leave.
    const next = follow(gate.acquire({ allowance: { maxDurationMs: 1_000, startedAt: 0 } }))
    leave(held, abort)
    const kept = () => allowances.filter((allowance) => allowance.deref()).length
    for (let round = 0; round < 20 && kept() > 100; round++) {
      await settled()
      collectGarbage()
    }
    expect(kept()).toBeLessThan(100)
    expect([last.error, next.state]).toEqual([undefined, 'waiting'])
  })
})
