import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Headgate } from '../../src/index.ts'
import { outcomeOf } from '../fetch/support.ts'
import { resuming, type Store } from './recipes/serverless.ts'
import { closeOnSigterm } from './recipes/shutdown.ts'
import { headgateFor, LIMIT, listen, LONG_LIMIT, untilQueued } from './support.ts'

describe('Lambda and cron', () => {
  /** A store in memory. */
  function store(): Store {
    let kept: string | undefined
    return {
      get: () => Promise.resolve(kept),
      put: (state) => {
        kept = state
        return Promise.resolve()
      },
    }
  }

  /** One invocation in a process of its own, which uses up what the limit allows. */
  async function invoke(url: string, shared: Store | undefined): Promise<void> {
    const headgate = headgateFor({ limits: LIMIT, retry: false, whenParked: 'refuse' })
    const work = () => Promise.all(Array.from({ length: LIMIT.limit }, () => outcomeOf(headgate.fetch(url))))
    await (shared ? resuming(headgate, shared)(work) : work())
  }

  test('an invocation sends only what the last one left', async () => {
    const { upstream, url } = await listen({ limits: LIMIT })
    const shared = store()
    for (let run = 0; run < 3; run++) await invoke(url, shared)
    expect(upstream.report()).toMatchObject({ ok: 30, throttled: 0 })
  })

  test('without it each begins with a full window', async () => {
    const { upstream, url } = await listen({ limits: LONG_LIMIT })
    for (let run = 0; run < 3; run++) await invoke(url, undefined)
    expect(upstream.report().throttled).toBeGreaterThan(0)
  })

  test('a process that is used again counts what it sent once', async () => {
    const { url } = await listen({})
    const headgate = headgateFor({ limits: LONG_LIMIT, maxWaitMs: 1 })
    const invoke = resuming(headgate, store())
    for (let run = 0; run < LONG_LIMIT.limit; run++) await invoke(() => headgate.fetch(url))
    expect(headgate.gate(url)?.snapshot().limits).toMatchObject([{ held: LONG_LIMIT.limit }])
  })

  test('state is kept of an invocation that fails, too', async () => {
    const shared = store()
    const failing = resuming(headgateFor({}), shared)(() => Promise.reject(new Error('failed')))
    await expect(failing).rejects.toThrow('failed')
    expect(await shared.get()).toBeDefined()
  })
})

describe('SIGTERM', () => {
  /** A headgate with two callers in its queue that closes on the signal. */
  async function setUp(windowMs: number, drainMs: number) {
    const { upstream, url } = await listen({})
    const headgate: Headgate = headgateFor({ limits: { limit: 1, windowMs } })
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    closeOnSigterm(headgate, server, drainMs)
    const calls = [1, 2, 3].map(() => outcomeOf(headgate.fetch(url)))
    await untilQueued(headgate, url, 2)
    process.emit('SIGTERM', 'SIGTERM')
    return { upstream, url, headgate, server, calls }
  }

  test('those in the queue go, others are refused, and no request is taken any more', async () => {
    const { upstream, url, headgate, server, calls } = await setUp(300, 20_000)
    expect(server.listening).toBe(false)
    expect(await outcomeOf(headgate.fetch(url))).toBe('closed')
    expect(await Promise.all(calls)).toEqual([200, 200, 200])
    expect(upstream.log).toHaveLength(3)
  })

  test('those that are left when the time is up are refused', async () => {
    const { upstream, calls } = await setUp(60_000, 100)
    expect(await Promise.all(calls)).toEqual([200, 'closed', 'closed'])
    expect(upstream.log).toHaveLength(1)
  })
})
