import { expect, test } from 'vitest'
import * as entry from '../src/index.ts'
import type { HeadgateFetch } from '../src/index.ts'

test('the entry exports these values and no others', () => {
  expect(Object.keys(entry).sort()).toEqual([
    'ConfigError',
    'Gate',
    'HeadgateError',
    'RateLimitError',
    'RetryEpisode',
    'createHeadgate',
    'isConfigError',
    'isHeadgateError',
    'isRateLimitError',
    'parseConfig',
    'readRateLimit',
    'systemClock',
  ])
})

test('headgate.fetch stands where a fetch is asked for', () => {
  const takesFetch = (fetch: typeof globalThis.fetch): HeadgateFetch => fetch
  expect(takesFetch(entry.createHeadgate().fetch)).toBeTypeOf('function')
})
