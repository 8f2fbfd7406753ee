import { expect, test } from 'vitest'
import { url } from '../fetch/support.ts'
import { resetAfter, setScene } from './support.ts'

// Waited until the very second of the reset, which the server had cut to a whole one: it refused again, and the only retry was
// spent.
test.each([0, 1, 500, 999])(
  'octokit-throttling-599: a server that reopens later than it says is asked then (told %i ms into a second)',
  async (phaseMs) => {
    const opensMs = 2_400 - phaseMs
    const limit = { limit: 60, windowMs: 60_000 }
    const { headgate, run, clock, upstream } = setScene(
      { limits: { ...limit, kind: 'fixed' }, cooldown: { parkMs: 1_000 } },
      {
        limits: limit,
        headers: resetAfter(2),
        wallSkewMs: phaseMs,
        status: ({ sinceStartMs }) => (sinceStartMs < opensMs ? 429 : 200),
      },
    )
    expect((await run(headgate.fetch(url))).status).toBe(200)
    // One further 429 would do; a second of slack draws none.
    expect(upstream.report().throttled).toBe(1)
    expect(clock.now()).toBeLessThanOrEqual(4_000)
  },
)
