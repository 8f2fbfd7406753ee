import { describe, expect, test } from 'vitest'
import type { Headgate } from '../../src/index.ts'
import { abortListeners, firstly, held, type Inner, setUp, url, used } from './support.ts'

const reason = new Error('changed my mind')
const onePerSecond = { limits: { limit: 1, windowMs: 1_000 } }

/** A call whose signal is where the row says. */
type Call = (headgate: Headgate, signal: AbortSignal) => Promise<Response>
const places: [place: string, call: Call][] = [
  ['in init', (headgate, signal) => headgate.fetch(url, { signal })],
  ['in a Request', (headgate, signal) => headgate.fetch(new Request(url, { signal }))],
  ['in a Request with a body', (headgate, signal) => headgate.fetch(put('x', signal))],
]

function put(body: string, signal: AbortSignal): Request {
  return new Request(url, { method: 'PUT', body, signal })
}

describe.each(places)('a signal %s', (_, call) => {
  test('aborted before the call: rejects with its reason, sends and spends nothing', async () => {
    const { clock, upstream, headgate } = setUp(onePerSecond)
    await expect(call(headgate, AbortSignal.abort(reason))).rejects.toBe(reason)
    await clock.advance(60_000)
    expect([upstream.log, used(headgate)]).toEqual([[], 0])
  })

  test('aborted while queued: rejects at once, and the next caller has the place', async () => {
    const { clock, headgate, at, run, sentAt } = setUp(onePerSecond)
    const controller = new AbortController()
    await run(headgate.fetch(url))
    const gone = call(headgate, controller.signal)
    const next = headgate.fetch(url)
    at(300, () => controller.abort(reason))
    await expect(run(gone)).rejects.toBe(reason)
    expect(clock.now()).toBe(300)
    await run(next)
    expect(sentAt()).toEqual([0, 1_000])
  })

  test('aborted in flight: rejects at once, is not retried, and its weight is held as if it had been counted', async () => {
    const { clock, headgate, at, run, sentAt } = setUp(onePerSecond, { latency: { upMs: 50, downMs: 500 } })
    const controller = new AbortController()
    at(200, () => controller.abort(reason))
    await expect(run(call(headgate, controller.signal))).rejects.toBe(reason)
    expect([clock.now(), held(headgate)]).toEqual([200, 0])
    await run(headgate.fetch(url))
    expect(sentAt()).toEqual([0, 2_000])
  })

  test.each([
    ['in backoff', { status: 500 }],
    ['behind the park of its own 429', { status: 429, headers: { 'retry-after': '60' } }],
    ['pausing for a hint', { status: 502, headers: { 'retry-after': '60' } }],
  ])('aborted %s: rejects at once and leaves no timer that holds the process', async (_, fault) => {
    const retry = { failed: { baseMs: 60_000 } }
    const { clock, headgate, at, run, sentAt } = setUp({ retry }, { faults: [fault] })
    clock.random = () => 0.9
    const controller = new AbortController()
    at(100, () => controller.abort(reason))
    await expect(run(call(headgate, controller.signal))).rejects.toBe(reason)
    expect([clock.now(), sentAt(), clock.keepAliveTimers]).toEqual([100, [0], 0])
  })
})

test('aborted between its permit and its attempt: nothing is sent and the weight is given back', async () => {
  const { headgate, upstream, run } = setUp({ limits: { limit: 5, windowMs: 1_000 }, concurrency: 1 })
  const controller = new AbortController()
  const gate = headgate.gate(url)!
  const other = gate.tryAcquire()!
  const call = headgate.fetch(url, { signal: controller.signal })
  await Promise.resolve()
  other.refund()
  controller.abort(reason)
  await expect(run(call)).rejects.toBe(reason)
  expect([upstream.log, used(headgate), held(headgate)]).toEqual([[], 0, 0])
})

test('what the inner fetch makes of an abort is what the caller gets', async () => {
  const own = new Error('aborted, says the inner fetch')
  const controller = new AbortController()
  const inner: Inner = () => {
    controller.abort(reason)
    return Promise.reject(own)
  }
  const { headgate, run } = setUp({}, {}, { fetch: inner })
  await expect(run(headgate.fetch(url, { signal: controller.signal }))).rejects.toBe(own)
})

describe('listeners on the caller’s signal', () => {
  const { signal: unaborted } = new AbortController()

  test.each([
    ['a plain answer', {}],
    ['a retry after a failure', firstly({ status: 500 })],
    ['a retry behind a park', firstly({ status: 429, headers: { 'retry-after': '2' } })],
    ['a transport error', firstly({ error: 'reset' })],
  ])('none is left after %s', async (_, options) => {
    const { headgate, run } = setUp(onePerSecond, options)
    const calls = [1, 2, 3].map(() => headgate.fetch(url, { signal: unaborted }))
    await Promise.all(calls.map((call) => run(call)))
    expect(abortListeners(unaborted)).toBe(0)
  })

  test.each([0, 100])('none is left after an abort at %d, in flight or in backoff', async (downMs) => {
    const { clock, headgate, at, run } = setUp(
      { retry: { failed: { baseMs: 60_000 } } },
      { ...firstly({ status: 500 }), latency: { upMs: 50, downMs } },
    )
    clock.random = () => 0.9
    const controller = new AbortController()
    at(120, () => controller.abort(reason))
    const call = headgate.fetch(url, { signal: controller.signal })
    await clock.advance(60)
    expect(abortListeners(controller.signal)).toBe(1)
    await expect(run(call)).rejects.toBe(reason)
    expect(abortListeners(controller.signal)).toBe(0)
  })
})
