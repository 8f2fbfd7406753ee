import { describe, expect, onTestFinished, test } from 'vitest'
import { Request as UndiciRequest, fetch as undiciFetch } from 'undici'
import { createHeadgate } from '../../src/index.ts'
import { firstly, type Inner, listen, recording, setUp, url } from './support.ts'

const json = '{"n":1}'
const throttled = { status: 429, headers: { 'retry-after': '1' } }

function stream(text = json): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text))
      controller.close()
    },
  })
}

async function* chunks() {
  yield new TextEncoder().encode(json)
}

const post = (body: unknown) => ({ method: 'POST', body, duplex: 'half' }) as RequestInit

// fetch-retry-99
describe('a body that can be sent again is sent as the same bytes', () => {
  test.each<[string, () => Parameters<Inner>]>([
    ['a Request with a body', () => [new Request(url, post(json))]],
    ['a Request over a stream', () => [new Request(url, post(stream()))]],
    ['a Request whose body init replaces', () => [new Request(url, post('other')), { body: json }]],
    ['a string', () => [url, post(json)]],
    ['bytes', () => [url, post(new TextEncoder().encode(json))]],
    ['a buffer', () => [url, post(new TextEncoder().encode(json).buffer)]],
    ['a blob', () => [url, post(new Blob([json]))]],
  ])('%s', async (_, args) => {
    // A blob is read outside the clock, which must find no timer to go on to meanwhile.
    const { headgate, upstream, run } = setUp({}, firstly(throttled, throttled), { gateIdleMs: Infinity })
    expect((await run(headgate.fetch(...args()))).status).toBe(200)
    expect(upstream.log.map(({ body }) => body)).toEqual([json, json, json])
  })

  test.each<[string, URLSearchParams | FormData, RegExp]>([
    ['parameters', new URLSearchParams({ n: '1' }), /^n=1$/],
    ['a form', form(), /name="n"\r\n\r\n1\r\n/],
  ])('%s', async (_, body, text) => {
    const { headgate, upstream, run } = setUp({}, firstly(throttled))
    await run(headgate.fetch(url, post(body)))
    expect(upstream.log.map((entry) => text.test(entry.body ?? ''))).toEqual([true, true])
  })

  test('by the fetch and the Request of undici the package', async () => {
    const { upstream, url: address } = await listen(firstly({ status: 429, headers: { 'retry-after': '0.05' } }))
    const headgate = createHeadgate({ fetch: undiciFetch as unknown as Inner })
    const request = new UndiciRequest(address, { method: 'POST', body: json })
    expect((await headgate.fetch(request as unknown as Request)).status).toBe(200)
    expect(upstream.log.map(({ body }) => body)).toEqual([json, json])
  })
})

describe('a body that can be read once is never sent a second time', () => {
  test.each([
    ['a stream', stream],
    ['an async iterable', chunks],
  ])('%s: the response is handed back at once', async (_, body) => {
    for (const fault of [throttled, { status: 500 }]) {
      const { headgate, upstream, run, clock } = setUp({}, firstly(fault))
      const response = await run(headgate.fetch(url, { ...post(body()), headgate: { idempotent: true } }))
      expect([response.status, response.bodyUsed, clock.now()]).toEqual([fault.status, false, 0])
      expect(upstream.log.map((entry) => entry.body)).toEqual([json])
    }
  })

  test('a stream, also where streams cannot be iterated', async () => {
    const { prototype } = ReadableStream
    const iterator = Object.getOwnPropertyDescriptor(prototype, Symbol.asyncIterator)!
    onTestFinished(() => void Object.defineProperty(prototype, Symbol.asyncIterator, iterator))
    Reflect.deleteProperty(prototype, Symbol.asyncIterator)
    const { fetch, calls } = recording(() => new Response(null, { status: 429, headers: { 'retry-after': '1' } }))
    const { headgate, run } = setUp({}, {}, { fetch })
    expect((await run(headgate.fetch(url, post(stream())))).status).toBe(429)
    expect(calls).toHaveLength(1)
  })

  test('a Request of a call that is neither retried nor redirected is sent itself', async () => {
    const { fetch, calls } = recording()
    const request = new Request(url, post(json))
    await createHeadgate({ fetch, default: { retry: false, redirects: 'native' } }).fetch(request)
    expect(calls[0]!.input).toBe(request)
  })
})

describe('the caller’s Request', () => {
  test('has been used after the call, as after fetch', async () => {
    const { headgate, run } = setUp()
    const request = new Request(url, post(json))
    await run(headgate.fetch(request))
    expect(request.bodyUsed).toBe(true)
  })

  test('can still be sent where the call was refused', async () => {
    const { headgate, run } = setUp({ limits: { limit: 1, windowMs: 60_000 }, maxWaitMs: 100 })
    await run(headgate.fetch(url))
    const request = new Request(url, post(json))
    await expect(run(headgate.fetch(request))).rejects.toMatchObject({ reason: 'wait-too-long' })
    expect(await request.text()).toBe(json)
  })
})

describe('the body of a response that is retried', () => {
  test('is cancelled', async () => {
    const cancelled: number[] = []
    let count = 0
    const { fetch } = recording(() => {
      const index = count++
      if (index === 2) return new Response('ok')
      return new Response(new ReadableStream({ cancel: () => void cancelled.push(index) }), { status: 500 })
    })
    const { headgate, run } = setUp({}, {}, { fetch })
    expect(await (await run(headgate.fetch(url))).text()).toBe('ok')
    expect(cancelled).toEqual([0, 1])
  })

  test('that cannot be cancelled is left', async () => {
    const answers = [
      new Response(new ReadableStream({ cancel: () => Promise.reject(new Error('no')) }), { status: 500 }),
      Object.defineProperty(new Response(null, { status: 500 }), 'body', { value: { pipe() {} } }),
      new Response('ok'),
    ]
    const { headgate, run } = setUp({}, {}, { fetch: recording(() => answers.shift()!).fetch })
    expect((await run(headgate.fetch(url))).status).toBe(200)
  })

  test('over a socket: its connection serves the next attempt or is closed, and none is left behind', async () => {
    const failures = Array.from({ length: 20 }, () => ({ status: 500, body: 'x'.repeat(1e6) }))
    const { upstream, url: address } = await listen(firstly(...failures))
    const headgate = createHeadgate({ default: { retry: { failed: { maxAttempts: 30, baseMs: 1, maxMs: 1 } } } })
    const response = await headgate.fetch(address)
    expect([response.status, await response.text(), upstream.log.length]).toEqual([200, 'ok', 21])
    await expect.poll(() => openSockets(), { timeout: 5_000 }).toBeLessThanOrEqual(2)
  })
})

/** Connections of this process that are open: to the upstream and, since it is in the same process, at it. */
function openSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
}

function form(): FormData {
  const data = new FormData()
  data.set('n', '1')
  return data
}
