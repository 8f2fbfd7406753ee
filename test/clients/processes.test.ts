import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
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
  async function setUp(windowMs: number, drainMs: number) {
    const { upstream, url } = await listen({})
    const headgate: Headgate = headgateFor({ limits: { limit: 1, windowMs } })
    const handle = async (): Promise<string[]> => [
      String(await outcomeOf(headgate.fetch(url))),
      String(await outcomeOf(headgate.fetch(url))),
    ]
    const server = createServer((_, response) => void handle().then((outcomes) => response.end(outcomes.join(' '))))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    closeOnSigterm(headgate, server, drainMs)
    const handled = async (): Promise<unknown> => (await fetch(`http://127.0.0.1:${portOf(server)}`)).text()
    return { upstream, url, headgate, server, handled }
  }

  const portOf = (server: Server): number => (server.address() as AddressInfo).port

  test('a request that is being handled may go on calling, no other is taken, and then the headgate is closed', async () => {
    const { upstream, url, headgate, server, handled } = await setUp(300, 20_000)
    const closed = once(server, 'close')
    const answer = handled()
    await untilQueued(headgate, url, 1)
    process.emit('SIGTERM', 'SIGTERM')
    expect(server.listening).toBe(false)
    expect(await answer).toBe('200 200')
    expect(upstream.log).toHaveLength(2)
    await closed
    expect(await outcomeOf(headgate.fetch(url))).toBe('closed')
  })

  test('who waits without a request may go for as long, and is refused then', async () => {
    const { upstream, url, headgate } = await setUp(300, 1_500)
    const calls = Array.from({ length: 12 }, () => outcomeOf(headgate.fetch(url)))
    await untilQueued(headgate, url, 11)
    process.emit('SIGTERM', 'SIGTERM')
    const outcomes = await Promise.all(calls)
    expect(outcomes.slice(0, 2)).toEqual([200, 200])
    expect(outcomes.at(-1)).toBe('closed')
    expect(upstream.log).toHaveLength(outcomes.filter((outcome) => outcome === 200).length)
  })

  test('a request that is still being handled when the time is up is refused its calls', async () => {
    const { headgate, url, handled } = await setUp(60_000, 200)
    const answer = handled()
    await untilQueued(headgate, url, 1)
    process.emit('SIGTERM', 'SIGTERM')
    expect(await answer).toBe('200 closed')
  })
})
