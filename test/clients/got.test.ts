import { setTimeout } from 'node:timers/promises'
import got, { type Got, HTTPError } from 'got'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isRateLimitError } from '../../src/index.ts'
import { conforms } from './conformance.ts'
import { gotThrough } from './recipes/got.ts'
import { errorOf, headgateFor, json, listen, LONG_LIMIT, untilQueued, useUp } from './support.ts'

const ask = (client: Got, url: string) => (signal?: AbortSignal) => client(`${url}/things`, signal && { signal }).json()

/** Rejections that nobody handles, from now on. */
function strayRejections(): unknown[] {
  const stray: unknown[] = []
  const note = (error: unknown) => void stray.push(error)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  return stray
}

describe('got', () => {
  conforms({
    upstream: json(['a', 'b']),
    paced: (headgate, url, { maxWaitMs }) => ask(gotThrough(headgate, { maxWaitMs }), url),
    bare: (url) => ask(got.extend({ retry: { limit: 0 } }), url),
    gives: ['a', 'b'],
    aborted: expect.objectContaining({ name: 'AbortError' }),
    refused: expect.toSatisfy(isRateLimitError),
  })

  test('a 429 that it throws parks the gate for others', async () => {
    const fault = { first: 1, status: 429, headers: { 'retry-after': '1' } }
    const { upstream, url } = await listen({ ...json(['a']), faults: [fault] })
    const headgate = headgateFor({})
    const call = ask(gotThrough(headgate), url)
    expect(await errorOf(call())).toBeInstanceOf(HTTPError)
    expect(headgate.explain(url)).toMatchObject({ boundBy: 'park' })
    expect(await call()).toEqual(['a'])
    expect(upstream.log[1]!.sentAtMs - upstream.log[0]!.sentAtMs).toBeGreaterThan(900)
  })

  test('its timeout does not run while a call waits', async () => {
    const { url } = await listen(json(['a']))
    const client = gotThrough(headgateFor({ limits: { limit: 1, windowMs: 1_200 } })).extend({
      timeout: { request: 1_000 },
    })
    expect(await Promise.all([1, 2].map(() => ask(client, url)()))).toEqual([['a'], ['a']])
  })

  test('neither an abort nor a refusal leaves a rejection that nobody handles', async () => {
    const stray = strayRejections()
    const { url } = await listen(json(['a']))
    const headgate = headgateFor({ limits: LONG_LIMIT })
    useUp(headgate, url)
    await errorOf(ask(gotThrough(headgate, { maxWaitMs: 1 }), url)())
    const controller = new AbortController()
    const error = errorOf(ask(gotThrough(headgate), url)(controller.signal))
    await untilQueued(headgate, url, 1)
    controller.abort()
    await error
    await setTimeout(50)
    expect(stray).toEqual([])
  })
})
