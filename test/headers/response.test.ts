import { describe, expect, test } from 'vitest'
import { readRateLimit } from '../../src/headers/index.ts'

describe('a refusal holds for', () => {
  test.each([
    [{}, 'partition'],
    [{ 'x-ratelimit-global': 'true' }, 'authority'],
    [{ 'x-ratelimit-global': 'false' }, 'partition'],
    [{ 'x-ratelimit-scope': 'global' }, 'authority'],
    [{ 'x-ratelimit-scope': 'shared' }, 'partition'],
  ])('%j: the %s', (headers, scope) => {
    expect(readRateLimit(headers, { status: 429 }).scope).toBe(scope)
    expect(readRateLimit(headers, { status: 300 }).scope).toBe(scope)
    expect(readRateLimit(headers, { status: 299 }).scope).toBe('partition')
  })
})

test.each([
  ['0', { tokens: 0 }],
  ['1.5', { tokens: 1.5 }],
  ['-1', undefined],
  ['many', undefined],
])('a cost of %s is %j', (text, cost) => {
  const dialect = { cost: { tokens: 'X-Cost', requests: 'x-none' } }
  expect(readRateLimit({ 'x-cost': text }, { dialect }).cost).toEqual(cost)
})

describe('a hint beside the reset of what is used up', () => {
  const spent = (resetSeconds: string) => ({
    'x-ratelimit-limit': '5',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': resetSeconds,
  })

  test.each([
    { hint: '10000', reset: '10', retryAfterMs: 10_000 },
    { hint: '9999', reset: '10', retryAfterMs: 9_999_000 },
    { hint: '60000', reset: '58.5', retryAfterMs: 60_000 },
    { hint: '60000', reset: '58.499', retryAfterMs: 60_000_000 },
    { hint: '60000', reset: '61.5', retryAfterMs: 60_000 },
    { hint: '60000', reset: '61.501', retryAfterMs: 60_000_000 },
  ])('$hint beside $reset is of $retryAfterMs ms', ({ hint, reset, retryAfterMs }) => {
    const headers = { ...spent(reset), 'retry-after': hint }
    expect(readRateLimit(headers, { status: 429 }).retryAfterMs).toBe(retryAfterMs)
  })

  test('of which more was used than allowed counts as well', () => {
    const headers = { ...spent('60'), 'x-ratelimit-remaining': '-1', 'retry-after': '60000' }
    expect(readRateLimit(headers, { status: 429 }).retryAfterMs).toBe(60_000)
  })

  test('that is not told to be used up proves nothing', () => {
    const headers = { 'x-ratelimit-limit': '5', 'x-ratelimit-reset': '60', 'retry-after': '60000' }
    expect(readRateLimit(headers, { status: 429 }).retryAfterMs).toBe(60_000_000)
  })
})
