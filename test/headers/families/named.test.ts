import { expect, test } from 'vitest'
import { windowMsOf } from '../../../src/headers/families/named.ts'
import { readRateLimit } from '../../../src/headers/index.ts'

const DAY = 86_400_000

test.each([
  ['second', 1_000],
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', DAY],
  ['month', 30 * DAY],
  ['year', 365 * DAY],
  ['10s', 10_000],
  ['1m', 60_000],
  ['5h', 18_000_000],
  ['7d', 7 * DAY],
  ['999s', 999_000],
  ['1000s', undefined],
  ['0s', undefined],
  ['-1s', undefined],
  ['s', undefined],
  ['1.5s', undefined],
  ['10', undefined],
  ['10x', undefined],
  ['xs', undefined],
])('%s is a window of %s ms', (name, windowMs) => expect(windowMsOf(name)).toBe(windowMs))

test.each<[header: string, reading: object]>([
  ['x-ratelimit-limit-tokens', { name: 'tokens', unit: 'tokens' }],
  ['x-ratelimit-limit-tokens_usage_based', { name: 'tokens_usage_based', unit: 'tokens' }],
  ['x-ratelimit-limit-input-tokens', { name: 'input-tokens', unit: 'input-tokens' }],
  ['x-ratelimit-limit-input-tokens-minute', { name: 'input-tokens-minute', unit: 'input-tokens', windowMs: 60_000 }],
  ['x-ratelimit-limit-minute', { name: 'minute', windowMs: 60_000 }],
  ['x-ratelimit-limit-other', { name: 'other' }],
  ['x-ratelimit-complexity-limit', { name: 'complexity', unit: 'complexity' }],
  ['x-ratelimit-hour-limit', { name: 'hour', windowMs: 3_600_000 }],
  ['anthropic-ratelimit-output-tokens-limit', { name: 'output-tokens', unit: 'output-tokens' }],
  ['anthropic-priority-output-tokens-limit', { name: 'priority-output-tokens', unit: 'output-tokens' }],
  ['credits-ratelimit-limit', { name: 'credits', unit: 'credits' }],
])('%s', (header, reading) => {
  expect(readRateLimit({ [header]: '5' }).limits).toStrictEqual([{ limit: 5, ...reading }])
})
