import { describe, expect, it } from 'vitest'
import type { Reading } from '../../src/gate/observation.ts'
import { readRateLimit } from '../../src/headers/index.ts'

const newYear = '2026-01-01T00:00:00Z'
const second = { resetStepMs: 1_000 }

describe('one field', () => {
  const cases: readonly (readonly [name: string, value: string, reading: Reading])[] = [
    ['limit', '100.5', { limit: 100.5 }],
    ['limit', '0', { limit: 0 }],
    ['limit', '-5', {}],
    ['limit', '9007199254740991', { limit: Number.MAX_SAFE_INTEGER }],
    ['limit', '9007199254740992', {}],
    ['limit', 'unlimited', {}],
    ['limit', 'none, 100;w=60', {}],
    ['limit', '100;w=0', { limit: 100 }],
    ['limit', '100;w=-1', { limit: 100 }],
    ['limit', '100;w=315360000', { limit: 100, windowMs: 315_360_000_000 }],
    ['limit', '100;w=315360001', { limit: 100 }],
    ['limit', '100;w=0.5', { limit: 100, windowMs: 500 }],
    ['limit', '100;w="60"', { limit: 100, windowMs: 60_000 }],
    ['limit', '100;name=', { limit: 100 }],
    ['limit', '200,2000', { limit: 200 }],
    ['remaining', '-534', { remaining: -534 }],
    ['remaining', '-0', { remaining: 0 }],
    ['remaining', '1e3', {}],
    ['remaining', '9007199254740992', {}],
    ['remaining', 'x;w=60', {}],
    ['used', '0', { used: 0 }],
    ['used', '12.5', { used: 12.5 }],
    ['used', '-1', {}],
    ['reset', '0', { resetInMs: 0, ...second }],
    ['reset', '0.25', { resetInMs: 250 }],
    ['reset', '12.0', { resetInMs: 12_000, ...second }],
    ['reset', '1767225599', { resetInMs: 0, ...second }],
    ['reset', '1767225660', { resetInMs: 60_000, ...second }],
    ['reset', '1767225660.5', { resetInMs: 60_500 }],
    ['reset', '1767225660000', { resetInMs: 60_000 }],
    ['reset', 'Thu, 01 Jan 2026 00:01:00 GMT', { resetInMs: 60_000, ...second }],
    ['reset', '2026-01-01T00:01:00.25Z', { resetInMs: 60_250 }],
    ['reset', '-1', {}],
    ['reset', '315360001', {}],
    ['reset', '9999-12-31T23:59:59Z', {}],
    ['reset', '2021-02-16 09:02:42', {}],
  ]
  for (const [name, value, reading] of cases) {
    it(`${name}: ${value}`, () => {
      const alone = readRateLimit({ [`x-ratelimit-${name}`]: value }, { nowMs: Date.parse(newYear) }).limits
      expect(alone).toStrictEqual(Object.keys(reading).length > 0 ? [reading] : [])
    })
  }

  it('a reset of more than ten years leaves nothing of itself', () => {
    expect(readRateLimit({ 'x-ratelimit-limit': '5', 'x-ratelimit-reset': '315360001' }).limits).toStrictEqual([
      { limit: 5 },
    ])
  })

  it('that is malformed takes no other with it', () => {
    const good = { limit: '10', remaining: '5', used: '5', reset: '30' }
    const read: Reading = { limit: 10, remaining: 5, used: 5, resetInMs: 30_000, resetStepMs: 1_000 }
    const without: Record<string, Reading> = {
      // What is left and what is used make it up.
      limit: { limit: 10, remaining: 5, used: 5, resetInMs: 30_000, resetStepMs: 1_000 },
      remaining: { limit: 10, used: 5, resetInMs: 30_000, resetStepMs: 1_000 },
      used: { limit: 10, remaining: 5, resetInMs: 30_000, resetStepMs: 1_000 },
      reset: { limit: 10, remaining: 5, used: 5 },
    }
    const prefixed = (values: object) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [`x-ratelimit-${name}`, String(value)]))
    expect(readRateLimit(prefixed(good)).limits).toStrictEqual([read])
    for (const [name, reading] of Object.entries(without)) {
      expect(readRateLimit(prefixed({ ...good, [name]: 'NaN' })).limits).toStrictEqual([reading])
    }
  })
})

describe('two families in one response', () => {
  for (const [what, headers, limits] of [
    ['the first is believed', { 'x-ratelimit-remaining': '1', 'ratelimit-remaining': '2' }, [{ remaining: 1 }]],
    ['used is as good as remaining', { 'x-ratelimit-used': '1', 'ratelimit-remaining': '2' }, [{ used: 1 }]],
    ['a limit alone yields to remaining', { 'x-ratelimit-limit': '9', 'ratelimit-remaining': '2' }, [{ remaining: 2 }]],
    ['a reset alone yields to a limit', { 'x-ratelimit-reset': '0.5', 'ratelimit-limit': '9' }, [{ limit: 9 }]],
    ['of two limits the first is believed', { 'x-ratelimit-limit': '9', 'rate-limit-limit': '8' }, [{ limit: 9 }]],
    ['malformed counts do not count', { 'x-ratelimit-remaining': 'x', 'ratelimit-remaining': '2' }, [{ remaining: 2 }]],
  ] as const) {
    it(`${what}`, () => expect(readRateLimit(headers).limits).toStrictEqual(limits))
  }
})
