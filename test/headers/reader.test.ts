import { describe, expect, test } from 'vitest'
import { RateLimitReader } from '../../src/headers/index.ts'
import { vectors } from './vectors.ts'

/** Headers that note what they are asked for, and how often they are listed. */
function noting(init: Record<string, string>) {
  const headers = new Headers(init)
  const asked: string[] = []
  const noted = {
    asked,
    lists: 0,
    get: (name: string) => (asked.push(name), headers.get(name)),
    [Symbol.iterator]: () => ((noted.lists += 1), headers[Symbol.iterator]()),
  }
  return noted
}

const limits = { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '40', 'x-ratelimit-reset': '30' }
const ok = { status: 200 }

describe('of an upstream that tells no limits', () => {
  test('a response costs one look-up once that is known', () => {
    const reader = new RateLimitReader()
    const responses = Array.from({ length: 64 }, () => noting({ 'content-type': 'text/plain', date: 'x' }))
    for (const headers of responses) reader.read(headers, ok)
    expect(responses.map(({ lists }) => lists).slice(0, 16)).toEqual(Array.from({ length: 16 }, () => 1))
    expect(responses.slice(16).filter(({ lists }) => lists > 0)).toHaveLength(3)
    const unlooked = responses.filter(({ lists }) => lists === 0)
    expect(Math.max(...unlooked.map(({ asked }) => asked.length))).toBe(1)
  })

  test('it is found out within 16 responses that it does now', () => {
    const reader = new RateLimitReader()
    for (let read = 0; read < 100; read++) reader.read(new Headers(), ok)
    const found = Array.from({ length: 16 }, () => reader.read(new Headers(limits), ok).limits.length)
    expect(found.at(-1)).toBe(1)
  })

  test('a response that may refuse is always looked through', () => {
    const reader = new RateLimitReader()
    for (let read = 0; read < 17; read++) reader.read(new Headers(), ok)
    expect(reader.read(new Headers({ ...limits, 'retry-after': '5' }), { status: 429 })).toMatchObject({
      limits: [{ limit: 100 }],
      retryAfterMs: 5_000,
    })
  })
})

describe('of one that does', () => {
  test('headers that it sends now and then are read whenever it does', () => {
    const reader = new RateLimitReader()
    reader.read(new Headers(limits), ok)
    for (let read = 0; read < 20; read++) expect(reader.read(new Headers(), ok).limits).toEqual([])
    expect(reader.read(new Headers(limits), ok).limits).toHaveLength(1)
  })

  test('the clock is read only where an instant is told', () => {
    const reader = new RateLimitReader()
    for (let read = 0; read < 17; read++) reader.read(new Headers(limits), ok)
    const delta = noting({ ...limits, date: 'Thu, 01 Jan 2026 00:00:00 GMT' })
    reader.read(delta, ok)
    expect(delta.asked).not.toContain('date')
    const epoch = new Headers({ ...limits, 'x-ratelimit-reset': '1767225630', date: 'Thu, 01 Jan 2026 00:00:00 GMT' })
    expect(reader.read(epoch, ok).limits).toMatchObject([{ resetInMs: 30_000 }])
  })

  test('no headers are asked for but those that it sends, and two', () => {
    const reader = new RateLimitReader()
    const sent = { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '40' }
    for (let read = 0; read < 17; read++) reader.read(new Headers(sent), ok)
    const headers = noting(sent)
    reader.read(headers, ok)
    expect(new Set(headers.asked)).toEqual(new Set([...Object.keys(sent), 'age', 'retry-after']))
  })

  test('each response is read by a date of its own', () => {
    const reader = new RateLimitReader()
    const date = 'Thu, 01 Jan 2026 00:00:00 GMT'
    const at = (more: object) =>
      reader.read({ 'x-ratelimit-reset': '1767225630', ...more }, { ...ok, nowMs: 1_767_225_610_000 }).limits
    expect(at({ date })).toMatchObject([{ resetInMs: 30_000 }])
    expect(at({})).toMatchObject([{ resetInMs: 20_000 }])
    expect(at({ date })).toMatchObject([{ resetInMs: 30_000 }])
  })

  test('it says what it has found', () => {
    const reader = new RateLimitReader()
    expect(reader.snapshot()).toEqual({ headers: [], resetUnit: 'seconds' })
    reader.read(new Headers({ ...limits, 'x-github-request-id': '1' }), ok)
    expect(reader.snapshot()).toEqual({ dialect: 'github', headers: Object.keys(limits), resetUnit: 'seconds' })
    expect(new RateLimitReader('kucoin').snapshot()).toMatchObject({ dialect: 'kucoin' })
    const own = new RateLimitReader({ resetUnit: 'milliseconds' })
    expect(own.snapshot()).toEqual({ headers: [], resetUnit: 'milliseconds' })
  })

  test('names without end are not remembered', () => {
    const reader = new RateLimitReader()
    for (let read = 0; read < 100; read++) reader.read({ [`x-ratelimit-limit-${read}`]: '1' }, { status: 429 })
    expect(reader.snapshot().headers).toHaveLength(64)
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`x-ratelimit-limit-a${index}`, '1']))
    expect(new RateLimitReader().read(many, ok).limits).toHaveLength(16)
  })
})

test('what a dialect of one’s own reads is found out once, however many readers it has', () => {
  let asked = 0
  const dialect = {
    limits: [Object.defineProperty({}, 'limit', { get: () => ((asked += 1), 'x-own'), enumerable: true })],
  }
  const tell = () => new RateLimitReader(dialect).read({ 'x-own': '5' }, ok).limits
  expect(tell()).toEqual([{ limit: 5 }])
  const askedOnce = asked
  expect([tell(), asked]).toEqual([[{ limit: 5 }], askedOnce])
})

test.each(vectors)(
  'a response without any of the headers that were sent before tells nothing: $id',
  ({ headers, now }) => {
    const reader = new RateLimitReader()
    reader.read(headers, { ...ok, nowMs: Date.parse(now), at: 0 })
    for (const at of [2_000, 4_000]) expect(reader.read({}, { ...ok, at }).limits).toEqual([])
  },
)

test.each([
  [255, 1],
  [256, 0],
])('behind %d other headers %d limits are found', (count, found) => {
  const others = Array.from({ length: count }, (_, index): [string, string] => [`a${1_000 + index}`, ''])
  const names: [string, string][] = [...others, ['x-ratelimit-limit', '5']]
  for (const headers of [Object.fromEntries(names), new Headers(names)])
    expect(new RateLimitReader().read(headers, ok).limits).toHaveLength(found)
})

describe('headers that cannot be listed', () => {
  const unlisted = (headers: Record<string, string>) => ({ get: (name: string) => headers[name] })

  test('are asked for by the names that are known in full', () => {
    const reader = new RateLimitReader()
    expect(reader.read(unlisted(limits), ok).limits).toMatchObject([{ limit: 100, remaining: 40 }])
    expect(reader.snapshot().headers.toSorted()).toEqual(Object.keys(limits).toSorted())
  })

  test('and none are read where listing them throws', () => {
    const headers = {
      ...unlisted(limits),
      [Symbol.iterator]: () => {
        throw new Error('no')
      },
    }
    expect(new RateLimitReader().read(headers, ok).limits).toMatchObject([{ limit: 100 }])
  })
})

test('a dialect is known by the first sign, and one that was named by none', () => {
  const reader = new RateLimitReader()
  reader.read({ 'x-github-request-id': '1' }, ok)
  reader.read({ 'anthropic-organization-id': '1' }, ok)
  expect(reader.snapshot().dialect).toBe('github')
  for (const dialect of ['kucoin', {}] as const) {
    const told = new RateLimitReader(dialect)
    const before = told.snapshot().dialect
    told.read({ 'x-github-request-id': '1' }, ok)
    expect(told.snapshot().dialect).toBe(before)
  }
})

test('of a cache nothing is believed once the upstream is known to tell limits', () => {
  const reader = new RateLimitReader()
  for (let read = 0; read < 17; read++) reader.read(new Headers(limits), ok)
  expect(reader.read(new Headers({ ...limits, age: '5' }), ok)).toMatchObject({ limits: [], tellsNothing: true })
})

describe('a bare number in a reset', () => {
  const reset = (value: number | string) => ({ 'x-ratelimit-remaining': '5', 'x-ratelimit-reset': String(value) })

  /** Readings at these instants; what the last one came to. */
  function after(...readings: [at: number | undefined, value: number | string][]) {
    const reader = new RateLimitReader()
    const seen = readings.map(([at, value]) => reader.read(reset(value), { ...ok, at }).limits[0]?.resetInMs)
    return [seen.at(-1), reader.snapshot().resetUnit]
  }

  test.each<[string, [number | undefined, number | string][], number, string]>([
    [
      'that falls with the milliseconds counts them',
      [
        [0, 600_000],
        [2_000, 598_000],
      ],
      598_000,
      'milliseconds',
    ],
    [
      'also where answers are slow',
      [
        [0, 600_000],
        [2_000, 599_000],
      ],
      599_000,
      'milliseconds',
    ],
    [
      'that falls with the seconds counts those',
      [
        [0, 600],
        [2_000, 598],
      ],
      598_000,
      'seconds',
    ],
    [
      'that moves along is an estimate in seconds',
      [
        [0, 58],
        [2_000, 58],
      ],
      58_000,
      'seconds',
    ],
    [
      'that begins anew tells nothing',
      [
        [0, 600],
        [2_000, 600_000],
      ],
      600_000_000,
      'seconds',
    ],
    [
      'that falls at once tells nothing',
      [
        [0, 600_000],
        [10, 599_000],
      ],
      599_000_000,
      'seconds',
    ],
    [
      'that falls to the next window tells nothing',
      [
        [0, 600_000],
        [2_000, 5],
      ],
      5_000,
      'seconds',
    ],
    [
      'is compared over a second, however many come between',
      [
        [0, 600_000],
        [500, 599_500],
        [1_000, 599_000],
      ],
      599_000,
      'milliseconds',
    ],
    [
      'is not compared within a second',
      [
        [0, 600_000],
        [500, 599_500],
      ],
      599_500_000,
      'seconds',
    ],
    [
      'is not compared with one at no known time',
      [
        [undefined, 600_000],
        [0, 600_000],
        [2_000, 598_000],
      ],
      598_000,
      'milliseconds',
    ],
    [
      'may fall to nothing',
      [
        [0, 1_000],
        [1_000, 0],
      ],
      0,
      'milliseconds',
    ],
    ...['soon', -1, 1_000_000_000].map((value): [string, [number, number | string][], number, string] => [
      `is compared past ${value}, which is none`,
      [
        [0, 600_000],
        [1_000, value],
        [2_000, 598_000],
      ],
      598_000,
      'milliseconds',
    ]),
  ])('%s', (_, readings, resetInMs, unit) => {
    expect(after(...readings)).toEqual([resetInMs, unit])
  })

  test('and once that is known, it stays so', () => {
    expect(after([0, 600_000], [2_000, 598_000], [4_000, 600_000])).toEqual([600_000, 'milliseconds'])
  })

  test.each<[string, Record<string, string>, string]>([
    ['the same limit', {}, 'milliseconds'],
    ['another number', { 'x-ratelimit-limit': '6' }, 'seconds'],
    ['another name', { 'x-ratelimit-resource': 'b' }, 'seconds'],
  ])('is compared with that of the same limit alone: %s', (_, other, unit) => {
    const reader = new RateLimitReader()
    const first = { ...reset(600_000), 'x-ratelimit-limit': '5', 'x-ratelimit-resource': 'a' }
    reader.read(first, { ...ok, at: 0 })
    reader.read({ ...first, ...reset(598_000), ...other }, { ...ok, at: 2_000 })
    expect(reader.snapshot().resetUnit).toBe(unit)
  })

  test('is that of the first limit that has a reset', () => {
    const reader = new RateLimitReader()
    for (const at of [0, 2_000])
      reader.read({ 'x-ratelimit-limit-a': '5', 'x-ratelimit-reset-b': String(600_000 - at) }, { ...ok, at })
    expect(reader.snapshot().resetUnit).toBe('milliseconds')
  })

  test('an instant is in no doubt', () => {
    const reader = new RateLimitReader()
    for (const [at, value] of [
      [0, 1_767_225_630],
      [2_000, 1_767_224_000],
    ] as const)
      reader.read(reset(value), { ...ok, at, nowMs: 1_767_225_000_000 })
    expect(reader.snapshot().resetUnit).toBe('seconds')
  })
})
