import { describe, expect, test } from 'vitest'
import type { Reading } from '../../../src/gate/observation.ts'
import { readRateLimit } from '../../../src/headers/index.ts'

const name = 'n'.repeat(64)
const second = { resetStepMs: 1_000 }

test.each<[header: string, text: string, limits: Reading[]]>([
  ['x-shopify-shop-api-call-limit', '32/40', [{ limit: 40, remaining: 8, used: 32, windowMs: 20_000 }]],
  ['x-shopify-shop-api-call-limit', '32', []],
  ['x-shopify-shop-api-call-limit', '/40', []],
  ['sforce-limit-info', 'api-usage=18/5000', [{ name: 'api-usage', limit: 5_000, remaining: 4_982, used: 18 }]],
  [
    'sforce-limit-info',
    'api-usage=18/5000, per-app-api-usage=17/250(appName=sample)',
    [
      { name: 'api-usage', limit: 5_000, remaining: 4_982, used: 18 },
      { name: 'per-app-api-usage', limit: 250, remaining: 233, used: 17 },
    ],
  ],
  ['sforce-limit-info', 'api-usage=18', []],
  ['sforce-limit-info', 'api-usage', []],
  ['sforce-limit-info', `${name}=1/2`, [{ name, limit: 2, remaining: 1, used: 1 }]],
  ['sforce-limit-info', `${name}n=1/2`, []],
  [
    'zendesk-ratelimit-search',
    'total=100; remaining=99; resets=41',
    [{ name: 'search', limit: 100, remaining: 99, resetInMs: 41_000, ...second }],
  ],
  ['zendesk-ratelimit-search', 'total=100; remaining=99', [{ name: 'search', limit: 100, remaining: 99 }]],
  ['zendesk-ratelimit-search', 'total=100', []],
  ['zendesk-ratelimit-search', 'remaining=99', []],
  ['zendesk-ratelimit-search', 'nothing', []],
  [
    'x-sentry-rate-limits',
    '60:transaction;error:key, 2700::organization',
    [
      { name: 'transaction', remaining: 0, resetInMs: 60_000, ...second, unit: 'transaction' },
      { name: 'error', remaining: 0, resetInMs: 60_000, ...second, unit: 'error' },
      { name: '*', remaining: 0, resetInMs: 2_700_000, ...second },
    ],
  ],
  ['x-sentry-rate-limits', '60', [{ name: '*', remaining: 0, resetInMs: 60_000, ...second }]],
  ['x-sentry-rate-limits', '0:a', [{ name: 'a', remaining: 0, resetInMs: 0, ...second, unit: 'a' }]],
  ['x-sentry-rate-limits', '60:requests:key', [{ name: 'requests', remaining: 0, resetInMs: 60_000, ...second }]],
  ['x-sentry-rate-limits', '60:a, 5:a, soon:a', [{ name: 'a', remaining: 0, resetInMs: 60_000, ...second, unit: 'a' }]],
  ['x-sentry-rate-limits', '5:a, 60:a', [{ name: 'a', remaining: 0, resetInMs: 60_000, ...second, unit: 'a' }]],
  ['x-sentry-rate-limits', `5:${name}n`, [{ name, remaining: 0, resetInMs: 5_000, ...second, unit: `${name}n` }]],
  [
    'x-app-rate-limit',
    '20:1,100:120',
    [
      { name: 'app:1', limit: 20, windowMs: 1_000 },
      { name: 'app:120', limit: 100, windowMs: 120_000 },
    ],
  ],
  ['x-method-rate-limit', '20:1,x:2,5:x,5:0,5', [{ name: 'method:1', limit: 20, windowMs: 1_000 }]],
  [
    'anthropic-ratelimit-unified-5h-utilization',
    '0.25',
    [{ name: '5h', limit: 1, used: 0.25, windowMs: 18_000_000, unit: 'share' }],
  ],
  ['anthropic-ratelimit-unified-5h-utilization', 'x', []],
  ['anthropic-ratelimit-unified-5h-reset', '60', []],
])('%s: %s', (header, text, limits) => {
  expect(readRateLimit({ [header]: text }).limits).toStrictEqual(limits)
})

describe('a quarter of an hour and a day', () => {
  const read = (limit: string, usage: string, nowMs?: number) =>
    readRateLimit({ 'x-readratelimit-limit': limit, 'x-readratelimit-usage': usage }, { nowMs }).limits
  const quarter = { name: 'read-15min', limit: 100, remaining: 90, used: 10, windowMs: 900_000, kind: 'fixed' }
  const day = { name: 'read-day', limit: 1_000, remaining: 980, used: 20, windowMs: 86_400_000, kind: 'fixed' }

  test('both by the calendar in UTC', () => {
    const nowMs = Date.UTC(2026, 0, 1, 0, 1)
    expect(read('100,1000', '10,20', nowMs)).toStrictEqual([
      { ...quarter, resetInMs: 840_000 },
      { ...day, resetInMs: 86_340_000 },
    ])
  })

  test.each<[string, string, object[]]>([
    ['100,1000', '10,20', [quarter, day]],
    ['100', '10,20', [quarter]],
    ['100,1000', '10', [quarter]],
    ['x,1000', '10,20', [day]],
    ['', '', []],
  ])('limits %j, of which %j are used', (limit, usage, limits) => {
    expect(read(limit, usage)).toStrictEqual(limits)
  })
})
