import { expect, test } from 'vitest'
import { isRateLimitError } from '../../src/index.ts'
import { url } from '../fetch/support.ts'
import { between, setScene, throttled, within } from './support.ts'

// A hint above the cap was dropped, and a short backoff came back long before the server's time.
test('openai-python-3555: a hint above the cap ends the call, and nothing is sent before its time', async () => {
  const { headgate, run, at, clock, arrivals } = setScene(
    { retry: within(60_000, 'return') },
    { faults: [throttled('90')] },
  )
  let second: unknown
  at(1_000, () => void headgate.fetch(url).catch((error: unknown) => (second = error)))
  const first = await run(headgate.fetch(url))
  expect([first.status, clock.now()]).toEqual([429, between(0, 200)])
  expect(headgate.inspect(first)?.observation.retryAfterMs).toBe(90_000)
  await clock.advance(10_000)
  expect(arrivals()).toEqual([0])
  expect(isRateLimitError(second) && [second.reason, second.retryAfterMs]).toEqual(['parked', 89_000])
})
