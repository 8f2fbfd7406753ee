import { expect, test } from 'vitest'
import { createHeadgate } from '../../src/index.ts'
import { type Inner, replaceGlobalFetch, url } from '../fetch/support.ts'
import { setScene, throttled } from './support.ts'

// An application retried four times over a client that retried three times: twelve requests for each call, at an upstream that
// was asking for fewer.
const config = {
  default: { cooldown: { baseMs: 50 }, retry: { rateLimited: { maxAttempts: 4 }, failed: { baseMs: 50 } } },
}

test('nanobot-2760: a fetch that is paced cannot be wrapped again', () => {
  const headgate = createHeadgate(config)
  const fetches = [headgate.fetch, headgate.with({ priority: 1 }).fetch] as Inner[]
  for (const fetch of fetches)
    expect(() => createHeadgate({ ...config, fetch })).toThrow(/a fetch that no headgate paces yet/)
  replaceGlobalFetch(headgate.fetch as Inner)
  expect(() => createHeadgate(config)).toThrow(/a fetch that no headgate paces yet/)
})

test('nanobot-2760: where a layer comes in between unseen, the inner one retries nothing', async () => {
  const { upstream, clock } = setScene({}, { faults: [throttled('0')] })
  replaceGlobalFetch(upstream.fetch)
  const headgate = createHeadgate({ ...config, clock, fetch: (input, init) => globalThis.fetch(input, init) })
  globalThis.fetch = headgate.fetch as Inner
  const response = await clock.runUntil(headgate.fetch(url))
  expect([response.status, upstream.log.length]).toEqual([429, 4])
})
