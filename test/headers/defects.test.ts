import { describe, expect, test } from 'vitest'
import { Gate } from '../../src/gate/index.ts'
import { RateLimitReader, readRateLimit } from '../../src/headers/index.ts'
import { VirtualClock } from '../../src/testing/index.ts'
import { answer, exchange } from '../support/set-up-gate.ts'

/** Once each was read wrongly. */
describe('names that every object has', () => {
  const names = ['constructor', '__proto__', 'valueOf', 'toString', 'hasOwnProperty']

  test.each(names)('%s is a name like any other', (name) => {
    for (const dialect of ['auto', 'github', 'imgur', 'openai'] as const) {
      const headers = { [`x-ratelimit-limit-${name}`]: '100', 'x-ratelimit-limit': '1', 'x-ratelimit-resource': name }
      for (const limit of readRateLimit(headers, { dialect }).limits) {
        expect([undefined, 'number']).toContain(limit.windowMs === undefined ? undefined : typeof limit.windowMs)
        expect([undefined, 'string']).toContain(limit.unit === undefined ? undefined : typeof limit.unit)
      }
    }
  })

  test.each(names)('%s is a unit like any other', (unit) => {
    const gate = new Gate({ clock: new VirtualClock() })
    exchange(gate, answer({ limit: 100, remaining: 50, windowMs: 1_000, unit }))
    gate.tryAcquire({ weight: { requests: 1, tokens: 3 } })
    expect(gate.explain({ weight: { requests: 1, tokens: 3 } })).toMatchObject({ wouldWaitMs: 0, boundBy: 'nothing' })
  })
})

describe('what is left of a limit that is not told', () => {
  test.each([
    ['azure-resource-manager', { 'x-ms-ratelimit-remaining-subscription-reads': '0' }],
    ['xero', { 'x-minlimit-remaining': '0', 'x-daylimit-remaining': '100' }],
    ['gitlab', { 'ratelimit-remaining': '0', 'ratelimit-reset': '30' }],
    ['auto', { ratelimit: '"a";r=0;t=30', 'ratelimit-policy': '"a";w=60' }],
  ] as const)('holds: %s', (dialect, headers) => {
    const gate = new Gate({ clock: new VirtualClock() })
    exchange(gate, readRateLimit(headers, { dialect }))
    expect(gate.explain()).toMatchObject({ boundBy: 'reading' })
    expect(gate.explain().wouldWaitMs).toBeGreaterThan(20_000)
  })

  test('and comes again is of the same limit', () => {
    const gate = new Gate({ clock: new VirtualClock() })
    for (const remaining of [9, 8, 7])
      exchange(gate, answer({ remaining, windowMs: 60_000 }, { name: 'a', remaining, windowMs: 1_000 }))
    expect(gate.snapshot().limits).toHaveLength(2)
  })
})

test('a window above a day is one limit, however often it is told', () => {
  const gate = new Gate({ clock: new VirtualClock() })
  for (const remaining of [9, 8, 7])
    exchange(gate, answer({ name: 'month', limit: 1_000, remaining, windowMs: 2_592_000_000 }))
  expect(gate.snapshot().limits).toHaveLength(1)
})

describe('a Retry-After', () => {
  const spent = { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '0' }

  test.each<[Record<string, string>, number]>([
    [{ ...spent, 'retry-after': '1200', 'x-ratelimit-reset': '0' }, 1_200_000],
    [{ 'retry-after': '1800', ratelimit: '"hour";r=0;t=1800, "second";r=9;t=1' }, 1_800_000],
    [{ ...spent, 'retry-after': '60000', 'x-ratelimit-reset': '60000' }, 60_000_000],
    [{ ...spent, 'x-ratelimit-remaining': '5', 'retry-after': '60000', 'x-ratelimit-reset': '60' }, 60_000_000],
    [{ 'retry-after': '20000', ratelimit: '"a";r=0;t=20, "b";r=3;t=20000' }, 20_000_000],
    [{ ...spent, 'retry-after': '60000', 'x-ratelimit-reset': '60' }, 60_000],
  ])('%j is of %i ms', (headers, retryAfterMs) => {
    expect(readRateLimit(headers, { status: 429 }).retryAfterMs).toBe(retryAfterMs)
  })
})

test('resets of two limits in turn are compared with their own', () => {
  const reader = new RateLimitReader()
  const reset = (limit: number, value: number, at: number) =>
    reader.read({ 'x-ratelimit-limit': String(limit), 'x-ratelimit-reset': String(value) }, { status: 200, at })
  reset(300, 900, 0)
  reset(10, 60, 1_500)
  expect(reset(300, 897, 3_000).limits).toMatchObject([{ resetInMs: 897_000 }])
})

test('that resets count milliseconds is taken back', () => {
  const reader = new RateLimitReader()
  const reset = (value: number, at: number) =>
    reader.read({ 'x-ratelimit-limit': '5', 'x-ratelimit-reset': String(value) }, { status: 200, at })
  reset(900, 0)
  expect(reset(100, 1_500).limits).toMatchObject([{ resetInMs: 100 }])
  reset(99, 3_000)
  expect(reset(98, 4_500).limits).toMatchObject([{ resetInMs: 98_000 }])
})

test('a window that a dialect knows yields to a reset beyond its end', () => {
  const headers = { 'x-ratelimit-limit': '200', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1800' }
  expect(readRateLimit(headers, { dialect: 'x' }).limits[0]).not.toHaveProperty('windowMs')
  const sooner = { ...headers, 'x-ratelimit-reset': '800' }
  expect(readRateLimit(sooner, { dialect: 'x' }).limits).toMatchObject([{ windowMs: 900_000 }])
})

test('what is used is as good as what is left for a status that throttles when told', () => {
  const used = { 'x-ratelimit-limit': '5', 'x-ratelimit-used': '5' }
  expect(readRateLimit(used, { status: 403, dialect: 'fastify' }).throttled).toBe(true)
  expect(readRateLimit({ 'x-app-usage': '{"call_count":120}' }, { status: 403, dialect: 'meta' }).throttled).toBe(true)
  expect(readRateLimit({ 'x-app-usage': '{"call_count":12}' }, { status: 403, dialect: 'meta' }).throttled).toBe(false)
})

test('of two spellings the one that tells the limit, too, is believed', () => {
  const zendesk = { 'x-rate-limit': '700', 'x-rate-limit-remaining': '699' }
  expect(readRateLimit(zendesk).limits).toEqual([{ limit: 700, remaining: 699 }])
})

test('no more than sixteen limits are told, however many one header states', () => {
  const policies = Array.from({ length: 16 }, (_, index) => `${index + 1};w=${index + 1}`).join(', ')
  const headers = { 'x-ratelimit-limit-a': `1, ${policies}`, 'x-ratelimit-limit-b': `1, ${policies}` }
  expect(readRateLimit(headers).limits).toHaveLength(16)
})

test.each(['0.00000000000000000001', '0'])('a rate of %s a second is none', (rate) => {
  expect(readRateLimit({ 'x-amzn-ratelimit-limit': rate }).limits).toEqual([])
})

describe('headers that nobody read', () => {
  test.each<[Record<string, string>, object]>([
    [
      { 'x-user-limit-24hour-limit': '50', 'x-user-limit-24hour-remaining': '0' },
      { name: 'user-day', remaining: 0 },
    ],
    [
      { 'x-sentry-rate-limit-limit': '40', 'x-sentry-rate-limit-remaining': '39' },
      { limit: 40, kind: 'fixed' },
    ],
    [{ 'anthropic-priority-input-tokens-limit': '5' }, { name: 'priority-input-tokens', unit: 'input-tokens' }],
    [{ 'x-ratelimit-limit-requests-day': '5' }, { name: 'requests-day', windowMs: 86_400_000 }],
    [{ 'x-ratelimit-limit-tokens-minute': '5' }, { windowMs: 60_000, unit: 'tokens' }],
    [{ 'x-ratelimit-limit-month': '5' }, { name: 'month', windowMs: 2_592_000_000 }],
    [
      { 'x-ratelimit-limit': '5', 'x-ratelimit-name': 'logs' },
      { name: 'logs', limit: 5 },
    ],
  ])('%j', (headers, limit) => {
    expect(readRateLimit(headers).limits).toMatchObject([limit])
    expect(readRateLimit(headers).limits[0]).not.toMatchObject({ unit: 'month' })
  })

  test('what Atlassian sends for information only is none', () => {
    expect(readRateLimit({ 'x-beta-ratelimit-limit': '5', 'x-beta-ratelimit-remaining': '0' }).limits).toEqual([])
  })

  test('tower-governor’s delay is one', () => {
    expect(readRateLimit({ 'x-ratelimit-after': '7' }, { status: 429 }).retryAfterMs).toBe(7_000)
  })
})
