import { expect, test } from 'vitest'
import { url } from '../fetch/support.ts'
import { between, setScene, throttled, within } from './support.ts'

const options = { faults: [throttled('10')] }

// A wait of an hour was cut to the two minutes that were left, and one more request was sent: certain to fail, and paid for.
test('guzzle-retry-36: nothing is sent before the time that the server says, which the caller is told at once', async () => {
  const { headgate, run, clock, arrivals } = setScene({ retry: within(1_200, 'return') }, options)
  const response = await run(headgate.fetch(url))
  expect([response.status, clock.now()]).toEqual([429, between(0, 200)])
  expect(headgate.inspect(response)?.observation.retryAfterMs).toBe(10_000)
  await clock.advance(9_999)
  expect(arrivals()).toEqual([0])
})

test('guzzle-retry-36: where it is clamped, one attempt at the deadline and no other', async () => {
  const { headgate, run, clock, arrivals } = setScene({ retry: within(1_200, 'clamp') }, options)
  const response = await run(headgate.fetch(url))
  expect([response.status, clock.now()]).toEqual([429, between(1_200, 1_300)])
  await clock.advance(60_000)
  expect(arrivals()).toEqual([0, between(1_200, 1_300)])
})
