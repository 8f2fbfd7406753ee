import { expect, test } from 'vitest'
import type { Reading } from '../../../src/gate/observation.ts'
import { readRateLimit } from '../../../src/headers/index.ts'

const name = 'n'.repeat(64)
const second = { resetStepMs: 1_000 }

test.each<[header: string, text: string, limits: Reading[]]>([
  ['x-shopify-shop-api-call-limit', '32/40', [{ limit: 40, remaining: 8, used: 32, windowMs: 20_000 }]],
  ['x-shopify-shop-api-call-limit', '32', []],
  ['x-shopify-shop-api-call-limit', '/40', []],
  ['sforce-limit-info', 'api-usage=18/5000', [{ name: 'api-usage', limit: 5_000, remaining: 4_982, used: 18 }]],
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
  ['x-sentry-rate-limits', '60:requests:key', [{ name: 'requests', remaining: 0, resetInMs: 60_000, ...second }]],
  ['x-sentry-rate-limits', '60:a, 5:a, soon:a', [{ name: 'a', remaining: 0, resetInMs: 60_000, ...second, unit: 'a' }]],
])('%s: %s', (header, text, limits) => {
  expect(readRateLimit({ [header]: text }).limits).toStrictEqual(limits)
})
