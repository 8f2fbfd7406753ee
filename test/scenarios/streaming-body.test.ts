import { expect, test } from 'vitest'
import type { UpstreamConfig } from '../../src/index.ts'
import { setUp, url } from '../fetch/support.ts'

// A cap on requests in flight was put around fetch, and the answers were long streams. Given back at the headers, the place let more
// streams run than the connection carried; held to the end of the body, callers who never read one starved all the others.

const BODY_MS = 1_500

function setUpStreams(pacing: UpstreamConfig = {}, headers: Record<string, string> = {}) {
  const stage = setUp({}, { bodyMs: BODY_MS, headers: () => headers }, { default: pacing })
  const arrivals = () => stage.upstream.log.map(({ countedAtMs }) => countedAtMs)
  return { ...stage, arrivals, fetch: () => stage.headgate.fetch(url) }
}

/** The most bodies that are on their way at once. */
function mostOpen(arrivals: readonly number[]): number {
  const openAt = (at: number) => arrivals.filter((opened) => opened <= at && at < opened + BODY_MS).length
  return Math.max(...arrivals.map(openAt))
}

test('e2b-1666: a call is counted against the quota until its headers, whether its body is read or not', async () => {
  const { at, run, clock, fetch, arrivals } = setUpStreams({}, { 'x-ratelimit-remaining': '1' })
  await run(fetch())
  at(100, () => void fetch())
  await clock.advance(1_000)
  expect(arrivals()).toHaveLength(2)
  expect(arrivals()[1]).toBeGreaterThanOrEqual(100)
  expect(arrivals()[1]).toBeLessThanOrEqual(200)
})

test('e2b-1666: of a cap a call holds its place until its body has been read', async () => {
  const { run, fetch, arrivals } = setUpStreams({ concurrency: 2 })
  const texts = await run(Promise.all([1, 2, 3, 4].map(async () => (await fetch()).text())))
  expect(texts).toEqual(Array(4).fill('ok'))
  expect(mostOpen(arrivals())).toBe(2)
  expect(arrivals()[2]).toBeGreaterThanOrEqual(1_500)
})

test('e2b-1666: a body that nobody reads gives its place back', async () => {
  const { run, fetch, arrivals } = setUpStreams({ concurrency: 2, maxHoldMs: 2_000 })
  const unread = await run(Promise.all([1, 2, 3, 4].map(fetch)))
  expect(unread.map(({ status, bodyUsed }) => [status, bodyUsed])).toEqual(Array(4).fill([200, false]))
  expect(arrivals()).toHaveLength(4)
  expect(arrivals()[2]).toBeLessThanOrEqual(2_500)
})
