import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Request as UndiciRequest, fetch as undiciFetch } from 'undici'
import { createHeadgate } from '../../src/index.ts'
import { createUpstream } from '../../src/testing/index.ts'
import { type Inner, outcomeOf } from './support.ts'

interface Seen {
  port: number
  path: string
  method: string
  headers: Record<string, string | undefined>
  body: string
}

/** A server that answers `/<status>/<location, escaped>` by that redirect and anything else with `done`. */
async function serveRedirects(seen: Seen[]) {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const { authorization, cookie, 'content-type': type, 'content-language': language, 'x-own': own } = request.headers
    const headers = { authorization, cookie, type: type?.replace(/boundary=.*/, ''), language, own: String(own) }
    seen.push({ port, path: request.url!, method: request.method!, headers, body: body.replace(/--[-\w]+/g, '--') })
    const [, status, location] = /^\/(3\d\d)\/(.*)$/.exec(request.url!) ?? []
    if (status === undefined) return void response.end('done')
    const bytes = Buffer.from(decodeURIComponent(location!)).toString('latin1')
    response.writeHead(Number(status), bytes === '' ? {} : { location: bytes }).end('moved')
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

describe('over sockets', () => {
  // scrapy-2141
  test('the limit of the target holds for what is redirected to it', async () => {
    const b = createUpstream({ headers: 'none', limits: { limit: 2, windowMs: 1_000 } })
    const target = await b.listen()
    const a = createUpstream({ headers: 'none', faults: [{ status: 302, headers: { location: `${target.url}/` } }] })
    const source = await a.listen()
    onTestFinished(async () => void (await Promise.all([source.close(), target.close()])))
    const headgate = createHeadgate({
      upstreams: {
        [`127.0.0.1:${source.port}`]: { limits: { limit: 10, windowMs: 1_000 }, coldStartMs: 0 },
        [`127.0.0.1:${target.port}`]: { limits: { limit: 2, windowMs: 1_000 }, coldStartMs: 0 },
      },
    })
    const startedAt = performance.now()
    const responses = await Promise.all(Array.from({ length: 6 }, (_, call) => headgate.fetch(`${source.url}/${call}`)))
    expect(responses.map(({ status, url, redirected }) => [status, url, redirected])).toEqual(
      Array(6).fill([200, `${target.url}/`, true]),
    )
    const sinceStart = (log: typeof a.log) => log.map(({ countedAtMs }) => countedAtMs - startedAt)
    expect(sinceStart(a.log)).toHaveLength(6)
    expect(Math.max(...sinceStart(a.log))).toBeLessThan(900)
    expect(b.report()).toMatchObject({ requests: 6, throttled: 0, busiestWindow: 2 })
    expect(sinceStart(b.log)[5]).toBeGreaterThanOrEqual(2_000)
    expect(sinceStart(b.log)[5]).toBeLessThan(4_000)
    await headgate.close()
  })

  const form = () => {
    const data = new FormData()
    data.set('n', '1')
    return data
  }
  const headers = {
    authorization: 'Bearer x',
    cookie: 'a=1',
    'content-language': 'en',
    'content-type': 'text/x',
    'x-own': '1',
  }
  const { 'content-type': _, ...untyped } = headers
  const statuses = [301, 302, 303, 307, 308]
  const inits: [string, () => RequestInit][] = [
    ['GET', () => ({ headers })],
    ['HEAD', () => ({ method: 'HEAD', headers })],
    ['POST', () => ({ method: 'POST', headers, body: 'text' })],
    ['PUT', () => ({ method: 'PUT', headers, body: 'text' })],
    ['a form', () => ({ method: 'POST', headers: untyped, body: form() })],
    ['parameters', () => ({ method: 'DELETE', headers: untyped, body: new URLSearchParams({ n: '1' }) })],
  ]
  const targets: [string, (own: string, other: string) => string][] = [
    ['the same origin', () => '/end'],
    ['the same origin, by way of a second', () => `/307/${encodeURIComponent('/302/%2Fend')}`],
    ['another origin', (_own, other) => `${other}/end`],
    ['another origin and back', (own, other) => `${other}/307/${encodeURIComponent(`${own}/end`)}`],
    ['an address beside its own', () => 'end?q=1#part'],
    ['one that is not escaped', () => '/é/ü?q=ä'],
    ['nowhere', () => ''],
    ['no place', () => 'http://['],
    ['no http', () => 'ftp://127.0.0.1/'],
    ['one with credentials', (_own, other) => other.replace('//', '//user:secret@')],
    ['its own origin with credentials', (own) => `${own.replace('//', '//user:secret@')}/end`],
  ]

  test.each(targets)('to %s, as the fetch of the runtime does', async (_to, location) => {
    const seen: Seen[] = []
    const [own, other] = [await serveRedirects(seen), await serveRedirects(seen)]
    const headgate = createHeadgate({ default: { coldStartMs: 0 } })
    const outcome = async (call: typeof fetch, args: Parameters<typeof fetch>) => {
      const came = await call(...args).then(
        async (response) => [response.status, response.url, response.redirected, await response.text()],
        (error: Error) => error.name,
      )
      return { came, seen: seen.splice(0) }
    }
    for (const status of statuses) {
      for (const [name, init] of inits) {
        const url = `${own}/${status}/${encodeURIComponent(location(own, other))}`
        const calls: (() => Parameters<typeof fetch>)[] = [() => [url, init()], () => [new Request(url, init())]]
        for (const call of calls) {
          const expected = await outcome(fetch, call())
          expect([status, name, await outcome(headgate.fetch, call())]).toEqual([status, name, expected])
        }
      }
    }
    await headgate.close()
  })

  const sha256 = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`
  test.each([
    ['of the last response', { integrity: sha256('done') }, 200],
    ['of the redirect', { integrity: sha256('moved') }, 'TypeError'],
    ['none', { integrity: '' }, 200],
  ])('integrity %s', async (_of, init, expected) => {
    const own = await serveRedirects([])
    const headgate = createHeadgate({ default: { coldStartMs: 0, retry: false } })
    const url = `${own}/302/%2Fend`
    for (const call of [fetch, headgate.fetch]) {
      expect(await outcomeOf(call(url, init))).toBe(expected)
      expect(await outcomeOf(call(new Request(url, init)))).toBe(expected)
    }
  })

  test("mode: 'same-origin' stays at its origin, whatever answers", async () => {
    const seen: Seen[] = []
    const [own, other] = [await serveRedirects(seen), await serveRedirects(seen)]
    const headgate = createHeadgate({ default: { coldStartMs: 0, retry: false } })
    const outcomes = ['/end', `${other}/end`].map((location) => {
      return outcomeOf(headgate.fetch(`${own}/302/${encodeURIComponent(location)}`, { mode: 'same-origin' }))
    })
    expect(await Promise.all(outcomes)).toEqual([200, 'TypeError'])
    expect(seen.filter(({ port }) => other.endsWith(`:${port}`))).toEqual([])
  })

  test('by the fetch and the Request of undici the package', async () => {
    const seen: Seen[] = []
    const own = await serveRedirects(seen)
    const headgate = createHeadgate({ fetch: undiciFetch as unknown as Inner, default: { coldStartMs: 0 } })
    const request = new UndiciRequest(`${own}/307/%2Fend`, { method: 'POST', body: 'text' })
    const response = await headgate.fetch(request as unknown as Request)
    expect([response.status, response.url, response.redirected]).toEqual([200, `${own}/end`, true])
    expect(seen.map(({ method, body }) => [method, body])).toEqual([
      ['POST', 'text'],
      ['POST', 'text'],
    ])
  })
})
