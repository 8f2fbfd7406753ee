import { expect, test } from 'vitest'
import { url } from '../fetch/support.ts'
import { between, setScene, within } from './support.ts'

const DAY_MS = 86_400_000
const headers = { 'x-ratelimit-limit': '1000', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '86400' }

// A daily quota was used up, and the client went on as if it came back any moment: minutes of silence before the error.
test('gemini-cli-10925: a quota that comes back tomorrow is told at once, and nobody is sent before', async () => {
  const { headgate, run, clock, arrivals } = setScene(
    { limits: { limit: 1_000, windowMs: DAY_MS, kind: 'fixed' }, retry: within(60_000, 'return') },
    { faults: [{ status: 429, headers }] },
  )
  const response = await run(headgate.fetch(url))
  expect([response.status, clock.now()]).toEqual([429, between(0, 200)])
  expect(headgate.inspect(response)?.observation.limits).toMatchObject([{ remaining: 0, resetInMs: DAY_MS }])
  const next: unknown = await headgate.fetch(url).catch((error: unknown) => error)
  expect(next).toMatchObject({ reason: 'parked', retryAfterMs: between(DAY_MS, DAY_MS + 2_000) })
  await clock.advance(DAY_MS - 1)
  expect(arrivals()).toEqual([0])
})
