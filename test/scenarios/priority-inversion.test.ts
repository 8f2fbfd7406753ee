import { expect, test } from 'vitest'
import { outcomeOf, setUp, url } from '../fetch/support.ts'

// The small call that renews a lease shared one bucket with thousands of bulk calls and stood in line behind them. It came
// too late, the lease was lost, and with it the leadership of the process.

test('controller-runtime-3092: an urgent call goes before those that wait, within the limit', async () => {
  const limits = { limit: 5, windowMs: 1_000 }
  const { headgate, upstream, at, run, clock } = setUp({ limits }, { limits })
  const bulk = Array.from({ length: 200 }, () => outcomeOf(headgate.fetch(url)))
  const deadline = new AbortController()
  const urgent = new Promise<number | string>((resolve) => {
    at(100, () => {
      const options = { signal: deadline.signal, headgate: { priority: 1, maxWaitMs: 3_000 } }
      void outcomeOf(headgate.fetch(`${url}&urgent`, options)).then(resolve)
    })
  })
  at(3_100, () => deadline.abort())
  expect(await run(urgent)).toBe(200)
  expect(await run(Promise.all(bulk))).toEqual(Array(200).fill(200))
  expect(clock.now()).toBeLessThanOrEqual(41_000)
  const arrival = upstream.log.find((entry) => entry.url.endsWith('urgent'))
  expect(arrival?.countedAtMs).toBeLessThanOrEqual(1_200)
  expect(upstream.report()).toMatchObject({ requests: 201, busiestWindow: 5, throttled: 0 })
})
