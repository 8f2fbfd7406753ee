import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { outcomeOf, setUp, url } from '../fetch/support.ts'

// Events came faster than a limited server took them. The queue before it had no bound, and memory grew until the process
// was killed; what was kept for each host was never let go either.

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const MB = 2 ** 20

function heapUsed(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

const limits = { limit: 1, windowMs: 1_000 }

test('sentry-python-586: a queue that is full refuses at once and does not grow', async () => {
  const { headgate, clock, upstream } = setUp({ limits, maxQueueSize: 100 })
  const before = heapUsed()
  const refused: number[] = []
  let longestQueue = 0
  for (let call = 0; call < 10_000; call++) {
    void outcomeOf(headgate.fetch(url)).then((outcome) => outcome === 'queue-full' && refused.push(clock.now()))
    longestQueue = Math.max(longestQueue, headgate.explain(url).queued)
  }
  await clock.advance(200)
  expect(heapUsed() - before).toBeLessThan(20 * MB)
  expect(refused.length).toBeGreaterThanOrEqual(9_899)
  expect(longestQueue).toBe(100)
  expect(headgate.explain(url).queued).toBeLessThanOrEqual(100)
  expect(upstream.log).toHaveLength(1)
})

test('sentry-python-586: hosts that are not called any more are forgotten', async () => {
  const { headgate, run, clock } = setUp({ limits }, {}, { gateIdleMs: 2 * limits.windowMs })
  const hosts = Array.from({ length: 2_000 }, (_, index) => `http://host-${index}.example:${8_000 + index}/`)
  await run(Promise.all(hosts.map((host) => headgate.fetch(host))))
  expect(headgate.snapshot().gates).toHaveLength(2_000)
  await clock.advance(3_000)
  expect(headgate.snapshot().gates.length).toBeLessThanOrEqual(10)
})
