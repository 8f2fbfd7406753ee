import { expect, test } from 'vitest'
import { readRateLimit } from '../../../src/headers/index.ts'

const name = 'n'.repeat(64)
const reset = (seconds: number) => ({ resetInMs: seconds * 1_000, resetStepMs: 1_000 })
const read = (states: string, policies = '') =>
  readRateLimit({ ratelimit: states, 'ratelimit-policy': policies }).limits

test.each<[states: string, policies: string, limits: object[]]>([
  [
    '"day";r=100;t=36000',
    '"day";q=5000;w=86400',
    [{ name: 'day', limit: 5_000, remaining: 100, windowMs: 86_400_000, ...reset(36_000) }],
  ],
  ['"day";r=100', '', [{ name: 'day', remaining: 100 }]],
  ['"day";t=5', '', [{ name: 'day', ...reset(5) }]],
  ['"day";x=5', '', []],
  ['"day";x=5', '"day";w=5', []],
  ['', '"day";q=5', [{ name: 'day', limit: 5 }]],
  ['day;r=1', '"day";q=5', [{ name: 'day', limit: 5, remaining: 1 }]],
  [
    '"a";r=1',
    '"b";q=5',
    [
      { name: 'a', remaining: 1 },
      { name: 'b', limit: 5 },
    ],
  ],
  [`"${name}n";r=1`, '', [{ name, remaining: 1 }]],
  ['"a";r=1', '"a";q=5;qu="requests"', [{ name: 'a', limit: 5, remaining: 1 }]],
  ['"a";r=1', '"a";q=5;qu=""', [{ name: 'a', limit: 5, remaining: 1 }]],
  ['"a";r=1', '"a";q=5;qu="content-bytes"', [{ name: 'a', limit: 5, remaining: 1, unit: 'content-bytes' }]],
  ['"a";r=1', `"a";q=5;qu=${name}`, [{ name: 'a', limit: 5, remaining: 1, unit: name }]],
  ['"a";r=1', `"a";q=5;qu=${name}n`, [{ name: 'a', limit: 5, remaining: 1 }]],
])('a list: %j beside %j', (states, policies, limits) => expect(read(states, policies)).toStrictEqual(limits))

test.each<[states: string, policies: string, limits: object[]]>([
  ['limit=100, remaining=50, reset=5', '', [{ limit: 100, remaining: 50, ...reset(5) }]],
  [' LIMIT = 100 , remaining = 50 ', '', [{ limit: 100, remaining: 50 }]],
  ['remaining=50', '', [{ remaining: 50 }]],
  ['reset=5, partial', '', [reset(5)]],
  [
    'limit=100',
    '100;w=60, 5;w=1',
    [
      { limit: 100, windowMs: 60_000 },
      { limit: 5, windowMs: 1_000 },
    ],
  ],
  ['limit=100, limitless', '', [{ limit: 100 }]],
  ['other=5', '', []],
])('a dictionary: %j beside %j', (states, policies, limits) => expect(read(states, policies)).toStrictEqual(limits))

test('of two that tell the same the first family is believed', () => {
  expect(readRateLimit({ ratelimit: 'limit=9, remaining=5', 'x-ratelimit-limit': '8' }).limits).toEqual([
    { limit: 9, remaining: 5 },
  ])
})
