import { describe, expect, test } from 'vitest'
import type { DialectName } from '../../src/index.ts'
import type { UpstreamOptions } from '../../src/testing/index.ts'
import { run } from './run.ts'

const MINUTE = 60_000
const perMinute = (limit: number, unit?: string) => ({
  kind: 'token-bucket' as const,
  limit,
  windowMs: MINUTE,
  ...(unit && { unit }),
})
const fixed = (limit: number, windowMs: number, name?: string) => ({
  kind: 'fixed' as const,
  limit,
  windowMs,
  ...(name && { name }),
})
const rolling = { kind: 'rolling' as const, limit: 600, windowMs: MINUTE }

interface Row {
  speaks: DialectName | 'ietf-06' | 'ietf-08'
  upstream: UpstreamOptions
  minutes: number
  /** Calls let in a minute by a client that knows all. */
  most: number
  weight?: Record<string, number>
}

const rows: Row[] = [
  {
    speaks: 'docker-hub',
    upstream: { limits: rolling, headers: 'docker-hub', countRefused: true },
    minutes: 20,
    most: 600,
  },
  {
    speaks: 'github',
    upstream: { limits: fixed(5_000, 3_600_000, 'core'), headers: 'github' },
    minutes: 120,
    most: 83.3,
  },
  { speaks: 'gitlab', upstream: { limits: fixed(600, MINUTE), headers: 'gitlab' }, minutes: 20, most: 600 },
  {
    speaks: 'openai',
    upstream: { limits: [perMinute(500), perMinute(30_000, 'tokens')], headers: 'openai' },
    minutes: 20,
    most: 300,
    weight: { requests: 1, tokens: 100 },
  },
  {
    speaks: 'anthropic',
    upstream: { limits: [perMinute(50), perMinute(50_000, 'tokens')], headers: 'anthropic' },
    minutes: 20,
    most: 50,
    weight: { requests: 1, tokens: 500 },
  },
  { speaks: 'discord', upstream: { limits: fixed(5, 5_000), headers: 'discord' }, minutes: 20, most: 60 },
  { speaks: 'ietf-06', upstream: { limits: rolling, headers: 'ietf-06' }, minutes: 20, most: 600 },
  {
    speaks: 'ietf-08',
    upstream: { limits: [fixed(10, 1_000, 'second'), fixed(300, MINUTE, 'minute')], headers: 'ietf-08' },
    minutes: 20,
    most: 300,
  },
  {
    speaks: 'shopify',
    upstream: { limits: { kind: 'token-bucket', limit: 40, windowMs: 20_000 }, headers: 'shopify' },
    minutes: 20,
    most: 120,
  },
  {
    speaks: 'riot',
    upstream: { limits: [fixed(20, 1_000), fixed(100, 120_000)], headers: 'riot' },
    minutes: 20,
    most: 50,
  },
  { speaks: 'reddit', upstream: { limits: fixed(600, 600_000), headers: 'reddit' }, minutes: 60, most: 60 },
  { speaks: 'twitch', upstream: { limits: perMinute(800), headers: 'twitch' }, minutes: 20, most: 800 },
]

describe.each(rows)(
  'an upstream that speaks $speaks, nothing configured',
  ({ speaks, upstream, minutes, most, weight }) => {
    const dialects: ('auto' | DialectName)[] = speaks.startsWith('ietf') ? ['auto'] : ['auto', speaks as DialectName]
    const cases = dialects.flatMap((dialect) => [100, 400].map((medianMs) => ({ dialect, medianMs })))

    test.each(cases)(
      '$dialect, median $medianMs ms: at most one 429, and at least 97 % of the ceiling',
      async ({ dialect, medianMs }) => {
        const weightOf = weight ? { weightOf: () => weight } : {}
        const config = { concurrency: 25, dialect }
        const result = await run({
          upstream: { countRefused: false, ...upstream, ...weightOf },
          config,
          medianMs,
          minutes,
          weight: weight ?? 1,
        })
        expect(result.throttled).toBeLessThanOrEqual(speaks === 'docker-hub' ? 2 : 1)
        expect(result.okPerMinute / most).toBeGreaterThanOrEqual(0.97)
      },
    )
  },
)
