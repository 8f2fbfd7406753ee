import { expect, onTestFinished, test } from 'vitest'
import { createUpstream } from '../../src/testing/index.ts'
import { runScript, STARTED } from '../support/run-script.ts'
import { SLOWNESS } from './slowness.ts'

// A command-line script queued three calls and waited for them. With timers that hold nobody the process ended before they had been sent;
// with timers that do, it had stayed for the whole window after the last of them.

/** A script that makes so many calls at once and prints what comes back: its results, and when it ended. */
async function runCalls(count: number, limits: { limit: number; windowMs: number }) {
  const headers = (): Record<string, string> => ({ connection: 'close' })
  const upstream = createUpstream({ headers, latency: { downMs: 5 } })
  const server = await upstream.listen()
  onTestFinished(() => server.close())
  const config = JSON.stringify({ default: { coldStartMs: 0, limits } })
  const script = `${STARTED}
    const { fetch } = createHeadgate(${config});
    for (let n = 0; n < ${count}; n++) fetch(argv[0]).then((response) => console.log(response.status));`
  const { code, out, err } = await runScript(script, server.url)
  const [endedMs, ...results] = out.split('\n').toReversed()
  return { endedMs: Number(endedMs), ended: { code, err, results, arrivals: upstream.log.length } }
}

const wellWith = (calls: number) => ({ code: 0, err: '', results: Array(calls).fill('200'), arrivals: calls })

test('axios-rate-limit-16: calls that wait keep the process alive until they have their answers', async () => {
  const { endedMs, ended } = await runCalls(4, { limit: 1, windowMs: 500 })
  expect(ended).toEqual(wellWith(4))
  expect(endedMs).toBeGreaterThanOrEqual(1_500)
  expect(endedMs).toBeLessThanOrEqual(2_200 * SLOWNESS)
})

test('axios-rate-limit-16: windows that have still to pass do not', async () => {
  const { endedMs, ended } = await runCalls(3, { limit: 4, windowMs: 20_000 })
  expect(ended).toEqual(wellWith(3))
  expect(endedMs).toBeLessThanOrEqual(1_000 * SLOWNESS)
})
