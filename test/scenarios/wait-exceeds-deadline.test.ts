import { expect, test } from 'vitest'
import { firstly, url } from '../fetch/support.ts'
import { about, between, setScene, throttled, within } from './support.ts'

const options = firstly(throttled('1'), throttled('5'))

// The pipeline slept for all that was left of its thirty seconds, before a retry that could not run within them.
test('dotnet-extensions-7701: a wait that cannot end within the allowance is not begun', async () => {
  const { headgate, run, clock, arrivals } = setScene({ retry: within(3_000, 'return') }, options)
  const response = await run(headgate.fetch(url))
  expect([response.status, clock.now()]).toEqual([429, between(1_000, 1_250)])
  expect(headgate.inspect(response)?.observation.retryAfterMs).toBe(5_000)
  expect(arrivals()).toEqual([0, about(1_000)])
})

test('dotnet-extensions-7701: where it is clamped, the last attempt is at the end', async () => {
  const { headgate, run, arrivals } = setScene({ retry: within(3_000, 'clamp') }, options)
  expect((await run(headgate.fetch(url))).status).toBe(200)
  expect(arrivals()).toEqual([0, about(1_000), between(3_000, 3_100)])
})
