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
    limits: [{ limit: 600, remaining: 599, used: 1, resetInMs: 583_000, ...second }],
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

describe('what servers send', () => {
  for (const { what, headers, now = newYear, limits } of servers) {
    it(`${what}`, () => expect(readRateLimit(headers, { nowMs: Date.parse(now) }).limits).toStrictEqual(limits))
  }
})
