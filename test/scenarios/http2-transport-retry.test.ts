import { constants, createSecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { cert, key } from '../conformance/self-signed.ts'
import { both, setUpDispatcher } from '../undici/support.ts'
import { SLOWNESS } from './slowness.ts'

// A server that had enough ended the connection instead of answering. The transport below all counting sent both requests again
// on a new one, and again, without end.

/** A server that answers each stream by the end of its connection: calm down. */
async function listenEnraged() {
  const server = createSecureServer({ cert, key })
  let streams = 0
  server.on('stream', (stream) => {
    streams += 1
    stream.on('error', () => {})
    stream.session?.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM)
    stream.session?.destroy()
  })
  server.on('sessionError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, streams: () => streams }
}

test.each(both)('curl-5119: what is sent again after a GOAWAY is counted and bounded: %s', async (version) => {
  const { origin, streams } = await listenEnraged()
  const { dispatcher, undici, held } = setUpDispatcher(
    version,
    { limits: { limit: 100, windowMs: 1_000 }, retry: { failed: { maxAttempts: 3, baseMs: 100 } } },
    { agent: { allowH2: true, connect: { rejectUnauthorized: false } } },
  )
  const startedAt = performance.now()
  const calls = await Promise.allSettled([1, 2].map(() => undici.request(origin, { dispatcher })))
  expect(performance.now() - startedAt).toBeLessThan(2_000 * SLOWNESS)
  expect(calls.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(streams()).toBeLessThanOrEqual(6)
  expect(held()).toBe(streams())
})
