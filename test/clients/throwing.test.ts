import Anthropic, { RateLimitError } from '@anthropic-ai/sdk'
import { describe, expect, test } from 'vitest'
import { isRateLimitError } from '../../src/index.ts'
import type { UpstreamOptions } from '../../src/testing/index.ts'
import { runThrough } from './recipes/throwing.ts'
import { errorOf, headgateFor, json, LIMIT, listen, LONG_LIMIT, untilQueued, useUp } from './support.ts'

const ANSWER = { input_tokens: 7 }
const throttledOnce: UpstreamOptions = { faults: [{ first: 1, status: 429, headers: { 'retry-after': '1' } }] }

/** An SDK without a fetch of ours, and its gate. */
async function setUp(options: UpstreamOptions, limits?: typeof LIMIT) {
  const { upstream, url } = await listen({ ...json(ANSWER), ...options })
  const client = new Anthropic({ apiKey: 'key', baseURL: url, maxRetries: 0 })
  const headgate = headgateFor(limits ? { limits } : {})
  const gate = headgate.gate(url)!
  const count = async () => (await client.messages.countTokens({ model: 'claude', messages: [] })).input_tokens
  return { upstream, url, headgate, gate, count }
}

describe('an SDK that throws its 429', () => {
  test('none of many calls is throttled', async () => {
    const { upstream, gate, count } = await setUp({ limits: LIMIT }, LIMIT)
    const values = await Promise.all(Array.from({ length: 25 }, () => runThrough(gate, count)))
    expect(values).toEqual(Array(25).fill(7))
    expect(upstream.report()).toMatchObject({ requests: 25, throttled: 0 })
  })

  test('its 429 reaches the caller and parks the gate for as long as it says', async () => {
    const { upstream, gate, count } = await setUp(throttledOnce)
    expect(await errorOf(runThrough(gate, count))).toBeInstanceOf(RateLimitError)
    expect(gate.explain()).toMatchObject({ boundBy: 'park' })
    expect(await runThrough(gate, count)).toBe(7)
    expect(upstream.log[1]!.sentAtMs - upstream.log[0]!.sentAtMs).toBeGreaterThan(900)
  })

  test('who does not want to wait behind the park is refused', async () => {
    const { upstream, gate, count } = await setUp(throttledOnce)
    await errorOf(runThrough(gate, count))
    const error = await errorOf(runThrough(gate, count, { whenParked: 'refuse' }))
    expect(error).toSatisfy(isRateLimitError)
    expect(error).toMatchObject({ reason: 'parked' })
    expect(upstream.log).toHaveLength(1)
  })

  test('an abort reaches the queue', async () => {
    const { upstream, url, headgate, gate, count } = await setUp({}, LONG_LIMIT)
    useUp(headgate, url)
    const controller = new AbortController()
    const error = errorOf(runThrough(gate, count, { signal: controller.signal }))
    await untilQueued(headgate, url, 1)
    controller.abort()
    expect(await error).toMatchObject({ name: 'AbortError' })
    await untilQueued(headgate, url, 0)
    expect(upstream.log).toHaveLength(0)
  })
})
