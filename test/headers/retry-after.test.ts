import { describe, expect, it } from 'vitest'
import { readRateLimit } from '../../src/headers/index.ts'

const tenYearsSeconds = 315_360_000

/** Values seen in the wild. Undefined: unusable, so that the caller falls back. */
const seen: readonly (readonly [what: string, value: string, now: string, expectedMs: number | undefined])[] = [
  ['seconds', '120', '2026-01-01T00:00:00Z', 120_000],
  ['zero', '0', '2026-01-01T00:00:00Z', 0],
  ['seconds with nine digits of fraction', '292.052427053', '2026-01-01T00:00:00Z', 292_053],
  ['less than a second', '0.503', '2026-01-01T00:00:00Z', 503],
  ['whole seconds printed as a decimal', '2.0', '2026-01-01T00:00:00Z', 2_000],
  ['seconds with their unit', '30s', '2026-01-01T00:00:00Z', 30_000],
  ['junk behind a number', '120junk', '2026-01-01T00:00:00Z', undefined],
  ['a negative number', '-1466247819', '2016-06-18T11:03:38Z', undefined],
  ['a decimal that some date parsers take for January', '1.5', '2026-01-01T00:00:00Z', 1_500],
  ['seconds since the epoch', '1771404540', '2026-02-18T08:48:00Z', 60_000],
  ['ISO 8601', '2025-01-20T00:00:00Z', '2025-01-19T12:00:00Z', 43_200_000],
  ['ISO 8601 with seven digits of fraction', '2020-05-04T12:23:41.6181792Z', '2020-05-04T12:23:31.618Z', 10_000],
  ['nothing', '', '2026-01-01T00:00:00Z', undefined],
  ['an RFC 850 date', 'Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:07Z', 30_000],
  ['an asctime date', 'Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:07Z', 30_000],
  ['a date that has passed', 'Sun, 06 Nov 1994 08:49:37 GMT', '2026-01-01T00:00:00Z', 0],
  ['an HTTP date', 'Fri, 24 Apr 2026 13:57:22 GMT', '2026-04-24T13:47:22Z', 600_000],
  ['an exponent', '1e3', '2026-01-01T00:00:00Z', undefined],
  ['hexadecimal', '0x10', '2026-01-01T00:00:00Z', undefined],
  ['Infinity', 'Infinity', '2026-01-01T00:00:00Z', undefined],
  // and the edges of each form
  ['milliseconds since the epoch', '1767225630250', '2026-01-01T00:00:00Z', 30_250],
  ['seconds since the epoch with a fraction, rounded up', '1767225630.0001', '2026-01-01T00:00:00Z', 30_001],
  ['seconds since the epoch that have passed', '1767225599', '2026-01-01T00:00:00Z', 0],
  ['the first number that is an instant', '1000000000', '2001-09-09T01:46:30Z', 10_000],
  ['the last number that is an instant in seconds', '999999999999', '2026-01-01T00:00:00Z', undefined],
  ['the first number that is an instant in milliseconds', '1000000000000', '2001-09-09T01:46:30Z', 10_000],
  ['a delay of ten years', `${tenYearsSeconds}`, '2026-01-01T00:00:00Z', tenYearsSeconds * 1_000],
  ['a delay of a second more', `${tenYearsSeconds + 1}`, '2026-01-01T00:00:00Z', undefined],
  ['a delay of a millisecond more', `${tenYearsSeconds}.0001`, '2026-01-01T00:00:00Z', undefined],
  ['the last number that is a delay', '999999999', '2026-01-01T00:00:00Z', undefined],
  ['a date beyond ten years', 'Fri, 31 Dec 9999 23:59:59 GMT', '2026-01-01T00:00:00Z', undefined],
  ['an instant with the unit of a delay', '1767225630s', '2026-01-01T00:00:00Z', undefined],
  ['fractional seconds with their unit', '1.5s', '2026-01-01T00:00:00Z', 1_500],
  ['negative seconds with their unit', '-5s', '2026-01-01T00:00:00Z', undefined],
  ['the unit alone', 's', '2026-01-01T00:00:00Z', undefined],
  ['a small negative number', '-0.5', '2026-01-01T00:00:00Z', undefined],
  ['a two-digit year, judged from the response', 'Wednesday, 01-Jan-70 00:00:30 GMT', '2070-01-01T00:00:00Z', 30_000],
  ['spaces around', ' 30 ', '2026-01-01T00:00:00Z', 30_000],
]

describe('retry-after', () => {
  for (const [what, value, now, expectedMs] of seen) {
    it(`reads ${what} as ${expectedMs}`, () => {
      for (const name of ['retry-after', 'x-retry-after']) {
        expect(readRateLimit({ [name]: value }, { nowMs: Date.parse(now) }).retryAfterMs).toBe(expectedMs)
      }
    })
  }

  it('is absent, not undefined, where there is none', () => {
    expect(readRateLimit({})).toStrictEqual({ limits: [], throttled: false, scope: 'partition' })
  })
})

describe('retry-after-ms', () => {
  for (const [value, expectedMs] of [
    ['250', 250],
    ['250.1', 251],
    ['0', 0],
    ['1767225630250', undefined],
    [`${tenYearsSeconds * 1_000}`, tenYearsSeconds * 1_000],
    [`${tenYearsSeconds * 1_000}.5`, undefined],
    ['-1', undefined],
    ['30s', undefined],
    ['Fri, 24 Apr 2026 13:57:22 GMT', undefined],
  ] as const) {
    it(`reads ${value} as ${expectedMs}`, () => {
      expect(readRateLimit({ 'retry-after-ms': value }, { nowMs: 0 }).retryAfterMs).toBe(expectedMs)
    })
  }
})

describe('the order of the three headers', () => {
  for (const [what, headers, expectedMs] of [
    ['milliseconds come first', { 'x-retry-after': '3', 'retry-after': '2', 'retry-after-ms': '1' }, 1],
    ['then retry-after', { 'x-retry-after': '3', 'retry-after': '2' }, 2_000],
    ['zero is valid', { 'retry-after': '2', 'retry-after-ms': '0' }, 0],
    ['one of more than ten years is passed over', { 'x-retry-after': '3', 'retry-after': '315360001' }, 3_000],
    ['a malformed one is passed over', { 'x-retry-after': '3', 'retry-after': 'soon', 'retry-after-ms': '-1' }, 3_000],
  ] as const) {
    it(`${what}`, () => expect(readRateLimit(headers).retryAfterMs).toBe(expectedMs))
  }
})
