import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readRateLimit } from '../../src/headers/index.ts'
import { expectSane } from './sane.ts'
import { examples } from '../support/examples.ts'

const names = [
  'date',
  'age',
  'retry-after',
  'retry-after-ms',
  'x-retry-after',
  ...['x-ratelimit', 'x-rate-limit', 'ratelimit', 'rate-limit'].flatMap((prefix) =>
    ['limit', 'remaining', 'used', 'reset'].map((field) => `${prefix}-${field}`),
  ),
]

const number = fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double(), fc.float(), fc.bigInt()).map(String)
const date = fc
  .date({ noInvalidDate: false })
  .map((value) => (Number.isNaN(value.getTime()) ? 'Invalid Date' : value))
  .chain((value) =>
    typeof value === 'string'
      ? fc.constant(value)
      : fc.constantFrom(value.toUTCString(), value.toISOString(), String(value)),
  )
const alphabet = fc.string({ unit: fc.constantFrom(...'0123456789.-+,;:="\\ wsTZGMTeE'.split('')), maxLength: 40 })
const list = fc
  .array(fc.tuple(number, fc.constantFrom(';w=', ';window=', ';name=', ','), number), { maxLength: 30 })
  .map((members) => members.flat().join(''))
const value = fc.oneof(
  number,
  date,
  alphabet,
  list,
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.string({ minLength: 8_193 }),
)

const headers = fc.dictionary(fc.constantFrom(...names), fc.oneof(value, fc.array(value, { maxLength: 3 })), {
  noNullPrototype: false,
})
const options = fc.record(
  {
    status: fc.oneof(fc.constantFrom(200, 304, 401, 429, 503), fc.double()),
    nowMs: fc.oneof(fc.maxSafeInteger(), fc.double()),
  },
  { requiredKeys: [] },
)

describe('for any headers whatever', () => {
  it('nothing is thrown, and every number is finite and in its range', () => {
    fc.assert(
      fc.property(headers, options, (anyHeaders, anyOptions) => {
        expectSane(readRateLimit(anyHeaders, anyOptions))
        expectSane(readRateLimit({ get: (name) => (anyHeaders[name] ?? null) as string | null }, anyOptions))
      }),
      { numRuns: examples(2_000) },
    )
  })

  it('the same headers are read the same from a record, from Headers and from any case', () => {
    const plain = fc.dictionary(fc.constantFrom(...names), fc.oneof(number, list, alphabet))
    fc.assert(
      fc.property(plain, options, (record, anyOptions) => {
        const upper = Object.fromEntries(Object.entries(record).map(([name, text]) => [name.toUpperCase(), text]))
        const seen = readRateLimit(record, anyOptions)
        expect(readRateLimit(upper, anyOptions)).toStrictEqual(seen)
        expect(readRateLimit(new Headers(record), anyOptions)).toStrictEqual(seen)
      }),
    )
  })

  it('a number of seconds is that number of milliseconds, never fewer', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 315_359_999 }),
        fc.integer({ min: 0, max: 999_999_999 }),
        (seconds, nanos) => {
          const text = `${seconds}.${String(nanos).padStart(9, '0')}`
          const { retryAfterMs, limits } = readRateLimit({ 'retry-after': text, 'x-ratelimit-reset': text })
          expect(retryAfterMs).toBe(seconds * 1_000 + Math.ceil(nanos / 1_000_000))
          expect(limits[0]?.resetInMs).toBe(retryAfterMs)
        },
      ),
    )
  })
})

describe('for any skew between the clocks', () => {
  it('a reset is as far off as the response says', () => {
    const epochSeconds = fc.integer({ min: 1_000_000_000, max: 4_000_000_000 })
    const waitSeconds = fc.integer({ min: -1_000_000, max: 315_360_000 })
    fc.assert(
      fc.property(epochSeconds, waitSeconds, fc.integer(), (madeAt, wait, skewMs) => {
        const resetAt = Math.max(madeAt + wait, 1_000_000_000)
        const date = new Date(madeAt * 1_000).toUTCString()
        const nowMs = madeAt * 1_000 + skewMs
        const expected = Math.max(resetAt - madeAt, 0) * 1_000
        for (const reset of [
          String(resetAt),
          new Date(resetAt * 1_000).toUTCString(),
          new Date(resetAt * 1_000).toISOString(),
        ]) {
          expect(readRateLimit({ 'x-ratelimit-reset': reset, date }, { nowMs }).limits[0]?.resetInMs).toBe(expected)
        }
      }),
    )
  })
})
