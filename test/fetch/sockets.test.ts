import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createHeadgate, type UpstreamConfig } from '../../src/index.ts'
import { listen } from './support.ts'

// e2b-1666
describe('concurrency over real connections', () => {
  /** A server that sends its headers at once and its body after `bodyMs`, and notes how many bodies are on their way. */
  async function serveSlowBodies(bodyMs: number) {
    const arrivals: number[] = []
    let open = 0
    let mostOpen = 0
    const server = createServer((_, response) => {
      arrivals.push(performance.now())
      mostOpen = Math.max(mostOpen, (open += 1))
      response.once('close', () => (open -= 1))
      response.writeHead(200).flushHeaders()
      setTimeout(() => response.end('done'), bodyMs)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    return { url: `http://127.0.0.1:${port}/`, arrivals, mostOpen: () => mostOpen }
  }

  const call = (pacing: UpstreamConfig) => createHeadgate({ default: { coldStartMs: 0, ...pacing } }).fetch

  test('to the end of the body: never more than so many open', async () => {
    const { url, arrivals, mostOpen } = await serveSlowBodies(300)
    const fetch = call({ concurrency: 2 })
    const texts = await Promise.all([1, 2, 3, 4].map(async () => (await fetch(url)).text()))
    expect([texts, mostOpen(), arrivals.length]).toEqual([Array(4).fill('done'), 2, 4])
    expect(arrivals[2]! - arrivals[0]!).toBeGreaterThan(280)
  })

  test('to the headers: bodies overlap', async () => {
    const { url, mostOpen } = await serveSlowBodies(500)
    const fetch = call({ concurrency: 2, concurrencyUntil: 'headers' })
    await Promise.all([1, 2, 3, 4].map(async () => (await fetch(url)).text()))
    expect(mostOpen()).toBe(4)
  })

  test('bodies that nobody reads are taken back', async () => {
    const { url, arrivals } = await serveSlowBodies(10_000)
    const fetch = call({ concurrency: 2, maxHoldMs: 300 })
    const startedAt = performance.now()
    const responses = await Promise.all([1, 2, 3, 4].map(() => fetch(url)))
    expect(arrivals).toHaveLength(4)
    expect(arrivals[2]! - startedAt).toBeGreaterThan(280)
    for (const { body } of responses) await body?.cancel()
  })

  test.each(['HEAD', 'GET'])('%s without a body: released with the headers', async (method) => {
    const { url } = await listen({ status: method === 'HEAD' ? 200 : 204 })
    const fetch = call({ concurrency: 1, maxHoldMs: 60_000 })
    for (let index = 0; index < 3; index++) expect((await fetch(url, { method })).ok).toBe(true)
  })
})

describe('over a real connection', () => {
  test('the response says all that fetch says', async () => {
    const { url } = await listen({ headers: 'ratelimit', limits: { limit: 9, windowMs: 1_000 }, body: 'hello' })
    const headgate = createHeadgate({ default: { concurrency: 3 } })
    const [mine, plain] = [await headgate.fetch(url), await fetch(url)]
    for (const name of ['status', 'statusText', 'ok', 'url', 'type', 'redirected', 'bodyUsed'] as const) {
      expect(mine[name]).toBe(plain[name])
    }
    expect([...mine.headers.keys()]).toEqual([...plain.headers.keys()])
    expect(Object.prototype.toString.call(mine)).toBe('[object Response]')
    expect(await mine.text()).toBe(await plain.text())
    expect(headgate.inspect(mine)).toMatchObject({ attempts: 1, observation: { limits: [{ limit: 9, remaining: 8 }] } })
  })

  test('a redirect is followed by the inner fetch, and redirected says so', async () => {
    const { url } = await listen({ faults: [{ index: 0, status: 302, headers: { location: '/next' } }] })
    const response = await createHeadgate().fetch(url)
    expect([response.redirected, response.url, response.status]).toEqual([true, `${url}next`, 200])
  })

  test('an upload in pieces arrives whole', async () => {
    const { upstream, url } = await listen()
    const pieces = ['one ', 'two ', 'three']
    const body = new ReadableStream({
      pull(controller) {
        const piece = pieces.shift()
        if (piece === undefined) controller.close()
        else controller.enqueue(new TextEncoder().encode(piece))
      },
    })
    await createHeadgate().fetch(url, { method: 'POST', body, duplex: 'half' } as RequestInit)
    expect(upstream.log[0]?.body).toBe('one two three')
  })

  test('a reset is not retried for a POST and is for a GET', async () => {
    const { upstream, url } = await listen({ faults: [{ first: 2, error: 'reset' }] })
    const headgate = createHeadgate({ default: { coldStartMs: 0, retry: { failed: { baseMs: 20 } } } })
    await expect(headgate.fetch(url, { method: 'POST', body: 'x' })).rejects.toThrow('fetch failed')
    expect(upstream.log).toHaveLength(1)
    expect((await headgate.fetch(url)).status).toBe(200)
    expect(upstream.log).toHaveLength(3)
  })

  test('an abort ends a request that is at the server', async () => {
    const { upstream, url } = await listen({ faults: [{ hang: true }] })
    const abort = new AbortController()
    const call = createHeadgate().fetch(url, { signal: abort.signal })
    await expect.poll(() => upstream.log.length, { timeout: 10_000 }).toBe(1)
    abort.abort()
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('a limit holds at the server', async () => {
    const { upstream, url } = await listen({ limits: { limit: 5, windowMs: 300 } })
    const fetch = createHeadgate({ default: { limits: { limit: 5, windowMs: 300 } } }).fetch
    const responses = await Promise.all(Array.from({ length: 15 }, () => fetch(url)))
    expect(responses.every(({ ok }) => ok)).toBe(true)
    expect(upstream.report()).toMatchObject({ requests: 15, throttled: 0, busiestWindow: 5 })
  })
})
