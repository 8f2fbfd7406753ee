import { describe, expect, test } from 'vitest'
import type { Observation, Reading } from '../../src/gate/observation.ts'
import { type Dialect, type DialectName, readRateLimit } from '../../src/headers/index.ts'
import { type Vector, vectors } from './vectors.ts'

/** What cannot be told from the headers alone, and why. */
const NEEDS_NAMING: Readonly<Record<string, string>> = {
  'dockerhub-api': 'no header states the window',
  prisjakt: 'one reading does not tell milliseconds from seconds',
}

const ROUNDING_MS = 1_000

/** A reading as far as it is compared: by name, so that the order makes no difference. */
function comparable(limits: readonly Reading[]): Record<string, unknown> {
  return Object.fromEntries(
    limits.map(({ name = '', resetInMs, resetStepMs: _step, kind: _kind, unit, ...rest }, index) => [
      limits.filter((other) => other.name === name).length > 1 || name === '' ? `${name}#${index}` : name,
      { ...rest, resets: resetInMs !== undefined, ...(unit === 'share' || unit === 'content-bytes' ? { unit } : {}) },
    ]),
  )
}

function resetsOf(limits: readonly Reading[]): Record<string, number> {
  return Object.fromEntries(
    limits.flatMap(({ name = '', resetInMs }) => (resetInMs === undefined ? [] : [[name, resetInMs]])),
  )
}

function read({ headers, now }: Pick<Vector, 'headers' | 'now'>, dialect?: DialectName | Dialect): Observation {
  return readRateLimit(headers, { nowMs: Date.parse(now), dialect })
}

function expectSame({ limits, retryAfterMs }: Observation, expected: Vector): void {
  expect(comparable(limits)).toEqual(comparable(expected.limits))
  const resets = resetsOf(limits)
  for (const [name, resetInMs] of Object.entries(resetsOf(expected.limits)))
    expect(Math.abs(resets[name]! - resetInMs)).toBeLessThanOrEqual(ROUNDING_MS)
  expect(retryAfterMs).toBe(expected.retryAfterMs)
}

/** What a named dialect adds to what its headers say is no error: a window, a limit. */
function expectAtLeast({ limits, retryAfterMs }: Observation, expected: Vector): void {
  expect(limits).toHaveLength(expected.limits.length)
  expect(comparable(limits)).toMatchObject(comparable(expected.limits))
  expect(retryAfterMs).toBe(expected.retryAfterMs)
}

/** Counts are told in fields of their own, or before one of these; what comes after one is a time. */
const NOT_A_COUNT =
  /((?:\b(?:w|window|t|reset|resets|burst)=|"period":|:)\d[\d.]*)|(?<![\w.])(\d+(?:\.\d+)?)(?![\w.%])/g

const TIMES = /reset|retry|period|interval|date|until/i

/** The same record with every count three times as high. */
function tripled(vector: Vector): Vector {
  const counts = new Set(vector.limits.flatMap(({ limit, remaining, used }) => [limit, remaining, used]))
  const triple = (text: string) =>
    text.replace(NOT_A_COUNT, (whole, time: string | undefined) =>
      time === undefined && counts.has(Number(whole)) ? String(Number(whole) * 3) : whole,
    )
  const times3 = (value: number | undefined) => (value === undefined ? undefined : value * 3)
  return {
    ...vector,
    headers: Object.fromEntries(
      Object.entries(vector.headers).map(([name, text]) => [name, TIMES.test(name) ? text : triple(text)]),
    ),
    limits: vector.limits.map(({ limit, remaining, used, ...rest }) =>
      JSON.parse(JSON.stringify({ ...rest, limit: times3(limit), remaining: times3(remaining), used: times3(used) })),
    ),
  }
}

const LATER_MS = 100 * 86_400_000

/** The same record a hundred days later. */
function later(vector: Vector): Vector {
  const shift = (ms: number) => new Date(ms + LATER_MS)
  const shifted = (text: string) =>
    text
      .replace(/\b1\d{9}\b(?!\d)/g, (seconds) => String(Number(seconds) + LATER_MS / 1_000))
      .replace(/\b1\d{12}\b/g, (ms) => String(Number(ms) + LATER_MS))
      .replace(/\d{4}-\d{2}-\d{2}T[\d:]+Z/g, (iso) => shift(Date.parse(iso)).toISOString().replace('.000', ''))
      .replace(/\w{3}, \d{2} \w{3} \d{4} [\d:]+ GMT/g, (date) => shift(Date.parse(date)).toUTCString())
  return {
    ...vector,
    now: shift(Date.parse(vector.now)).toISOString(),
    headers: Object.fromEntries(Object.entries(vector.headers).map(([name, text]) => [name, shifted(text)])),
  }
}

/** Their counts are told apart from times and names by their grammar alone, or are parts of a quota. */
const NOT_TRIPLED = ['erl-draft8-multi', 'riot', 'aws-spapi', 'basecamp2', 'anthropic-unified', 'meta']

const UNRELATED = {
  'content-type': 'application/json',
  'cache-control': 'private, max-age=60',
  server: 'nginx',
  'x-request-id': '17e2',
  'x-content-type-options': 'nosniff',
  via: '1.1 varnish',
  'content-length': '1234',
}

function renamed(vector: Vector, rename: (name: string) => string): Vector {
  const headers = Object.fromEntries(Object.entries(vector.headers).map(([name, text]) => [rename(name), text]))
  return { ...vector, headers }
}

const copies: Record<string, (vector: Vector) => Vector> = {
  'in upper case': (vector) => renamed(vector, (name) => name.toUpperCase()),
  'in lower case': (vector) => renamed(vector, (name) => name.toLowerCase()),
  'the other way round': (vector) => ({
    ...vector,
    headers: Object.fromEntries(Object.entries(vector.headers).toReversed()),
  }),
  'among other headers': (vector) => ({ ...vector, headers: { ...UNRELATED, ...vector.headers } }),
  'with counts three times as high': tripled,
  'a hundred days later': later,
}

describe.each(Object.entries(copies))('%s', (what, copy) => {
  const exempt = [...Object.keys(NEEDS_NAMING), ...(what.includes('counts') ? NOT_TRIPLED : [])]
  const copied = vectors.filter(({ id }) => !exempt.includes(id))

  test.each(copied)('$id', (vector) => expectSame(read(copy(vector)), copy(vector)))

  test.each(copied.filter(({ dialect }) => dialect))('$id by its name', (vector) => {
    expectAtLeast(read(copy(vector), vector.dialect), copy(vector))
  })
})

test('from fetch’s Headers as from a record', () => {
  for (const vector of vectors) {
    const headers = new Headers(vector.headers)
    const { limits, ...rest } = readRateLimit(headers, { nowMs: Date.parse(vector.now) })
    const { limits: expected, ...others } = read(vector)
    expect([new Set(limits), rest]).toEqual([new Set(expected), others])
  }
})

describe('under auto', () => {
  test.each(vectors.filter(({ id }) => !(id in NEEDS_NAMING)))('$id', (vector) => {
    expectSame(read(vector), vector)
  })

  test.each(Object.entries(NEEDS_NAMING))('%s: %s', (id) => {
    const vector = vectors.find((each) => each.id === id)!
    expect(() => expectSame(read(vector), vector)).toThrow('expected')
  })
})

describe('under its name', () => {
  test.each(vectors.filter(({ dialect }) => dialect !== undefined))('$id', (vector) => {
    expectAtLeast(read(vector, vector.dialect), vector)
  })
})
