import { describe, expect, it } from 'vitest'
import type { Reading } from '../../src/gate/observation.ts'
import { readRateLimit } from '../../src/headers/index.ts'

const second = { resetStepMs: 1_000 }

interface Row {
  what: string
  headers: Record<string, string>
  limits: readonly Reading[]
}

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
    what: 'a name of 64 characters is kept',
    headers: { 'ratelimit-limit': `10;w=1;name=${'n'.repeat(64)}` },
    limits: [{ name: 'n'.repeat(64), limit: 10, windowMs: 1_000 }],
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

describe('lists of policies', () => {
  for (const { what, headers, limits } of drafts) {
    it(`${what}`, () => expect(readRateLimit(headers).limits).toStrictEqual(limits))
  }
})
