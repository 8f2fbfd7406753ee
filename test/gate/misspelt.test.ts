import { expect, test } from 'vitest'
import { ConfigError, createHeadgate } from '../../src/index.ts'
import type { AcquireOptions, Gate } from '../../src/gate/index.ts'
import { setUpGate } from '../support/set-up-gate.ts'

test.each<{ options: Record<string, unknown>; option: string }>([
  { options: { prio: 1 }, option: 'prio' },
  { options: { timeout: 5, weight: 1 }, option: 'timeout' },
  { options: { signal: 5 }, option: 'signal' },
  { options: { arrival: NaN }, option: 'arrival' },
])('an acquire with $options is refused with its name', async ({ options, option }) => {
  const { gate } = setUpGate({})
  const given = options as AcquireOptions
  await expect(gate.acquire(given)).rejects.toMatchObject({ faults: [{ option, value: options[option] }] })
  await expect(gate.run(() => 0, given)).rejects.toBeInstanceOf(ConfigError)
  expect(() => gate.tryAcquire(given)).toThrow(ConfigError)
  expect(gate.snapshot().held).toBe(0)
})

const ACQUIRE = 'signal, weight, priority, arrival, maxWaitMs, whenParked, startsLater, allowance'
const allowance = { maxDurationMs: 1, whenTooLong: 'wait' } as never

test.each<{ ask: (gate: Gate) => unknown; message: string }>([
  { ask: (gate) => gate.acquire({ signal: 5 as never }), message: 'signal: expected an AbortSignal, got 5' },
  { ask: (gate) => gate.explain({ priority: NaN }), message: 'priority: expected a finite number, got NaN' },
  {
    ask: (gate) => gate.acquire({ allowance }),
    message: `allowance.whenTooLong: expected 'clamp' or 'return', got "wait"`,
  },
  {
    ask: (gate) => gate.refuses({ prio: 1 } as never),
    message: `prio: expected no other option than ${ACQUIRE}, got 1`,
  },
  { ask: (gate) => gate.park(-1), message: 'delayMs: expected a number from 0 to Infinity, got -1' },
  {
    ask: (gate) => gate.restore({ limits: [] }, NaN),
    message: 'elapsedMs: expected a number from 0 to Infinity, got NaN',
  },
  { ask: (gate) => gate.close({ drain: 1 } as never), message: 'drain: expected no other option than drainMs, got 1' },
  { ask: (gate) => gate.close({ drainMs: -1 }), message: 'drainMs: expected a number from 0 to Infinity, got -1' },
])('what makes no sense is refused with "$message"', async ({ ask, message }) => {
  const { gate } = setUpGate({})
  await expect((async () => ask(gate))()).rejects.toMatchObject({ code: 'HEADGATE_CONFIG', message })
})

test('what is undefined, and no signal, are no fault', async () => {
  const { gate } = setUpGate({})
  const permit = await gate.acquire({ signal: null, weight: undefined, allowance: undefined })
  expect(permit.ended).toBe(false)
})

test('explain refuses a misspelt option too', () => {
  const options = { wieght: 3 } as object
  expect(() => createHeadgate().explain('https://a.example/', options)).toThrow(/wieght: expected no other option than/)
})
