import { expect, test } from 'vitest'
import type { Arrival } from '../../src/testing/index.ts'
import { used } from '../fetch/support.ts'
import { between, setScene, times } from './support.ts'

// A budget counted calls, while the transport under it sent each again up to three times: one that was counted was four on
// the wire.
test('zenpy-276: a slot for each attempt on the wire, retries included', async () => {
  const limit = { limit: 3, windowMs: 1_000 }
  const retry = { rateLimited: { maxDurationMs: 10_000 }, failed: { baseMs: 10 } }
  const tried: Record<string, number> = {}
  const { headgate, run, at, clock, arrivals, callsAt, upstream } = setScene(
    { limits: limit, retry },
    {
      limits: limit,
      faults: ({ request: { url } }: Arrival) =>
        (tried[url] = (tried[url] ?? 0) + 1) <= 2 ? { status: 503 } : undefined,
    },
  )
  const slots: unknown[] = []
  for (const ms of [500, 1_500, 2_500]) at(ms, () => slots.push(used(headgate)))
  const responses = await run(callsAt(0, 0, 0))
  await clock.advance(1_000)
  expect(responses.map((response) => [response.status, headgate.inspect(response)?.attempts])).toEqual(
    times(3, [200, 3]),
  )
  expect(upstream.report()).toMatchObject({ requests: 9, busiestWindow: 3 })
  expect(arrivals()[8]).toEqual(between(2_000, 2_300))
  expect(slots).toEqual([3, 3, 3])
})
