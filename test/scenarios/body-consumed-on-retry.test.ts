import { expect, test } from 'vitest'
import { createHeadgate } from '../../src/index.ts'
import { firstly, listen } from '../fetch/support.ts'
import { SLOWNESS } from './slowness.ts'

// A Request with a JSON body was tried again after its stream had been used up by the first attempt: for a month a service made
// thousands of posts with nothing in them.

const json = '{"n":1}'

async function setUpThrottled() {
  const { upstream, url } = await listen(firstly({ status: 429, headers: { 'retry-after': '1' } }))
  const { fetch } = createHeadgate({ default: { retry: { rateLimited: { maxDurationMs: 10_000 } } } })
  return { url, fetch, bodies: () => upstream.log.map(({ body }) => body) }
}

test('fetch-retry-99: a Request is sent again with the same bytes', async () => {
  const { url, fetch, bodies } = await setUpThrottled()
  expect((await fetch(new Request(url, { method: 'POST', body: json }))).status).toBe(200)
  expect(bodies()).toEqual([json, json])
})

test('fetch-retry-99: what can be read once is not sent again, and the 429 is handed back', async () => {
  const { url, fetch, bodies } = await setUpThrottled()
  const body = new Blob([json]).stream()
  const startedAt = performance.now()
  const response = await fetch(url, { method: 'POST', body, duplex: 'half' } as RequestInit)
  expect(performance.now() - startedAt).toBeLessThan(200 * SLOWNESS)
  expect(response.status).toBe(429)
  expect(bodies()).toEqual([json])
})
