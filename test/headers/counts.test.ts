import { expect, test } from 'vitest'
import type { Reading } from '../../src/gate/observation.ts'
import { readRateLimit } from '../../src/headers/index.ts'

const told = (headers: Record<string, string | string[]>) => readRateLimit(headers).limits

const common = (fields: Record<string, string>) =>
  Object.fromEntries(Object.entries(fields).map(([field, text]) => [`x-ratelimit-${field}`, text]))

const name = 'n'.repeat(64)

test.each<[Record<string, string>, Reading]>([
  [
    { limit: '5', remaining: '-1' },
    { limit: 5, remaining: -1 },
  ],
  [
    { remaining: '0', used: '5' },
    { limit: 5, remaining: 0, used: 5 },
  ],
  [
    { remaining: '3', used: '5' },
    { limit: 8, remaining: 3, used: 5 },
  ],
  [
    { remaining: '-2', used: '7' },
    { remaining: -2, used: 7 },
  ],
  [{ limit: '5', used: '-1' }, { limit: 5 }],
  [
    { limit: '5', reset: '30', 'reset-after': '7' },
    { limit: 5, resetInMs: 7_000, resetStepMs: 1_000 },
  ],
  [
    { limit: '5', reset: '30', 'reset-after': 'soon' },
    { limit: 5, resetInMs: 30_000, resetStepMs: 1_000 },
  ],
  [
    { limit: '5', period: '60' },
    { limit: 5, windowMs: 60_000 },
  ],
  [
    { limit: '5', period: '315360000' },
    { limit: 5, windowMs: 315_360_000_000 },
  ],
  [{ limit: '5', period: '315360001' }, { limit: 5 }],
  [{ limit: '5', period: '0' }, { limit: 5 }],
  [{ limit: '5', period: 'long' }, { limit: 5 }],
  [
    { limit: '5', resource: name },
    { limit: 5, name },
  ],
  [{ limit: '5', resource: `${name}n` }, { limit: 5 }],
])('%j', (fields, reading) => expect(told(common(fields))).toStrictEqual([reading]))

test.each<[Record<string, string>, Reading]>([
  [
    { limit: '100', remaining: '5', policy: '100;w=60' },
    { limit: 100, remaining: 5, windowMs: 60_000 },
  ],
  [{ remaining: '5', policy: '100;w=60' }, { remaining: 5 }],
])('a policy apart from the limit: %j', (fields, reading) => {
  const headers = Object.fromEntries(Object.entries(fields).map(([field, text]) => [`ratelimit-${field}`, text]))
  expect(told(headers)).toStrictEqual([reading])
})

test.each<[Record<string, string>, Reading]>([
  [
    { limit: '5', remaining: '0' },
    { limit: 5, remaining: 0, resetInMs: 7_000, resetStepMs: 1_000 },
  ],
  [
    { limit: '5', remaining: '1' },
    { limit: 5, remaining: 1 },
  ],
  [{ limit: '5' }, { limit: 5 }],
])('what is used up comes back when the response says to try again: %j', (fields, reading) => {
  const { limits } = readRateLimit({ ...common(fields), 'retry-after': '7' }, { status: 429 })
  expect(limits).toStrictEqual([reading])
})

test.each<[string, (string | number)[], Reading[]]>([
  ['64 times', Array.from({ length: 64 }, () => '5'), [{ limit: 5 }]],
  ['65 times', Array.from({ length: 65 }, () => '5'), []],
  ['once as a number', [5, '5'], []],
])('a header that came %s', (_, texts, limits) => {
  expect(told({ 'ratelimit-limit': texts as string[] })).toEqual(limits)
})
