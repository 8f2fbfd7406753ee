import { describe, expect, test } from 'vitest'
import { goDuration, rfc3339, wholeSeconds } from '../../src/testing/dialects/text.ts'
import {
  createUpstream,
  type MeterOptions,
  type RateHeaders,
  type UpstreamOptions,
  VirtualClock,
} from '../../src/testing/index.ts'
import { anthropic, fixed, type Headers, openai, perMinute, rate, rows, sent, wallStartMs } from './dialect-rows.ts'

const url = 'https://api.example/'

/** An upstream after three requests, and what it states at an instant to a request that is not counted. */
async function setUp(options: UpstreamOptions) {
  const clock = new VirtualClock({ wallStartMs })
  const upstream = createUpstream({
    clock,
    date: false,
    weightOf: () => ({ tokens: 1_200, 'output-tokens': 133 }),
    faults: ({ index }) => (index < 3 ? undefined : { counted: false, rateHeaders: true }),
    ...options,
  })
  await clock.advance(sent)
  const answers: Headers[] = []
  for (let index = 0; index < 3; index++) answers.push(headersOf(await upstream.fetch(url)))
  const statedAt = async (ms: number) => {
    await clock.advance(ms - clock.now())
    return headersOf(await upstream.fetch(url))
  }
  return { answers, statedAt }
}

function headersOf(response: Response): Headers {
  const { 'content-type': _, ...rest } = Object.fromEntries(response.headers)
  return rest
}

describe.each(rows)('%s', (headers, limits, stated) => {
  test('after three requests, as time passes', async () => {
    const { answers, statedAt } = await setUp({ headers, limits })
    expect(answers[2]).toEqual(stated[0]?.[1])
    for (const [atMs, expected] of stated) expect(await statedAt(atMs), `at ${atMs}`).toEqual(expected)
  })

  test('nothing without a limit', async () => {
    expect((await setUp({ headers, limits: [] })).answers).toEqual([{}, {}, {}])
  })
})

describe('names', () => {
  test.each<[RateHeaders & string, string]>([
    ['github', 'x-ratelimit-resource'],
    ['gitlab', 'ratelimit-name'],
    ['discord', 'x-ratelimit-bucket'],
  ])("%s states the limit's own", async (headers, field) => {
    const { answers } = await setUp({ headers, limits: { ...perMinute, limit: 10, name: 'search' } })
    expect(answers[0]).toMatchObject({ [field]: 'search' })
  })

  test.each(['openai', 'anthropic'] as const)('%s: before the unit', async (headers) => {
    const limits = { ...perMinute, limit: 90_000, unit: 'tokens', name: 'tokens_usage_based' }
    const { answers } = await setUp({ headers, limits })
    const names = Object.keys(answers[0] ?? {})
    expect(names).toHaveLength(3)
    for (const name of names) expect(name).toContain('tokens_usage_based')
  })

  test('ietf-08 escapes them', async () => {
    const { answers } = await setUp({ headers: 'ietf-08', limits: { ...perMinute, limit: 10, name: 'a"b\\c' } })
    expect(answers[0]).toMatchObject({ ratelimit: String.raw`"a\"b\\c";r=9;t=60` })
  })
})

describe('of several limits', () => {
  const limits = [100, 5, 50].map((limit) => ({ ...perMinute, limit }))

  test.each<[RateHeaders & string, Headers]>([
    ['openai', openai('requests', 5, 2, '1m0s')],
    ['anthropic', anthropic('requests', 5, 2, '00:01:01')],
    ['ietf-06', rate('ratelimit', 5, 2, '60', { policy: '5;w=60' })],
    ['shopify', { 'x-shopify-shop-api-call-limit': '3/5' }],
  ])('%s states the tightest of one kind', async (headers, expected) => {
    expect((await setUp({ headers, limits })).answers[2]).toEqual(expected)
  })
})

describe('throttled', () => {
  const limits: MeterOptions = { ...fixed, limit: 1, countRefused: true }
  const app: MeterOptions = { limit: 2, windowMs: 1_000, countRefused: true }
  const method: MeterOptions = { limit: 2, windowMs: 5_000, name: 'method' }
  const riotCounts = { 'x-app-rate-limit': '2:1', 'x-app-rate-limit-count': '3:1' }

  test.each<[RateHeaders & string, MeterOptions | MeterOptions[], Headers]>([
    ['github', limits, { 'x-ratelimit-remaining': '0', 'x-ratelimit-used': '3' }],
    ['gitlab', limits, { 'ratelimit-remaining': '0', 'ratelimit-observed': '3' }],
    ['openai', limits, { 'x-ratelimit-remaining-requests': '0' }],
    ['anthropic', limits, { 'anthropic-ratelimit-requests-remaining': '0' }],
    ['discord', limits, { 'x-ratelimit-remaining': '0', 'x-ratelimit-scope': 'user' }],
    ['ietf-06', limits, { 'ratelimit-remaining': '0' }],
    ['ietf-08', limits, { ratelimit: '"default";r=0;t=3600' }],
    ['shopify', limits, { 'x-shopify-shop-api-call-limit': '1/1' }],
    ['reddit', limits, { 'x-ratelimit-remaining': '0.0', 'x-ratelimit-used': '3' }],
    ['twitch', limits, { 'ratelimit-remaining': '0' }],
    ['riot', [app, { ...method, limit: 9 }], { ...riotCounts, 'x-rate-limit-type': 'application' }],
    ['riot', [app, method], { ...riotCounts, 'x-method-rate-limit-count': '2:5', 'x-rate-limit-type': 'method' }],
  ])('%s', async (headers, limits, expected) => {
    const { answers } = await setUp({ headers, limits })
    expect(answers[2]).toMatchObject(expected)
    expect(answers[0]).not.toHaveProperty('x-ratelimit-scope')
    expect(answers[0]).not.toHaveProperty('x-rate-limit-type')
  })
})

describe('text', () => {
  test.each([
    [0, '0s'],
    [0.4, '1ms'],
    [12.000_000_1, '12ms'],
    [999, '999ms'],
    [1_000, '1s'],
    [8_640, '8.64s'],
    [59_999.2, '1m0s'],
    [179_560, '2m59.56s'],
    [360_000, '6m0s'],
    [3_600_500, '1h0m0.5s'],
    [86_400_000, '24h0m0s'],
  ])('a Go duration of %d ms is %s', (ms, expected) => {
    expect(goDuration(ms)).toBe(expected)
  })

  test('whole seconds are rounded up, and a hair above one is none', () => {
    expect([0, 1, 1_000, 1_000.000_1, 1_001].map(wholeSeconds).map(String)).toEqual(['0', '1', '1', '1', '2'])
    expect(rfc3339(wallStartMs + 59_001)).toBe('2026-01-01T00:01:00Z')
  })
})
