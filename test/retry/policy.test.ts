import { expect, test } from 'vitest'
import { type RetryOptions, RETRY_DEFAULTS, resolveRetry } from '../../src/retry/policy.ts'

test.each([[undefined], [{}], [{ failed: {}, rateLimited: {} }]])('%j is the defaults', (options) => {
  expect(resolveRetry(options)).toEqual(RETRY_DEFAULTS)
})

test('the defaults are not copied for each call that has no options', () => {
  expect(resolveRetry()).toBe(RETRY_DEFAULTS)
  expect(resolveRetry(RETRY_DEFAULTS)).toBe(RETRY_DEFAULTS)
})

test('the defaults are those of the documentation', () => {
  expect(RETRY_DEFAULTS).toMatchObject({
    rateLimited: { maxDurationMs: 300_000, maxAttempts: 1_000, maxRetryAfterMs: 300_000, whenTooLong: 'clamp' },
    failed: { maxAttempts: 5, baseMs: 500, maxMs: 60_000 },
  })
  expect(new Set(RETRY_DEFAULTS.failed.methods)).toEqual(new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']))
})

test('what is given stands beside them, and what is undefined is not given', () => {
  const options = {
    rateLimited: { maxAttempts: 3, maxDurationMs: undefined },
    failed: { statuses: [500], maxAttempts: undefined },
  } as unknown as RetryOptions
  const { rateLimited, failed } = RETRY_DEFAULTS
  expect(resolveRetry(options)).toEqual({
    rateLimited: { ...rateLimited, maxAttempts: 3 },
    failed: { ...failed, statuses: [500] },
  })
})
