import { expect, test } from 'vitest'
import { listen } from '../fetch/support.ts'
import { runScript } from '../support/run-script.ts'

// Calls came much faster than they were let through, and the delays of the last of them grew beyond what a timer can hold. The host
// took each for one millisecond, so that those who had to wait longest went at once, and the loop span.

const YEAR_MS = 366 * 86_400_000

/** Makes so many calls at once, and three seconds later prints what the process was warned of. */
async function watch(url: string, calls: number, config: string): Promise<string[]> {
  const script = `const warnings = [];
    process.on('warning', ({ name }) => warnings.push(name));
    const { fetch } = createHeadgate(${config});
    for (let n = 0; n < ${calls}; n++) fetch(argv[0]);
    setTimeout(() => { console.log(JSON.stringify(warnings)); process.exit() }, 3_000);`
  const { code, out, err } = await runScript(script, url)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out) as string[]
}

test('p-throttle-40: the last of 40 000 that wait, a month from now, waits', async () => {
  const { upstream, url } = await listen()
  const warnings = await watch(url, 40_000, '{ default: { limits: { limit: 1, windowMs: 60_000 } } }')
  expect([upstream.log.length, warnings]).toEqual([1, []])
})

test('p-throttle-40: a hint of a month is waited out', async () => {
  const { upstream, url } = await listen({ faults: [{ status: 429, headers: { 'retry-after': '2592000' } }] })
  const retry = '{ rateLimited: { maxDurationMs: Infinity, maxRetryAfterMs: Infinity } }'
  const warnings = await watch(url, 1, `{ default: { retry: ${retry}, cooldown: { maxMs: ${YEAR_MS} } } }`)
  expect([upstream.log.length, warnings]).toEqual([1, []])
})

test('p-throttle-40: a window and an idle time of more than a month are waited out', async () => {
  const { upstream, url } = await listen()
  const warnings = await watch(url, 2, '{ gateIdleMs: 1e12, default: { limits: { limit: 1, windowMs: 3e9 } } }')
  expect([upstream.log.length, warnings]).toEqual([1, []])
})
