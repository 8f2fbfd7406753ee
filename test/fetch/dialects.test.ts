import { describe, expect, test } from 'vitest'
import { ConfigError, createHeadgate, type Dialect, readRateLimit } from '../../src/index.ts'
import type { Fault } from '../../src/testing/index.ts'
import { answer, exchange, setUpGate, takeAll } from '../support/set-up-gate.ts'
import { firstly, setUp, url } from './support.ts'

const rate = (limit: number, remaining: number, more: Record<string, string> = {}) => ({
  headers: { 'x-ratelimit-limit': String(limit), 'x-ratelimit-remaining': String(remaining), ...more },
})

test('what a dialect calls throttled parks the gate', async () => {
  const spent = { status: 403, ...rate(60, 0, { 'x-ratelimit-reset': '60' }) }
  const { headgate, run, sentAt } = setUp({ dialect: 'github' }, firstly(spent))
  expect((await run(headgate.fetch(url))).status).toBe(200)
  expect(sentAt()).toEqual([0, 61_000])
})

test('what it does not, does not', async () => {
  const { headgate, run, sentAt } = setUp({ dialect: 'github' }, firstly({ status: 403, ...rate(60, 5) }))
  expect((await run(headgate.fetch(url))).status).toBe(403)
  expect(headgate.snapshot().gates).toMatchObject([{ state: 'open' }])
  expect(sentAt()).toEqual([0])
})

test('budgets that the path decides have gates of their own', async () => {
  const search = rate(30, 0, { 'x-ratelimit-resource': 'search', 'x-ratelimit-reset': '60' })
  const core = rate(5_000, 4_999, { 'x-ratelimit-resource': 'core', 'x-ratelimit-reset': '3600' })
  const { headgate, run } = setUp({ dialect: 'github' }, firstly(search, core))
  await run(headgate.fetch('https://api.github.com/search/issues?q=x'))
  await run(headgate.fetch('https://api.github.com/repos/a/b'))
  expect(headgate.explain('https://api.github.com/search/users')).toMatchObject({ boundBy: 'reading' })
  expect(headgate.explain('https://api.github.com/repos/a/b')).toMatchObject({ boundBy: 'nothing' })
  expect(headgate.snapshot().gates).toMatchObject([
    { host: 'api.github.com', partition: 'p1', limits: [{ limit: 30, windowMs: 60_000 }] },
    { host: 'api.github.com', partition: 'p2', limits: [{ limit: 5_000, windowMs: 3_600_000 }] },
  ])
})

test('a budget may be told by what else the dialect says', async () => {
  const dialect: Dialect = {
    units: { requests: 'points' },
    bucket({ path }) {
      return this.units?.['requests'] === 'points' ? path : ''
    },
  }
  const { headgate, run } = setUp({ dialect })
  for (const path of ['/a', '/b']) await run(headgate.fetch(`https://api.example${path}`))
  expect(headgate.snapshot().gates).toHaveLength(2)
})

test('an estimate is corrected by what the response says it cost', async () => {
  const points = { limit: 1_000, windowMs: 3_600_000, unit: 'complexity' }
  const { headgate, run } = setUp(
    { dialect: 'linear', limits: points },
    { faults: [{ headers: { 'x-complexity': '38' } }] },
  )
  await run(headgate.fetch(url, { headgate: { weight: { complexity: 100 } } }))
  expect(headgate.snapshot().gates[0]?.limits[0]).toMatchObject({ held: 38 })
  await run(headgate.fetch(url))
  expect(headgate.snapshot().gates[0]?.limits[0]).toMatchObject({ held: 76 })
})

test('and by nothing in units that the response does not tell', async () => {
  const limits = [
    { limit: 1_000, windowMs: 60_000 },
    { limit: 1_000, windowMs: 60_000, unit: 'tokens' },
  ]
  const cost = { headers: { 'x-ms-resource-unit': '2' } }
  const { headgate, run } = setUp({ dialect: 'microsoft-graph', limits }, { faults: [cost] })
  await run(headgate.fetch(url, { headgate: { weight: 10 } }))
  expect(headgate.snapshot().gates[0]?.limits).toMatchObject([{ held: 10 }, { held: 10 }])
})

test('the snapshot says what is read, and by what', async () => {
  const { headgate, run } = setUp({}, { faults: [rate(60, 59, { 'x-github-request-id': '1' })] })
  await run(headgate.fetch(url))
  expect(headgate.snapshot().gates[0]?.reads).toEqual({
    dialect: 'github',
    headers: ['x-ratelimit-limit', 'x-ratelimit-remaining'],
    resetUnit: 'seconds',
  })
})

test('a share of a quota is known and holds nobody back', async () => {
  const usage = { headers: { 'x-app-usage': '{"call_count":28,"total_time":25}' } }
  const { headgate, run, clock } = setUp({}, { faults: [usage] })
  for (let call = 0; call < 5; call++) await run(headgate.fetch(url))
  expect(clock.now()).toBe(0)
  expect(headgate.snapshot().gates[0]?.limits).toMatchObject([
    { unit: 'share', limit: 1 },
    { unit: 'share', limit: 1 },
  ])
})

describe('a configured limit whose kind is open', () => {
  const limit = { limit: 2, windowMs: 60_000 }
  const left = (remaining: number) => rate(2, remaining, { 'x-ratelimit-reset': '10' })

  test.each([
    ['is fixed where the dialect says so', limit, 11_000],
    ['is what the configuration says', { ...limit, kind: 'rolling' as const }, 60_000],
  ])('%s', async (_, limits, reopensAt) => {
    const { headgate, run, clock, sentAt } = setUp(
      { dialect: { kind: 'fixed' }, limits, transitMs: 0 },
      firstly(left(1), left(0)),
    )
    await clock.advance(50_000)
    for (let call = 0; call < 3; call++) await run(headgate.fetch(url))
    expect(sentAt().at(-1)).toBe(50_000 + reopensAt)
  })
})

describe('what is no dialect', () => {
  const faults: [unknown, string][] = [
    ['githup', "upstreams['api.example'].dialect"],
    [5, "upstreams['api.example'].dialect"],
    [null, "upstreams['api.example'].dialect"],
    [{ windows: 5 }, "upstreams['api.example'].dialect.windows"],
    [{ windowMs: 0 }, "upstreams['api.example'].dialect.windowMs"],
    [{ windowMs: { a: 'x' } }, "upstreams['api.example'].dialect.windowMs['a']"],
    [{ limits: [{ remaining: 5 }] }, "upstreams['api.example'].dialect.limits[0].remaining"],
    [{ throttles: { 509: true } }, "upstreams['api.example'].dialect.throttles['509']"],
    [{ resetUnit: 'ms' }, "upstreams['api.example'].dialect.resetUnit"],
    [{ bucket: 'core' }, "upstreams['api.example'].dialect.bucket"],
  ]

  test.each(faults)('%j is refused', (dialect, option) => {
    const make = () => createHeadgate({ upstreams: { 'api.example': { dialect: dialect as 'github' } } })
    expect(make).toThrow(ConfigError)
    expect(make).toThrow(expect.objectContaining({ faults: [expect.objectContaining({ option })] }))
  })

  test('is refused by readRateLimit, too', () => {
    expect(() => readRateLimit({}, { dialect: 'githup' as 'github' })).toThrow(
      expect.objectContaining({ faults: [expect.objectContaining({ option: 'dialect', value: 'githup' })] }),
    )
    expect(readRateLimit({ 'x-complexity': '3' }, { dialect: 'linear' })).toMatchObject({ cost: { complexity: 3 } })
  })
})

describe('a response that says nothing of this client', () => {
  const limited = ({ limit, remaining }: { limit: number; remaining: number }) => ({
    'ratelimit-limit': `${limit};w=1`,
    'ratelimit-remaining': `${remaining};w=1`,
  })

  test.each<[string, Fault]>([
    ['a 401', { status: 401, counted: false }],
    ['a 304', { status: 304, counted: false }],
    ['one from a cache', { counted: false, headers: { age: '5' } }],
  ])('is not what a cold start waits for: %s', async (_, fault) => {
    const limits = { limit: 10, windowMs: 1_000 }
    const options = { limits, headers: limited, latency: { upMs: 20, downMs: 20 }, faults: [{ index: 0, ...fault }] }
    const { headgate, run, upstream } = setUp({ coldStartMs: 1_000 }, options)
    await run(headgate.fetch(url))
    await run(Promise.all(Array.from({ length: 25 }, () => headgate.fetch(url))))
    expect(upstream.report().throttled).toBe(0)
  })

  test('leaves what the lone attempt was to find out to the next', async () => {
    const { clock, gate } = setUpGate()
    exchange(gate, answer({ remaining: 0, resetInMs: 10_000 }))
    await clock.advance(11_000)
    exchange(gate, { limits: [], throttled: false, scope: 'partition', tellsNothing: true })
    expect(takeAll(gate)).toHaveLength(0)
  })
})
