import { expect, test } from 'vitest'
import { readRateLimit } from '../../../src/headers/index.ts'

const DAY = 86_400_000
const second = { resetStepMs: 1_000 }

test.each<[headers: Record<string, string>, limits: object[]]>([
  [{ 'x-sapi-used-ip-weight-1m': '7' }, [{ name: 'ip-weight-1m', used: 7, windowMs: 60_000 }]],
  [{ 'x-sapi-used-uid-weight-1m': '7' }, [{ name: 'uid-weight-1m', used: 7, windowMs: 60_000 }]],
  [{ 'x-mbx-order-count-1d': '7' }, [{ name: 'order-count-1d', used: 7, windowMs: DAY, unit: 'orders' }]],
  [{ 'x-mbx-order-count-ever': '7' }, [{ name: 'order-count-ever', used: 7, unit: 'orders' }]],
  [{ 'gw-ratelimit-limit': '5', 'gw-ratelimit-reset': '2500' }, [{ limit: 5, resetInMs: 2_500 }]],
  [{ 'x-app-limit-24hour-limit': '5' }, [{ name: 'app-day', limit: 5, windowMs: DAY }]],
  [{ 'x-account-rate-limit-limit': '5' }, [{ name: 'account', limit: 5 }]],
  [{ 'x-ratelimit-minutely-limit': '5' }, [{ name: 'minutely', limit: 5, windowMs: 60_000 }]],
  [{ 'x-amzn-ratelimit-limit': '2' }, [{ limit: 2, windowMs: 1_000 }]],
  [{ 'x-amzn-ratelimit-limit': '0.0055' }, [{ limit: 1, windowMs: 181_819 }]],
  [{ 'x-post-rate-limit-limit': '5' }, [{ name: 'post', limit: 5, unit: 'posts' }]],
  [{ 'x-amzn-ratelimit-limit': '0.00000000317097919838' }, [{ limit: 1, windowMs: 315_360_000_000 }]],
  [{ 'x-amzn-ratelimit-limit': '0.00000000317097919837' }, []],
  [{ 'x-amzn-ratelimit-limit': '0' }, []],
  [{ 'x-amzn-ratelimit-limit': '-1' }, []],
  [{ 'x-amzn-ratelimit-limit': 'x' }, []],
])('%j', (headers, limits) => expect(readRateLimit(headers).limits).toStrictEqual(limits))

test.each([
  [
    '0',
    [
      { name: 'second', limit: 10, windowMs: 1_000 },
      { name: 'hour', remaining: 0, windowMs: 3_600_000, resetInMs: 9_000, ...second },
    ],
  ],
  [
    '5',
    [
      { name: 'second', limit: 10, windowMs: 1_000, resetInMs: 9_000, ...second },
      { name: 'hour', remaining: 5, windowMs: 3_600_000 },
    ],
  ],
])('the one reset belongs to the hour where nothing is left of it: %s', (left, limits) => {
  const headers = { 'second-limit': '10', 'hour-remaining': left, reset: '9' }
  const prefixed = Object.entries(headers).map(([field, text]) => [`x-contentful-ratelimit-${field}`, text])
  expect(readRateLimit(Object.fromEntries(prefixed)).limits).toStrictEqual(limits)
})
