import { expect, test } from 'vitest'
import { ConfigError, createHeadgate } from '../../src/index.ts'
import type { AcquireOptions } from '../../src/gate/index.ts'
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

test('what is undefined, and no signal, are no fault', async () => {
  const { gate } = setUpGate({})
  const permit = await gate.acquire({ signal: null, weight: undefined, allowance: undefined })
  expect(permit.ended).toBe(false)
})

test('explain refuses a misspelt option too', () => {
  const options = { wieght: 3 } as object
  expect(() => createHeadgate().explain('https://a.example/', options)).toThrow(/wieght: expected no other option than/)
})
