import { describe, expect, it } from 'vitest'
import { type HeaderSource, readRateLimit } from '../../src/headers/index.ts'

const hourMs = 3_600_000
const newYearMs = Date.UTC(2026, 0, 1)

describe('throttled', () => {
  for (const [status, retryAfter, throttled] of [
    [429, undefined, true],
    [429, '0', true],
    [503, '30', true],
    [503, '0', false],
    [503, undefined, false],
    [503, 'soon', false],
    [200, '30', false],
    [500, '30', false],
    [undefined, '30', false],
  ] as const) {
    it(`is ${throttled} for ${status} with Retry-After ${retryAfter}`, () => {
      const seen = readRateLimit({ 'retry-after': retryAfter }, { status })
      expect(seen.throttled).toBe(throttled)
      expect(seen.scope).toBe('partition')
    })
  }
})

describe('a response that says nothing about the client', () => {
  const headers = { 'x-ratelimit-remaining': '5', 'retry-after': '30' }
  const limits = [{ remaining: 5 }]
  for (const [what, status, more, expected] of [
    ['200', 200, {}, limits],
    ['no status', undefined, {}, limits],
    ['403', 403, {}, limits],
    ['401', 401, {}, []],
    ['304', 304, {}, []],
    ['from a cache', 200, { age: '1' }, []],
    ['a 429 from a cache', 429, { age: '7' }, []],
    ['an age of zero', 200, { age: '0' }, limits],
    ['a malformed age', 200, { age: '-1' }, limits],
  ] as const) {
    it(`${what}: ${expected.length} limits, and the hint`, () => {
      const seen = readRateLimit({ ...headers, ...more }, { status })
      expect(seen).toStrictEqual({
        limits: expected,
        ...(expected.length === 0 && { tellsNothing: true }),
        retryAfterMs: 30_000,
        throttled: status === 429,
        scope: 'partition',
      })
    })
  }
})

describe('the clock that dates are read against', () => {
  const at = (ms: number) => new Date(newYearMs + ms).toUTCString()
  const forms: readonly (readonly [what: string, value: string])[] = [
    ['HTTP date', at(60_000)],
    ['seconds since the epoch', String(newYearMs / 1_000 + 60)],
    ['milliseconds since the epoch', String(newYearMs + 60_000)],
    ['ISO 8601', new Date(newYearMs + 60_000).toISOString()],
    ['RFC 850', 'Thursday, 01-Jan-26 00:01:00 GMT'],
  ]
  for (const [what, value] of forms) {
    const headers = { 'x-ratelimit-reset': value, 'retry-after': value }

    it(`is the response's own Date, however wrong the client's clock: ${what}`, () => {
      for (const skewMs of [-10 * hourMs, 0, 10 * hourMs]) {
        const seen = readRateLimit({ ...headers, date: at(0) }, { nowMs: newYearMs + skewMs })
        expect(seen.limits[0]?.resetInMs).toBe(60_000)
        expect(seen.retryAfterMs).toBe(60_000)
      }
    })

    it(`is the response's own Date where the client gives no time: ${what}`, () => {
      const seen = readRateLimit({ ...headers, date: at(0) })
      expect(seen.limits[0]?.resetInMs).toBe(60_000)
      expect(seen.retryAfterMs).toBe(60_000)
    })

    it(`is the client's where Date is missing or unreadable: ${what}`, () => {
      for (const date of [undefined, 'yesterday', 'Thu, 31 Feb 2026 00:00:00 GMT']) {
        const seen = readRateLimit({ ...headers, date }, { nowMs: newYearMs + 10_000 })
        expect(seen.limits[0]?.resetInMs).toBe(50_000)
        expect(seen.retryAfterMs).toBe(50_000)
      }
    })

    it(`is unknown without either, and the date is absent: ${what}`, () => {
      for (const nowMs of [undefined, Number.NaN, Number.POSITIVE_INFINITY]) {
        expect(readRateLimit(headers, { nowMs })).toStrictEqual({ limits: [], throttled: false, scope: 'partition' })
      }
    })
  }

  it('does not matter to a delay', () => {
    expect(readRateLimit({ 'x-ratelimit-reset': '60', date: at(-hourMs) }, { nowMs: 0 }).limits[0]?.resetInMs).toBe(
      60_000,
    )
  })

  it('may have a fraction of a millisecond, and the wait is rounded up', () => {
    expect(readRateLimit({ 'retry-after': at(1_000) }, { nowMs: newYearMs + 0.25 }).retryAfterMs).toBe(1_000)
    expect(readRateLimit({ 'retry-after': at(1_000) }, { nowMs: newYearMs + 1.25 }).retryAfterMs).toBe(999)
  })
})

describe('the sources of headers', () => {
  const wanted = { limits: [{ limit: 9, remaining: 5 }], retryAfterMs: 2_000, throttled: false, scope: 'partition' }
  const pairs = { 'X-RateLimit-Limit': '9', 'x-ratelimit-remaining': '5', 'RETRY-AFTER': '2' }
  const lower = new Map(Object.entries(pairs).map(([name, value]) => [name.toLowerCase(), value]))

  for (const [what, headers] of [
    ['Headers', new Headers(pairs)],
    ['a record, in any case', pairs],
    ['a record with lists', { 'x-ratelimit-limit': ['9', '9'], 'x-ratelimit-remaining': ['5'], 'retry-after': ['2'] }],
    ['a record with a header called get', { ...pairs, get: '1' }],
    ['a record with a spelling that is undefined', { 'Retry-After': undefined, ...pairs }],
    ['a record of two spellings: the first', { ...pairs, 'Retry-After': '7' }],
    ['a map', lower],
    ['a record without a prototype', Object.assign(Object.create(null), pairs) as typeof pairs],
  ] as readonly (readonly [string, HeaderSource])[]) {
    it(`${what}`, () => expect(readRateLimit(headers)).toStrictEqual(wanted))
  }

  it('keep their own this', () => {
    class Own {
      readonly #value = '3'
      get(name: string): string | null {
        return name === 'retry-after' ? this.#value : null
      }
    }
    expect(readRateLimit(new Own()).retryAfterMs).toBe(3_000)
  })
})

describe('headers that are not what they should be', () => {
  const nothing = { limits: [], throttled: true, scope: 'partition' }
  const hostile = (make: () => unknown) => make() as HeaderSource
  const fail = (): never => {
    throw new Error('hostile')
  }

  for (const [what, make] of [
    ['null', () => null],
    ['undefined', () => undefined],
    ['a number', () => 5],
    ['a string', () => 'retry-after: 5'],
    ['an array', () => ['retry-after', '5']],
    ['an empty name', () => ({ '': '5' })],
    ['a header called undefined', () => ({ undefined: '5' })],
    ['names of the prototype', () => Object.create({ 'retry-after': '5' }) as unknown],
    ['values that are no strings', () => ({ 'retry-after': 5, 'x-ratelimit-limit': {}, 'x-ratelimit-reset': null })],
    ['lists of what is no string', () => ({ 'retry-after': [5], 'x-ratelimit-limit': [Symbol('5')] })],
    ['lists of lists', () => ({ 'retry-after': [['5']] })],
    ['get that gives numbers', () => ({ get: () => 5 })],
    ['get that gives objects', () => ({ get: () => ({ toString: fail }) })],
    ['get that throws', () => ({ get: fail })],
    ['a getter that throws', () => Object.defineProperty({}, 'retry-after', { get: fail, enumerable: true })],
    ['a proxy that throws', () => new Proxy({}, { get: fail, ownKeys: fail, has: fail })],
    ['a proxy that hides its keys', () => new Proxy({}, { ownKeys: fail })],
    ['too long a value', () => ({ 'retry-after': `${' '.repeat(8_191)}30` })],
    ['too long a list', () => ({ 'x-ratelimit-limit': Array.from({ length: 65 }, () => '5') })],
    ['too long a value in a list', () => ({ 'x-ratelimit-limit': [`${'9'.repeat(4)}${' '.repeat(8_189)}`] })],
  ] as const) {
    it(`${what}`, () => expect(readRateLimit(hostile(make), { status: 429 })).toStrictEqual(nothing))
  }

  it('are read up to 8 192 characters', () => {
    for (const text of ['30'.padStart(8_192), ['30'.padStart(8_192)]])
      expect(readRateLimit({ 'retry-after': text }).retryAfterMs).toBe(30_000)
  })

  it('take none of the others with them', () => {
    const headers = Object.defineProperty({ 'retry-after': '5' }, 'x-retry-after', { get: fail, enumerable: true })
    expect(readRateLimit(headers).retryAfterMs).toBe(5_000)
  })
})
