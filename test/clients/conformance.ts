import { expect, test } from 'vitest'
import type { Headgate, Limit, UpstreamConfig } from '../../src/index.ts'
import type { Fault, UpstreamOptions } from '../../src/testing/index.ts'
import { refusalBehind } from './recipes/refusal.ts'
import { errorOf, headgateFor, LIMIT, listen, LONG_LIMIT, TRANSIT_MS, untilQueued, useUp } from './support.ts'

const CALLS = 30

/** Makes one call and gives what the client made of its answer. */
export type Call = (signal?: AbortSignal) => Promise<unknown>

/** Shorter than a call would wait for `LONG_LIMIT`. */
const MAX_WAIT_MS = 20_000

/** A client with the recipe and without, and what its user gets: values and errors are compared with `toEqual`. */
export interface Client {
  upstream: UpstreamOptions
  /** By the recipe. What the headgate is configured with is `own`, for a client that does not go through its fetch. */
  paced: (headgate: Headgate, url: string, own: UpstreamConfig) => Call
  /** Without it, its own retries switched off, so that each call is one request. */
  bare: (url: string) => Call
  gives: unknown
  /** What its user gets for an abort. */
  aborted: unknown
  /** What its user gets for a refusal. That the refusal is behind it is asked of all. */
  refused: unknown
  /** `Retry-After` of the client's own error for a 503; left out where the client is not given responses. */
  retryAfter?: (error: unknown) => unknown
  /** What it sends besides the calls. */
  extra?: number
  /** How an upstream of its kind is configured, limits apart. */
  pacing?: UpstreamConfig
}

/** What holds for every client. */
export function conforms(client: Client): void {
  const { upstream: options, paced, bare, pacing = {}, extra = 0 } = client
  const setUp = async (limits: Limit, own: UpstreamConfig = {}, fault?: Fault) => {
    const { upstream, url } = await listen({ ...options, limits, ...(fault && { faults: () => fault }) })
    const headgate = headgateFor({ ...pacing, ...own, limits })
    return { upstream, url, headgate, call: paced(headgate, url, own) }
  }

  test('with the recipe: none is throttled', async () => {
    const { upstream, call } = await setUp(LIMIT)
    const values = await Promise.all(Array.from({ length: CALLS }, () => call()))
    expect(values).toEqual(Array(CALLS).fill(client.gives))
    expect(upstream.report()).toMatchObject({ requests: CALLS + extra, throttled: 0 })
    expect(upstream.report().busiestWindow).toBeLessThanOrEqual(LIMIT.limit)
  })

  test('without it: most are', async () => {
    const { upstream, url } = await listen({ ...options, limits: LONG_LIMIT })
    const call = bare(url)
    const results = await Promise.allSettled(Array.from({ length: CALLS }, () => call()))
    const throttled = CALLS - LONG_LIMIT.limit
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(throttled)
    expect(upstream.report()).toMatchObject({ throttled })
  })

  test('the client tries nothing again by itself', async () => {
    const { upstream, call } = await setUp(LIMIT, { retry: false }, { status: 500 })
    await errorOf(call())
    expect(upstream.log).toHaveLength(1)
  })

  test('its abort reaches the queue', async () => {
    const { upstream, url, headgate, call } = await setUp(LONG_LIMIT)
    await call()
    useUp(headgate, url)
    const controller = new AbortController()
    const error = errorOf(call(controller.signal))
    await untilQueued(headgate, url, 1)
    controller.abort()
    expect(await error).toEqual(client.aborted)
    await untilQueued(headgate, url, 0)
    expect(upstream.log).toHaveLength(1 + extra)
  })

  test('a refusal is behind the error that its user gets', async () => {
    const { url, headgate, call } = await setUp(LONG_LIMIT, { maxWaitMs: MAX_WAIT_MS })
    await call()
    useUp(headgate, url)
    const error = await errorOf(call())
    expect(error).toEqual(client.refused)
    expect(refusalBehind(error)).toMatchObject({ reason: 'wait-too-long', host: '127.0.0.1' })
    expect(refusalBehind(error)?.retryAfterMs).toBeGreaterThan(MAX_WAIT_MS)
  })

  const { retryAfter } = client
  if (retryAfter === undefined) return
  test('a refusal as a response is a 503 to it', async () => {
    const { url, headgate, call } = await setUp(LONG_LIMIT, { maxWaitMs: MAX_WAIT_MS, refuseWith: 'response' })
    await call()
    useUp(headgate, url)
    const seconds = Number(retryAfter(await errorOf(call())))
    expect(seconds).toBeGreaterThan(MAX_WAIT_MS / 1_000)
    expect(seconds).toBeLessThanOrEqual((LONG_LIMIT.windowMs + TRANSIT_MS) / 1_000)
  })
}
