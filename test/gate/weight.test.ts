import { describe, expect, test } from 'vitest'
import { ConfigError, type Fault, type Weight } from '../../src/gate/index.ts'
import { chargeOf, WeightSum } from '../../src/gate/weight.ts'
import { setUpGate } from '../support/set-up-gate.ts'

test.each<{ weight: Weight; requests: number; tokens: number }>([
  { weight: 3, requests: 3, tokens: 3 },
  { weight: 0, requests: 0, tokens: 0 },
  { weight: {}, requests: 1, tokens: 0 },
  { weight: { tokens: 500 }, requests: 1, tokens: 500 },
  { weight: { requests: 0, tokens: 500 }, requests: 0, tokens: 500 },
])('$weight spends $requests requests and $tokens tokens', ({ weight, requests, tokens }) => {
  expect([chargeOf(weight, 'requests'), chargeOf(weight, 'tokens')]).toEqual([requests, tokens])
  const sum = new WeightSum()
  sum.add(weight, 1)
  sum.add({ tokens: 7 }, 1)
  expect([sum.of('requests'), sum.of('tokens')]).toEqual([requests + 1, tokens + 7])
  sum.add(weight, -1)
  expect([sum.of('requests'), sum.of('tokens')]).toEqual([1, 7])
})

test.each<{ weight: Weight; share: number }>([
  { weight: 3, share: 0 },
  { weight: { requests: 3 }, share: 0 },
  { weight: { share: 0.2 }, share: 0.2 },
])('$weight spends $share of what is told as a part of a quota', ({ weight, share }) => {
  expect(chargeOf(weight, 'share')).toBe(share)
})

describe('what is no weight is refused, by name', () => {
  test.each<{ weight: unknown; options: string[] }>([
    { weight: NaN, options: ['weight'] },
    { weight: -1, options: ['weight'] },
    { weight: Infinity, options: ['weight'] },
    { weight: '1', options: ['weight'] },
    { weight: null, options: ['weight'] },
    { weight: { requests: -1, tokens: NaN, bytes: 5 }, options: ['weight.requests', 'weight.tokens'] },
  ])('$weight', async ({ weight, options }) => {
    const { gate } = setUpGate()
    const refused = (faults: readonly Fault[]) => faults.map(({ option }) => option.replaceAll(/\['(.*?)'\]/g, '.$1'))
    const error = await gate.acquire({ weight: weight as Weight }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ConfigError)
    expect(refused((error as ConfigError).faults)).toEqual(options)
    expect(() => gate.tryAcquire({ weight: weight as Weight })).toThrow(ConfigError)
    expect(() => gate.explain({ weight: weight as Weight })).toThrow(ConfigError)
    const permit = await gate.acquire()
    expect(() => permit.correct(weight as Weight)).toThrow(ConfigError)
  })
})
