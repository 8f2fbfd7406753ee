import { describe, expect, test } from 'vitest'
import { updated } from '../package/dialects-doc.ts'
import type { NamedDialect } from '../../src/headers/dialects.ts'
import type { Dialect, DialectName } from '../../src/headers/index.ts'
import { dialectOf, DIALECTS, readRateLimit } from '../../src/headers/index.ts'

const told = (headers: Record<string, string>, dialect?: DialectName | Dialect) =>
  readRateLimit(headers, { dialect }).limits

const plain = { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '40', 'x-ratelimit-reset': '30' }
const spent = { ...plain, 'x-ratelimit-remaining': '0' }
const hinted = { 'retry-after': '5' }

describe('which statuses throttle', () => {
  test.each<[DialectName | undefined, number, Record<string, string>, boolean]>([
    [undefined, 429, {}, true],
    [undefined, 503, {}, false],
    [undefined, 503, { 'retry-after': '0' }, false],
    [undefined, 503, hinted, true],
    [undefined, 403, spent, false],
    [undefined, 418, {}, false],
    ['github', 403, {}, false],
    ['github', 403, plain, false],
    ['github', 403, hinted, true],
    ['github', 403, spent, true],
    ['github', 429, {}, true],
    ['binance', 418, {}, true],
    ['notion', 529, {}, true],
    ['anthropic', 529, {}, true],
    ['anthropic', 500, hinted, false],
    ['nginx', 503, {}, true],
    ['linear', 400, {}, false],
    ['linear', 400, { 'x-ratelimit-requests-limit': '1' }, false],
    ['linear', 400, { 'x-ratelimit-requests-used': '1' }, false],
    ['linear', 400, { 'x-ratelimit-requests-limit': '1', 'x-ratelimit-requests-used': '1' }, true],
    ['linear', 400, { 'x-ratelimit-requests-limit': '5000', 'x-ratelimit-requests-remaining': '0' }, true],
    ['salesforce', 403, {}, false],
    ['salesforce', 403, { 'sforce-limit-info': 'api-usage=5000/5000' }, true],
    ['sharepoint', 503, {}, true],
    ['fastify', 403, hinted, true],
    ['hubspot', 477, {}, true],
    ['bybit', 403, hinted, true],
    ['meta', 400, hinted, true],
  ])('%s: %i with %j', (dialect, status, headers, throttled) => {
    expect(readRateLimit(headers, { status, dialect }).throttled).toBe(throttled)
  })
})

describe('what a name adds to the headers', () => {
  test.each<[DialectName, Record<string, string>, object[]]>([
    ['docker-hub', plain, [{ limit: 100, remaining: 40, windowMs: 60_000 }]],
    ['github', { ...plain, 'x-ratelimit-resource': 'core' }, [{ name: 'core', windowMs: 3_600_000, kind: 'fixed' }]],
    ['github', { ...plain, 'x-ratelimit-resource': 'search' }, [{ name: 'search', windowMs: 60_000, kind: 'fixed' }]],
    ['reddit', { 'x-ratelimit-used': '1', 'x-ratelimit-remaining': '599.0' }, [{ limit: 600, windowMs: 600_000 }]],
    ['x', plain, [{ windowMs: 900_000, kind: 'fixed' }]],
    ['heroku', { 'ratelimit-remaining': '2400' }, [{ limit: 4_500, remaining: 2_400, windowMs: 3_600_000 }]],
    ['groq', { 'x-ratelimit-limit-requests': '14400' }, [{ limit: 14_400, windowMs: 86_400_000 }]],
    ['openai', { 'x-ratelimit-limit-tokens': '9000' }, [{ limit: 9_000, windowMs: 60_000, unit: 'tokens' }]],
    ['prisjakt', { ...plain, 'x-ratelimit-reset': '600000' }, [{ resetInMs: 600_000, windowMs: 3_600_000 }]],
    ['kucoin', { 'gw-ratelimit-limit': '2000' }, [{ windowMs: 30_000, unit: 'weight' }]],
    [
      'akamai',
      {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-next': '2026-01-01T00:00:05Z',
        date: 'Thu, 01 Jan 2026 00:00:00 GMT',
      },
      [{ remaining: 0, resetInMs: 5_000 }],
    ],
    ['fastly', { 'fastly-ratelimit-remaining': '900' }, [{ limit: 1_000, windowMs: 3_600_000 }]],
  ])('%s: %j', (dialect, headers, limits) => {
    expect(told(headers, dialect)).toMatchObject(limits)
    expect(told(headers, dialect)).toHaveLength(limits.length)
  })

  test('and nothing to what they say themselves', () => {
    const headers = { 'ratelimit-limit': '100;w=5', 'ratelimit-remaining': '3' }
    expect(told(headers, 'docker-registry')).toMatchObject([{ limit: 100, windowMs: 5_000 }])
  })

  test('a cost', () => {
    expect(readRateLimit({ 'X-Complexity': '38' }, { dialect: 'linear' }).cost).toEqual({ complexity: 38 })
    expect(readRateLimit({ 'x-complexity': 'many' }, { dialect: 'linear' })).not.toHaveProperty('cost')
    expect(readRateLimit({ 'x-complexity': '38' })).not.toHaveProperty('cost')
  })
})

describe('upstreams that auto knows by a header of theirs', () => {
  test.each([
    ['x-github-request-id', 403, spent],
    ['anthropic-organization-id', 529, {}],
  ])('%s', (sign, status, headers) => {
    expect(readRateLimit({ ...headers, [sign]: 'x' }, { status }).throttled).toBe(true)
  })

  test('each sign is of one', () => {
    const signs = Object.values(DIALECTS as Record<string, NamedDialect>).flatMap((dialect) => dialect.signs ?? [])
    expect(new Set(signs).size).toBe(signs.length)
    expect(signs.every((sign) => sign === sign.toLowerCase())).toBe(true)
  })
})

describe('a dialect of one’s own', () => {
  const own: Dialect = {
    limits: [
      {
        limit: 'X-Quota-Max',
        remaining: 'X-Quota-Left',
        reset: 'X-Quota-Reset',
        window: 'X-Quota-Period',
        name: 'daily',
        unit: 'credits',
        kind: 'fixed',
        resetUnit: 'milliseconds',
        windowUnit: 'milliseconds',
      },
      { used: 'x-spent-on-*', windowMs: 1_000 },
    ],
    throttles: { 509: 'always' },
    cost: { credits: 'X-Quota-Cost' },
    retryAfterUnit: 'milliseconds',
  }

  test('reads headers that nobody else sends', () => {
    const headers = {
      'x-quota-max': '1000',
      'x-quota-left': '10',
      'x-quota-reset': '2500',
      'x-quota-period': '60000',
      'x-spent-on-mail': '7',
      'x-quota-cost': '3',
      'retry-after': '1500',
    }
    expect(readRateLimit(headers, { status: 509, dialect: own })).toEqual({
      limits: [
        {
          name: 'daily',
          limit: 1_000,
          remaining: 10,
          windowMs: 60_000,
          resetInMs: 2_500,
          kind: 'fixed',
          unit: 'credits',
        },
        { name: 'mail', used: 7, windowMs: 1_000 },
      ],
      retryAfterMs: 1_500,
      throttled: true,
      scope: 'partition',
      cost: { credits: 3 },
    })
  })

  test('reads what everybody sends, too, and its own names first', () => {
    expect(told(plain, own)).toMatchObject([{ limit: 100, remaining: 40 }])
    const claimed: Dialect = { limits: [{ limit: 'x-ratelimit-limit', name: 'mine' }] }
    expect(told({ 'x-ratelimit-limit': '5' }, claimed)).toEqual([{ name: 'mine', limit: 5 }])
  })

  test('knows windows, limits and units by name', () => {
    const dialect: Dialect = { windowMs: { a: 1_000, '': 5_000 }, limit: { a: 9 }, units: { a: 'mails' } }
    const headers = { 'x-ratelimit-remaining-a': '3', 'x-ratelimit-remaining': '4' }
    expect(told(headers, dialect)).toEqual([
      { remaining: 4, windowMs: 5_000 },
      { name: 'a', limit: 9, remaining: 3, windowMs: 1_000, unit: 'mails' },
    ])
  })
})

test('without a name nothing is known', () => {
  expect([dialectOf(), dialectOf('auto')]).toEqual([{}, {}])
})

test('what a dialect does not know is not there', () => {
  expect(told({ 'x-ratelimit-remaining-a': '3' }, { limit: { b: 9 }, units: { a: 'requests' } })).toStrictEqual([
    { name: 'a', remaining: 3 },
  ])
})

test.each([
  [902, 900_000],
  [903, undefined],
])('a window that a dialect knows ends 2 s after it at the latest: a reset in %d s', (resetInSeconds, windowMs) => {
  const headers = { ...plain, 'x-ratelimit-reset': String(resetInSeconds) }
  expect(told(headers, { windowMs: 900_000 })[0]?.windowMs).toBe(windowMs)
})

test('the documentation lists them as they are', async () => {
  const { before, after } = await updated()
  expect(before).toBe(after)
})
