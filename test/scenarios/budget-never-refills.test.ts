import { expect, test } from 'vitest'
import { setUp } from '../fetch/support.ts'

// A client paid for retries from a quota that successes were meant to fill up again and did not. After one bad spell nothing was
// retried any more until the process was started anew.

test('aws-sdk-go-v2-3550: after a bad time calls are retried as before', async () => {
  const retry = { failed: { maxAttempts: 3, baseMs: 100 } }
  const seen = new Set<string>()
  const { headgate, upstream, run, clock } = setUp(
    { limits: { limit: 100, windowMs: 1_000 }, retry },
    {
      faults: ({ sinceStartMs, request }) => {
        const isFirst = !seen.has(request.url)
        seen.add(request.url)
        return sinceStartMs < 5_000 || isFirst ? { status: 500 } : undefined
      },
    },
  )
  const call = (name: string) => headgate.fetch(`https://api.example/${name}`)
  const failed = await run(Promise.all(Array.from({ length: 100 }, (_, index) => call(`bad-${index}`))))
  expect(failed.map(({ status }) => status)).toEqual(Array(100).fill(500))
  expect([clock.now() < 5_000, upstream.log.length]).toEqual([true, 300])
  await clock.advance(5_000 - clock.now())
  expect((await run(call('good'))).status).toBe(200)
  expect((await run(call('last'))).status).toBe(200)
  const arrivals = upstream.log.filter(({ url }) => url.endsWith('/last'))
  expect(arrivals.map(({ status }) => status)).toEqual([500, 200])
})
