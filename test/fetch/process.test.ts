import { describe, expect, test } from 'vitest'
import { createUpstream } from '../../src/testing/index.ts'
import { runScript } from '../support/run-script.ts'

async function serve() {
  const upstream = createUpstream({ headers: (): Record<string, string> => ({ connection: 'close' }) })
  return { upstream, server: await upstream.listen() }
}

/** Prints when the process ends, in ms from the first call, as the last line. */
const STARTED = 'const at = performance.now(); process.once("exit", () => console.log(performance.now() - at));'

// axios-rate-limit-16
describe('the process', () => {
  test('is kept alive by callers that wait', async () => {
    const { upstream, server } = await serve()
    const script = `${STARTED}
      const { fetch } = createHeadgate({ default: { coldStartMs: 0, limits: { limit: 1, windowMs: 300 } } });
      for (let n = 0; n < 4; n++) fetch(argv[0]).then((response) => console.log(response.status));`
    const { code, out, err } = await runScript(script, server.url)
    await server.close()
    const [endedMs, ...results] = out.split('\n').reverse()
    expect({ code, err, results, arrivals: upstream.log.length }).toEqual({
      code: 0,
      err: '',
      results: Array(4).fill('200'),
      arrivals: 4,
    })
    expect(Number(endedMs)).toBeGreaterThan(890)
  })

  test('is not kept alive by bookkeeping: windows, idle gates, permits held', async () => {
    const { upstream, server } = await serve()
    const script = `${STARTED}
      const { fetch } = createHeadgate({ gateIdleMs: 30_000, default: { concurrency: 9, limits: { limit: 4, windowMs: 20_000 } } });
      for (let n = 0; n < 3; n++) fetch(argv[0]).then((response) => console.log(response.status));`
    const { code, out, err } = await runScript(script, server.url)
    await server.close()
    const [endedMs, ...results] = out.split('\n').reverse()
    expect({ code, err, results, arrivals: upstream.log.length }).toEqual({
      code: 0,
      err: '',
      results: Array(3).fill('200'),
      arrivals: 3,
    })
    expect(Number(endedMs)).toBeLessThan(8_000)
  })

  test('is kept alive by a pause before a retry', async () => {
    const script = `let sent = 0;
      const inner = async () => new Response(null, { status: sent++ ? 200 : 500, headers: { 'retry-after': '0.3' } });
      createHeadgate({ fetch: inner }).fetch('http://api.example/').then(({ status }) => console.log(status, sent));`
    expect(await runScript(script)).toEqual({ code: 0, out: '200 2', err: '' })
  })

  // spotipy-766
  test('ends when a call has been handed back a hint that is too long', async () => {
    const script = `${STARTED}
      const inner = async () => new Response(null, { status: 429, headers: { 'retry-after': '3600' } });
      const retry = { rateLimited: { whenTooLong: 'return' } };
      createHeadgate({ fetch: inner, default: { retry } }).fetch('http://api.example/').then(({ status }) => console.log(status));`
    const { code, out, err } = await runScript(script)
    const [status, endedMs] = out.split('\n')
    expect({ code, status, err }).toEqual({ code: 0, status: '429', err: '' })
    expect(Number(endedMs)).toBeLessThan(5_000)
  })

  // p-throttle-40
  test('is never warned of a timer that overflows', async () => {
    const hint = "{ status: 429, headers: { 'retry-after': '2592000' } }"
    const script = `let sent = 0; const warnings = [];
      process.on('warning', ({ name }) => warnings.push(name));
      const count = (answer) => async () => (sent++, new Response(null, answer));
      const queued = createHeadgate({ fetch: count({}), default: { limits: { limit: 1, windowMs: 3e9 } } });
      for (let n = 0; n < 1_000; n++) queued.fetch('http://api.example/');
      const retry = { rateLimited: { maxDurationMs: Infinity, maxRetryAfterMs: Infinity } };
      const cooldown = { maxMs: 31_000_000_000 };
      for (const options of [{ retry, cooldown }, { retry }])
        createHeadgate({ fetch: count(${hint}), default: options }).fetch('http://api.example/');
      createHeadgate({ fetch: count({}), gateIdleMs: 1e12 }).fetch('http://api.example/');
      setTimeout(() => { console.log(sent, warnings.length); process.exit() }, 500);`
    expect(await runScript(script)).toEqual({ code: 0, out: '4 0', err: '' })
  })
})
