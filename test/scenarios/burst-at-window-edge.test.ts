import { expect, test } from 'vitest'
import { about, setScene, times } from './support.ts'

// A limiter whose periods begin when it was made let one period's last calls and the next one's first go in the same second: twice
// what was allowed.
test('resilience4j-1356: no interval of a second holds more than 5, wherever it begins', async () => {
  const limit = { limit: 5, windowMs: 1_000 }
  const { arrivals, callsAt, run, upstream } = setScene({ limits: limit }, { limits: limit, latency: { downMs: 5 } })
  await run(callsAt(0, ...times(4, 950), ...times(10, 1_000)))
  expect(arrivals()).toEqual([
    0,
    ...times(4, about(950)),
    about(1_000),
    ...times(4, about(1_950)),
    about(2_000),
    ...times(4, about(2_950)),
  ])
  expect(upstream.report()).toMatchObject({ requests: 15, throttled: 0, busiestWindow: 5 })
})
