import { describe, expect, it } from 'vitest'
import type { Reading } from '../../src/gate/observation.ts'
import { readRateLimit } from '../../src/headers/index.ts'

const newYear = '2026-01-01T00:00:00Z'
const second = { resetStepMs: 1_000 }

interface Row {
  what: string
  headers: Record<string, string>
  now?: string
  limits: readonly Reading[]
}

const servers: readonly Row[] = [
  {
    what: 'express-rate-limit, legacy: seconds since the epoch',
    headers: {
      'X-RateLimit-Limit': '5',
      'X-RateLimit-Remaining': '4',
      'X-RateLimit-Reset': '1620105727',
      Date: 'Tue, 04 May 2021 05:21:07 GMT',
    },
    limits: [{ limit: 5, remaining: 4, resetInMs: 60_000, ...second }],
  },
  {
    what: 'fastify: a delay under the same names',
    headers: { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '59' },
    limits: [{ limit: 100, remaining: 0, resetInMs: 59_000, ...second }],
  },
  {
    what: 'Flask-Limiter: a reset of -1 is none',
    headers: { 'X-RateLimit-Limit': '2', 'X-RateLimit-Remaining': '2', 'X-RateLimit-Reset': '-1' },
    limits: [{ limit: 2, remaining: 2 }],
  },
  {
    what: 'Rocket.Chat: milliseconds since the epoch',
    headers: { 'X-RateLimit-Reset': '1562287945706' },
    now: '2019-07-05T00:52:00Z',
    limits: [{ resetInMs: 25_706 }],
  },
  {
    what: 'Docker Hub, pulls: the window on limit and remaining, no reset',
    headers: {
      'ratelimit-limit': '100;w=21600',
      'ratelimit-remaining': '0;w=21600',
      'docker-ratelimit-source': '2600:3c00::',
    },
    limits: [{ limit: 100, remaining: 0, windowMs: 21_600_000 }],
  },
  {
    what: 'Docker Hub, API: seconds since the epoch',
    headers: { 'X-RateLimit-Limit': '180', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '1767225630' },
    limits: [{ limit: 180, remaining: 0, resetInMs: 30_000, ...second }],
  },
  {
    what: 'GitHub: used as well',
    headers: {
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '59',
      'x-ratelimit-used': '1',
      'x-ratelimit-reset': '1692937008',
    },
    now: '2023-08-25T03:20:00Z',
    limits: [{ limit: 60, remaining: 59, used: 1, resetInMs: 3_408_000, ...second }],
  },
  {
    what: 'Reddit: remaining with a fraction, no limit',
    headers: { 'x-ratelimit-used': '1', 'x-ratelimit-remaining': '599.0', 'x-ratelimit-reset': '583' },
    limits: [{ remaining: 599, used: 1, resetInMs: 583_000, ...second }],
  },
  {
    what: 'DigitalOcean: seconds since the epoch under the names of the IETF draft',
    headers: { 'ratelimit-limit': '1200', 'ratelimit-remaining': '1193', 'rateLimit-reset': '1402425459' },
    now: '2014-06-10T17:00:00Z',
    limits: [{ limit: 1_200, remaining: 1_193, resetInMs: 5_859_000, ...second }],
  },
  {
    what: 'X: rate-limit with a hyphen',
    headers: { 'x-rate-limit-limit': '900', 'x-rate-limit-remaining': '847', 'x-rate-limit-reset': '1705420800' },
    now: '2024-01-16T15:50:00Z',
    limits: [{ limit: 900, remaining: 847, resetInMs: 600_000, ...second }],
  },
  {
    what: 'a hyphen and no x',
    headers: { 'rate-limit-limit': '9', 'rate-limit-remaining': '8', 'rate-limit-reset': '7' },
    limits: [{ limit: 9, remaining: 8, resetInMs: 7_000, ...second }],
  },
  {
    what: 'Jira: ISO 8601',
    headers: {
      'X-RateLimit-Limit': '100000',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': '2025-10-08T15:00:00Z',
      'RateLimit-Reason': 'jira-quota-global-based',
    },
    now: '2025-10-08T14:29:13Z',
    limits: [{ limit: 100_000, remaining: 0, resetInMs: 1_847_000, ...second }],
  },
  {
    what: 'Jira: ISO 8601 without seconds',
    headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '2024-05-05T18:02Z' },
    now: '2024-05-05T18:00:30Z',
    limits: [{ remaining: 0, resetInMs: 90_000, resetStepMs: 60_000 }],
  },
  { what: 'Heroku: remaining alone', headers: { 'RateLimit-Remaining': '2400' }, limits: [{ remaining: 2_400 }] },
  {
    what: 'Discord: seconds since the epoch with a fraction',
    headers: { 'X-RateLimit-Limit': '5', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '1470173023.123' },
    now: '2016-08-02T21:23:42Z',
    limits: [{ limit: 5, remaining: 0, resetInMs: 1_123 }],
  },
  {
    what: 'Zendesk: the complete one of two spellings',
    headers: {
      'x-rate-limit': '700',
      'ratelimit-limit': '700',
      'x-rate-limit-remaining': '699',
      'ratelimit-remaining': '699',
      'ratelimit-reset': '41',
    },
    limits: [{ limit: 700, remaining: 699, resetInMs: 41_000, ...second }],
  },
]

const drafts: readonly Row[] = [
  {
    what: 'draft-polli-00: policies with `window`',
    headers: { 'RateLimit-Limit': '10, 10;window=1, 50;window=60, 1000;window=3600' },
    limits: [
      { limit: 10, windowMs: 1_000 },
      { limit: 50, windowMs: 60_000 },
      { limit: 1_000, windowMs: 3_600_000 },
    ],
  },
  {
    what: 'draft 00 to 05: the limit and its policy',
    headers: { 'RateLimit-Limit': '100, 100;w=60', 'Ratelimit-Remaining': '99', 'Ratelimit-Reset': '50' },
    limits: [{ limit: 100, remaining: 99, windowMs: 60_000, resetInMs: 50_000, ...second }],
  },
  {
    what: 'remaining belongs to the policy of the same limit, wherever it stands',
    headers: { 'RateLimit-Limit': '5000, 1000;w=3600, 5000;w=86400', 'RateLimit-Remaining': '100' },
    limits: [
      { limit: 5_000, remaining: 100, windowMs: 86_400_000 },
      { limit: 1_000, windowMs: 3_600_000 },
    ],
  },
  {
    what: 'two policies of the same limit leave the window open',
    headers: { 'RateLimit-Limit': '10, 10;w=1, 10;w=60', 'RateLimit-Remaining': '3' },
    limits: [
      { limit: 10, remaining: 3 },
      { limit: 10, windowMs: 1_000 },
      { limit: 10, windowMs: 60_000 },
    ],
  },
  {
    what: 'commas and semicolons inside quotes separate nothing, nor does a quote that is escaped there',
    headers: {
      'RateLimit-Limit': '100, 100;comment="a;w=9, 7;w=1, \\", 8;w=2, b";w=60;burst=1000, 5000;w=3600;comment=x',
    },
    limits: [
      { limit: 100, windowMs: 60_000 },
      { limit: 5_000, windowMs: 3_600_000 },
    ],
  },
  {
    what: 'a limit that states its own window is not given that of a policy',
    headers: { 'RateLimit-Limit': '100;w=60, 100;w=3600, 200;w=60' },
    limits: [
      { limit: 100, windowMs: 60_000 },
      { limit: 100, windowMs: 3_600_000 },
      { limit: 200, windowMs: 60_000 },
    ],
  },
  {
    what: 'Envoy: the same under x-ratelimit, with names',
    headers: {
      'X-RateLimit-Limit': '10, 10;w=1;name="per-ip", 1000;w=3600',
      'X-RateLimit-Remaining': '5',
      'X-RateLimit-Reset': '1',
    },
    limits: [
      { name: 'per-ip', limit: 10, remaining: 5, windowMs: 1_000, resetInMs: 1_000, ...second },
      { limit: 1_000, windowMs: 3_600_000 },
    ],
  },
  {
    what: 'a name that is too long is dropped',
    headers: { 'ratelimit-limit': `10;w=1;name=${'n'.repeat(65)}` },
    limits: [{ limit: 10, windowMs: 1_000 }],
  },
  {
    what: 'spaces, capitals and a parameter without a value',
    headers: { 'ratelimit-limit': '10 ; q ; W = 6 ; w=7' },
    limits: [{ limit: 10, windowMs: 6_000 }],
  },
  {
    what: 'headers that were sent twice and joined',
    headers: {
      'ratelimit-limit': '100;w=60, 100;w=60',
      'ratelimit-remaining': '7;w=60, 7;w=60',
      'ratelimit-reset': '5, 5',
    },
    limits: [{ limit: 100, remaining: 7, windowMs: 60_000, resetInMs: 5_000, ...second }],
  },
  {
    what: 'the window on remaining alone',
    headers: { 'ratelimit-limit': '100', 'ratelimit-remaining': '7;w=60' },
    limits: [{ limit: 100, remaining: 7, windowMs: 60_000 }],
  },
  {
    what: 'no more than 16 members',
    headers: { 'ratelimit-limit': Array.from({ length: 40 }, (_, at) => `${at};w=${at + 1}`).join(',') },
    limits: Array.from({ length: 16 }, (_, at) => ({ limit: at, windowMs: (at + 1) * 1_000 })),
  },
  {
    what: 'no more than 16 parameters',
    headers: { 'ratelimit-limit': `5${';a=1'.repeat(16)};w=1, 6${';a=1'.repeat(15)};w=1` },
    limits: [{ limit: 5 }, { limit: 6, windowMs: 1_000 }],
  },
]

describe('servers', () => {
  rows(servers)
})

describe('lists of policies', () => {
  rows(drafts)
})

function rows(table: readonly Row[]): void {
  for (const { what, headers, now = newYear, limits } of table) {
    it(`${what}`, () => expect(readRateLimit(headers, { nowMs: Date.parse(now) }).limits).toStrictEqual(limits))
  }
}

describe('one field', () => {
  const cases: readonly (readonly [name: string, value: string, reading: Reading])[] = [
    ['limit', '100.5', { limit: 100.5 }],
    ['limit', '0', { limit: 0 }],
    ['limit', '-5', {}],
    ['limit', '9007199254740991', { limit: Number.MAX_SAFE_INTEGER }],
    ['limit', '9007199254740992', {}],
    ['limit', 'unlimited', {}],
    ['limit', 'none, 100;w=60', {}],
    ['limit', '100;w=0', { limit: 100 }],
    ['limit', '100;w=-1', { limit: 100 }],
    ['limit', '100;w=315360000', { limit: 100, windowMs: 315_360_000_000 }],
    ['limit', '100;w=315360001', { limit: 100 }],
    ['limit', '100;w=0.5', { limit: 100, windowMs: 500 }],
    ['limit', '100;w="60"', { limit: 100, windowMs: 60_000 }],
    ['limit', '100;name=', { limit: 100 }],
    ['limit', '200,2000', { limit: 200 }],
    ['remaining', '-534', { remaining: -534 }],
    ['remaining', '-0', { remaining: 0 }],
    ['remaining', '1e3', {}],
    ['remaining', '9007199254740992', {}],
    ['remaining', 'x;w=60', {}],
    ['used', '0', { used: 0 }],
    ['used', '12.5', { used: 12.5 }],
    ['used', '-1', {}],
    ['reset', '0', { resetInMs: 0, ...second }],
    ['reset', '0.25', { resetInMs: 250 }],
    ['reset', '12.0', { resetInMs: 12_000, ...second }],
    ['reset', '1767225599', { resetInMs: 0, ...second }],
    ['reset', '1767225660', { resetInMs: 60_000, ...second }],
    ['reset', '1767225660.5', { resetInMs: 60_500 }],
    ['reset', '1767225660000', { resetInMs: 60_000 }],
    ['reset', 'Thu, 01 Jan 2026 00:01:00 GMT', { resetInMs: 60_000, ...second }],
    ['reset', '2026-01-01T00:01:00.25Z', { resetInMs: 60_250 }],
    ['reset', '-1', {}],
    ['reset', '315360001', {}],
    ['reset', '9999-12-31T23:59:59Z', {}],
    ['reset', '2021-02-16 09:02:42', {}],
  ]
  for (const [name, value, reading] of cases) {
    it(`${name}: ${value}`, () => {
      const alone = readRateLimit({ [`x-ratelimit-${name}`]: value }, { nowMs: Date.parse(newYear) }).limits
      expect(alone).toStrictEqual(Object.keys(reading).length > 0 ? [reading] : [])
    })
  }

  it('that is malformed takes no other with it', () => {
    const good = { limit: '10', remaining: '5', used: '5', reset: '30' }
    const read: Reading = { limit: 10, remaining: 5, used: 5, resetInMs: 30_000, resetStepMs: 1_000 }
    const without: Record<string, Reading> = {
      limit: { remaining: 5, used: 5, resetInMs: 30_000, resetStepMs: 1_000 },
      remaining: { limit: 10, used: 5, resetInMs: 30_000, resetStepMs: 1_000 },
      used: { limit: 10, remaining: 5, resetInMs: 30_000, resetStepMs: 1_000 },
      reset: { limit: 10, remaining: 5, used: 5 },
    }
    const prefixed = (values: object) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [`x-ratelimit-${name}`, String(value)]))
    expect(readRateLimit(prefixed(good)).limits).toStrictEqual([read])
    for (const [name, reading] of Object.entries(without)) {
      expect(readRateLimit(prefixed({ ...good, [name]: 'NaN' })).limits).toStrictEqual([reading])
    }
  })
})

describe('two families in one response', () => {
  for (const [what, headers, limits] of [
    ['the first is believed', { 'x-ratelimit-remaining': '1', 'ratelimit-remaining': '2' }, [{ remaining: 1 }]],
    ['used is as good as remaining', { 'x-ratelimit-used': '1', 'ratelimit-remaining': '2' }, [{ used: 1 }]],
    ['a limit alone yields to remaining', { 'x-ratelimit-limit': '9', 'ratelimit-remaining': '2' }, [{ remaining: 2 }]],
    ['a reset alone yields to a limit', { 'x-ratelimit-reset': '0.5', 'ratelimit-limit': '9' }, [{ limit: 9 }]],
    ['of two limits the first is believed', { 'x-ratelimit-limit': '9', 'rate-limit-limit': '8' }, [{ limit: 9 }]],
    ['malformed counts do not count', { 'x-ratelimit-remaining': 'x', 'ratelimit-remaining': '2' }, [{ remaining: 2 }]],
  ] as const) {
    it(`${what}`, () => expect(readRateLimit(headers).limits).toStrictEqual(limits))
  }
})
