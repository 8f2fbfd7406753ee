import { request as httpRequest } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { createUpstream, type Upstream, type UpstreamOptions, type UpstreamServer } from '../../src/testing/index.ts'

const servers: UpstreamServer[] = []

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function setUp(options: UpstreamOptions = {}): Promise<{ upstream: Upstream; server: UpstreamServer }> {
  const upstream = createUpstream({ limits: { limit: 3, windowMs: 60_000 }, ...options })
  const server = await upstream.listen()
  servers.push(server)
  return { upstream, server }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}

describe('listen', () => {
  test('takes a free port on 127.0.0.1', async () => {
    const { server } = await setUp()
    expect(server.port).toBeGreaterThan(0)
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`)
    await expect(createUpstream().listen({ port: server.port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  test('answers as in process, bounded counts', async () => {
    const { upstream, server } = await setUp({ retryAfter: 9, body: 'hello' })
    const responses = await Promise.all(Array.from({ length: 8 }, () => fetch(`${server.url}/v1/a?b=c`)))
    const count = (wanted: number) => responses.filter(({ status }) => status === wanted).length
    expect([count(200), count(429)]).toEqual([3, 5])
    const throttled = responses.find(({ status }) => status === 429)
    expect(throttled?.headers.get('retry-after')).toBe('9')
    expect(throttled?.headers.get('x-ratelimit-remaining')).toBe('0')
    expect(Date.parse(throttled?.headers.get('date') ?? '')).toBeGreaterThan(Date.now() - 10_000)
    expect(await Promise.all(responses.map((response) => response.text()))).toEqual(Array(8).fill('hello'))
    expect(upstream.report()).toMatchObject({ requests: 8, ok: 3, throttled: 5, busiestWindow: 8 })
  })

  test('logs method, URL, headers and body', async () => {
    const seen: (string | null)[] = []
    const { upstream, server } = await setUp({
      weightOf: ({ headers }) => {
        seen.push(headers.get('x-mine'))
        return 2
      },
    })
    await fetch(`${server.url}/form`, { method: 'POST', headers: { 'X-Mine': 'yes' }, body: 'grüße' })
    expect(seen).toEqual(['yes'])
    expect(upstream.log).toMatchObject([
      { method: 'POST', url: `${server.url}/form`, body: 'grüße', weight: 2, status: 200 },
    ])
  })

  test('reads a body whose chunks cut a character', async () => {
    const { upstream, server } = await setUp()
    const [head, tail] = [Buffer.from('grü').subarray(0, 3), Buffer.from('grüße').subarray(3)]
    const request = httpRequest(server.url, { method: 'POST' })
    request.write(head)
    await new Promise((resolve) => setTimeout(resolve, 50))
    request.end(tail)
    await until(() => upstream.log.length === 1)
    expect(upstream.log[0]?.body).toBe('grüße')
  })

  test('shares its limits with the in-process fetch', async () => {
    const { upstream, server } = await setUp({ limits: { limit: 1, windowMs: 60_000 } })
    expect((await upstream.fetch('https://api.example/')).status).toBe(200)
    expect((await fetch(server.url)).status).toBe(429)
  })

  test('date: false states none', async () => {
    const { server } = await setUp({ date: false })
    expect((await fetch(server.url)).headers.has('date')).toBe(false)
  })

  test('waits for the latencies, and for the body after the headers', async () => {
    const { upstream, server } = await setUp({ latency: { upMs: 40, downMs: 40 }, bodyMs: 200, body: 'late' })
    const startedMs = performance.now()
    const response = await fetch(server.url)
    const headersMs = performance.now() - startedMs
    expect(await response.text()).toBe('late')
    const bodyMs = performance.now() - startedMs
    expect(headersMs).toBeGreaterThan(75)
    expect(bodyMs - headersMs).toBeGreaterThan(100)
    const { sentAtMs, countedAtMs, answeredAtMs = NaN } = upstream.log[0] ?? { sentAtMs: NaN, countedAtMs: NaN }
    expect(countedAtMs - sentAtMs).toBeGreaterThan(38)
    expect(answeredAtMs - countedAtMs).toBeGreaterThan(38)
  })
})

describe('faults', () => {
  test('status, headers and body', async () => {
    const { server } = await setUp({ faults: [{ status: 503, headers: { 'retry-after': '4' }, body: 'busy' }] })
    const response = await fetch(server.url)
    expect([response.status, response.headers.get('retry-after'), await response.text()]).toEqual([503, '4', 'busy'])
  })

  test.each([
    ['reset', 1],
    ['refused', 0],
  ] as const)('%s ends the connection; counted: %d', async (error, requests) => {
    const { upstream, server } = await setUp({ faults: [{ index: 0, error }] })
    await expect(fetch(server.url)).rejects.toMatchObject({ name: 'TypeError', cause: { code: 'ECONNRESET' } })
    expect(upstream.report().requests).toBe(requests)
    expect((await fetch(server.url)).status).toBe(200)
  })

  test('hang: until the client gives up', async () => {
    const { upstream, server } = await setUp({ faults: [{ hang: true }] })
    await expect(fetch(server.url, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(upstream.report().byStatus).toEqual({ hang: 1 })
  })

  test('what a script throws is a 500 that says it', async () => {
    const { server } = await setUp({
      weightOf: () => {
        throw new Error('from the script')
      },
    })
    const response = await fetch(server.url)
    expect([response.status, await response.text()]).toEqual([500, 'Error: from the script'])
  })

  test('one that the client takes back on the way up is counted all the same', async () => {
    const { upstream, server } = await setUp({ latency: { upMs: 120, downMs: 20 } })
    await expect(fetch(server.url, { signal: AbortSignal.timeout(30) })).rejects.toMatchObject({ name: 'TimeoutError' })
    await until(() => upstream.log.length === 1)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(upstream.log[0]).not.toHaveProperty('answeredAtMs')
  })
})

describe('close', () => {
  test('ends connections that hang, idle ones and those on their way', async () => {
    const { upstream, server } = await setUp({ faults: [{ index: 1, hang: true }] })
    await (await fetch(server.url)).text()
    const hanging = fetch(server.url)
    const halfSent = httpRequest(server.url, { method: 'POST', headers: { 'content-length': '10' } })
    const halfSentEnds = new Promise((resolve) => halfSent.once('error', resolve))
    halfSent.write('12345')
    await until(() => upstream.log.length === 2)
    await Promise.all([expect(hanging).rejects.toThrow(TypeError), server.close()])
    expect(await halfSentEnds).toMatchObject({ code: 'ECONNRESET' })
    await expect(fetch(server.url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
    expect(upstream.report().requests).toBe(2)
  })

  test('may be called twice', async () => {
    const { server } = await setUp()
    await server.close()
    await server.close()
  })
})
