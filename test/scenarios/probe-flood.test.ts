import { expect, test } from 'vitest'
import { setUp, url } from '../fetch/support.ts'

// A breaker let everybody through while it was half open, for that was not open any more. Mended, it forgot to set its timer
// again after a probe that failed, and refused all calls for good.

const throttled = { status: 429, headers: { 'retry-after': '1' } }

test('opossum-119: one probe after each park, and one that fails parks again', async () => {
  const { headgate, upstream, at, run, clock, sentAt } = setUp(
    { limits: { limit: 20, windowMs: 1_000 } },
    { faults: [{ toMs: 2_000, ...throttled }, { delayMs: 300 }] },
  )
  const first = headgate.fetch(url)
  const others = new Promise<Response[]>((resolve) => {
    at(50, () => resolve(Promise.all(Array.from({ length: 19 }, () => headgate.fetch(url)))))
  })
  const responses = [await run(first), ...(await run(others))]
  expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200))
  expect(clock.now()).toBeLessThanOrEqual(3_500)
  const between = (from: number, to: number) => sentAt().filter((ms) => ms >= from && ms < to)
  expect(between(0, 1_000)).toEqual([0])
  expect(between(1_000, 2_000)).toHaveLength(1)
  expect(between(2_000, 2_300)).toHaveLength(1)
  expect(upstream.report().byStatus).toEqual({ 429: 2, 200: 20 })
})
