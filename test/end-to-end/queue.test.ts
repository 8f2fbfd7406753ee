import { expect, test } from 'vitest'
import { createHeadgate } from '../../src/index.ts'
import { createUpstream, type Upstream, VirtualClock } from '../../src/testing/index.ts'

const limits = { limit: 10, windowMs: 60_000 }

/** 120 calls at once against 10 a minute. The first attempt is told to wait a second. */
async function throttledOnce(): Promise<{ statuses: number[]; upstream: Upstream }> {
  const clock = new VirtualClock()
  const faults = [{ index: 0, status: 429, headers: { 'retry-after': '1' } }]
  const upstream = createUpstream({ clock, headers: 'none', faults })
  const headgate = createHeadgate({ clock, fetch: upstream.fetch, default: { limits } })
  const calls = Array.from({ length: 120 }, (_, call) => headgate.fetch(`https://a.example/${call}`))
  const responses = await clock.runUntil(Promise.all(calls))
  return { statuses: responses.map(({ status }) => status), upstream }
}

test('a short park does not bound those who wait for room after it', async () => {
  const { statuses } = await throttledOnce()
  expect(statuses.every((status) => status === 200)).toBe(true)
})

test('a call that is throttled keeps its place: it goes first after the park', async () => {
  const { upstream } = await throttledOnce()
  const order = upstream.log.map(({ url }) => Number(url.split('/').at(-1)))
  expect(order).toEqual([0, ...Array.from({ length: 120 }, (_, call) => call)])
})
