import { expect, onTestFinished, test } from 'vitest'
import { createUpstream } from '../../src/testing/index.ts'
import { url } from '../fetch/support.ts'
import { runScript } from '../support/run-script.ts'
import { SLOWNESS } from './slowness.ts'
import { between, setScene, throttled, within } from './support.ts'

const options = { faults: [throttled('3600')] }

// A client with a timeout of five seconds slept for an hour inside its first call: the timeout did not cover the sleep, and nothing
// was said.
test('spotipy-766: a process that is told to come back in an hour knows it at once, and ends', async () => {
  const upstream = createUpstream({ headers: 'none', ...options })
  const server = await upstream.listen()
  onTestFinished(() => server.close())
  // The first fetch of a process loads what fetches.
  const script = `
    await fetch('data:,');
    const headgate = createHeadgate({ default: { retry: JSON.parse(argv[1]) } });
    const calledAt = performance.now();
    const response = await headgate.fetch(argv[0]);
    const handedBackAt = performance.now();
    const { retryAfterMs } = headgate.inspect(response).observation;
    process.once('exit', () => {
      console.log(JSON.stringify({
        status: response.status,
        retryAfterMs,
        tookMs: handedBackAt - calledAt,
        endedMs: performance.now() - handedBackAt,
      }));
    });`
  const { code, out, err } = await runScript(script, server.url, JSON.stringify(within(5_000, 'return')))
  expect({ code, err, arrivals: upstream.log.length }).toEqual({ code: 0, err: '', arrivals: 1 })
  expect(JSON.parse(out)).toEqual({
    status: 429,
    retryAfterMs: 3_600_000,
    tookMs: between(0, 200 * SLOWNESS),
    endedMs: between(0, 1_000 * SLOWNESS),
  })
})

test('spotipy-766: where it is clamped, it knows by the end of its allowance', async () => {
  const { headgate, run, clock, arrivals } = setScene({ retry: within(5_000, 'clamp') }, options)
  const response = await run(headgate.fetch(url))
  expect([response.status, clock.now(), arrivals()]).toEqual([429, between(0, 5_000), [0, between(0, 5_000)]])
  expect(headgate.inspect(response)?.observation.retryAfterMs).toBe(3_600_000)
})
