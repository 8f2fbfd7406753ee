import { expect, test } from 'vitest'
import { url } from '../fetch/support.ts'
import { between, setScene, throttled, within } from './support.ts'

/** A 500 holds up its own call alone, a 429 the gate. */
const faults = [429, 500].map((status) => ({ ...throttled('10'), status }))

// A wait of an hour was cut to the two minutes that were left, and one more request was sent: certain to fail, and paid for.
test.each(faults)(
  'guzzle-retry-36: its time is told at once, and nothing is sent before it ($status)',
  async (fault) => {
    const { headgate, run, clock, arrivals } = setScene({ retry: within(1_200, 'return') }, { faults: [fault] })
    const response = await run(headgate.fetch(url))
    expect([response.status, clock.now()]).toEqual([fault.status, between(0, 200)])
    expect(headgate.inspect(response)?.observation.retryAfterMs).toBe(10_000)
    await clock.advance(9_999)
    expect(arrivals()).toEqual([0])
  },
)

test.each(faults)('guzzle-retry-36: clamped, it is tried at the deadline and no more ($status)', async (fault) => {
  const { headgate, run, clock, arrivals } = setScene({ retry: within(1_200, 'clamp') }, { faults: [fault] })
  const response = await run(headgate.fetch(url))
  expect([response.status, clock.now()]).toEqual([fault.status, between(1_200, 1_300)])
  await clock.advance(60_000)
  expect(arrivals()).toEqual([0, between(1_200, 1_300)])
})
