import { expect, test } from 'vitest'
import type { UpstreamConfig } from '../../src/index.ts'
import type { UpstreamOptions } from '../../src/testing/index.ts'
import { PER_SECOND, setScene, times } from './support.ts'

const windowMs = 60_000

/** A hundred a minute, of which others have spent 95; a fresh hundred comes after 3 s. */
const NEARLY_SPENT: UpstreamOptions = {
  limits: { kind: 'fixed', limit: 100, windowMs, anchorMs: Date.UTC(2026, 0, 1) + 3_000 },
  otherClients: [{ burst: 95, everyMs: 1e9 }],
  latency: { downMs: 200 },
}

// With nothing known of the limit until the first answer, a hundred concurrent calls went at once into a window that was nearly spent.
test.each<[string, UpstreamConfig]>([
  ['learned', { limits: [] }],
  ['known to be fixed', { limits: { limit: 100, windowMs, kind: 'fixed' } }],
  ['fixed, beside the local one', { limits: [PER_SECOND, { limit: 100, windowMs, kind: 'fixed' }] }],
])('okta-tf-187: one goes first, and then no more than are left (%s)', async (_, pacing) => {
  for (const headers of ['x-ratelimit', 'x-ratelimit-delta'] as const) {
    const { arrivals, callsAt, run, upstream } = setScene(pacing, { ...NEARLY_SPENT, headers })
    const responses = await run(callsAt(...times(20, 0)))
    expect(responses.map(({ status }) => status)).toEqual(times(20, 200))
    expect(arrivals().filter((ms) => ms < 200)).toEqual([0])
    expect(arrivals().filter((ms) => ms < 3_000)).toHaveLength(5)
    expect(upstream.report()).toMatchObject({ requests: 20, throttled: 0 })
  }
})
