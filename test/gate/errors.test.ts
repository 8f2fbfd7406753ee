import { describe, expect, test } from 'vitest'
import {
  ConfigError,
  HeadgateError,
  isConfigError,
  isHeadgateError,
  isRateLimitError,
  RateLimitError,
  type RefusalReason,
} from '../../src/gate/index.ts'

describe('a refusal', () => {
  test.each<{ reason: RefusalReason; code: string; message: string }>([
    { reason: 'parked', code: 'HEADGATE_PARKED', message: 'the upstream asked to slow down' },
    {
      reason: 'probing',
      code: 'HEADGATE_PROBING',
      message: 'one attempt is finding out whether the upstream has recovered',
    },
    {
      reason: 'wait-too-long',
      code: 'HEADGATE_WAIT_TOO_LONG',
      message: 'the wait would be longer than the caller allows',
    },
    { reason: 'queue-full', code: 'HEADGATE_QUEUE_FULL', message: 'maxQueueSize callers are waiting already' },
    { reason: 'never', code: 'HEADGATE_NEVER', message: 'the weight is above the limit' },
    { reason: 'closed', code: 'HEADGATE_CLOSED', message: 'it is closed' },
    { reason: 'engine-lost', code: 'HEADGATE_ENGINE_LOST', message: 'the shared budget cannot be reached' },
  ])('$reason has the code $code and says: $message', ({ reason, code, message }) => {
    const error = new RateLimitError(reason)
    expect([error.name, error.reason, error.code]).toEqual(['RateLimitError', reason, code])
    expect(error.message).toBe(`Not sent: ${message}`)
  })

  test.each([
    { details: { host: 'a.example' }, message: 'Not sent for a.example: it is closed' },
    { details: { host: 'a.example', port: 443 }, message: 'Not sent for a.example:443: it is closed' },
    { details: { port: 443, partition: 'secret' }, message: 'Not sent: it is closed' },
    { details: { retryAfterMs: 0 }, message: 'Not sent: it is closed' },
    { details: { retryAfterMs: 10.2 }, message: 'Not sent: it is closed; try again in 11 ms' },
  ])('with $details says: $message', ({ details, message }) => {
    const error = new RateLimitError('closed', details)
    expect(error.message).toBe(message)
    expect(error).toMatchObject(details)
  })
})

describe('options that cannot be used', () => {
  test.each<[value: unknown, told: string]>([
    ['5', '"5"'],
    [5, '5'],
    [null, 'null'],
    [undefined, 'undefined'],
    [() => 5, 'a function'],
    [[5], 'an array'],
    [{ a: 5 }, 'an object'],
  ])('%j is told as %s', (value, told) => {
    const error = new ConfigError([{ option: 'a.b', value, expected: 'a limit' }])
    expect(error.message).toBe(`a.b: expected a limit, got ${told}`)
  })

  test('are all told', () => {
    const error = new ConfigError(['a', 'b'].map((option) => ({ option, value: 1, expected: 'a limit' })))
    expect([error.name, error.code]).toEqual(['ConfigError', 'HEADGATE_CONFIG'])
    expect(error.message).toBe('a: expected a limit, got 1; b: expected a limit, got 1')
  })
})

describe('guards', () => {
  const ofOtherCopy = { [Symbol.for('headgate.error')]: true }
  const none = { ours: false, refusal: false, config: false }
  test.each<{ name: string; error: unknown; ours: boolean; refusal: boolean; config: boolean }>([
    { name: 'an error of another kind', error: new HeadgateError('A', 'b'), ...none, ours: true },
    { name: 'a refusal', error: new RateLimitError('closed'), ...none, ours: true, refusal: true },
    { name: 'a ConfigError', error: new ConfigError([]), ...none, ours: true, config: true },
    {
      name: 'a refusal by another copy of the package',
      error: { ...ofOtherCopy, code: 'HEADGATE_CLOSED', reason: 'closed' },
      ...none,
      ours: true,
      refusal: true,
    },
    {
      name: 'a ConfigError of another copy',
      error: { ...ofOtherCopy, code: 'HEADGATE_CONFIG' },
      ...none,
      ours: true,
      config: true,
    },
    { name: 'what looks like a refusal', error: { code: 'HEADGATE_CLOSED', reason: 'closed' }, ...none },
    { name: 'what looks like a ConfigError', error: { code: 'HEADGATE_CONFIG' }, ...none },
    { name: 'null', error: null, ...none },
    { name: 'undefined', error: undefined, ...none },
    { name: 'text', error: 'HEADGATE_CONFIG', ...none },
  ])('$name: one of ours $ours, a refusal $refusal, a ConfigError $config', ({ error, ours, refusal, config }) => {
    expect([isHeadgateError(error), isRateLimitError(error), isConfigError(error)]).toEqual([ours, refusal, config])
  })
})
