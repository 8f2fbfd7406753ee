import { describe, expect, test } from 'vitest'
import type { UpstreamConfig } from '../../src/index.ts'
import { held, recording, setUp, url } from './support.ts'

const body = '{"n":1}'

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

/** A response as the host's fetch gives it: its body is a byte stream that comes in pieces. */
function inPieces(...pieces: string[]): Response {
  const source = {
    type: 'bytes' as const,
    pull(controller: ReadableByteStreamController) {
      const piece = pieces.shift()
      if (piece === undefined) controller.close()
      else controller.enqueue(bytes(piece))
    },
  }
  return new Response(new ReadableStream(source))
}

async function setUpOne(response: Response, pacing: UpstreamConfig = { concurrency: 1 }) {
  const { headgate, clock } = setUp(pacing, {}, { fetch: recording(() => response).fetch })
  const given = await headgate.fetch(url)
  return { response: given, clock, headgate, held: () => held(headgate) }
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text
    text += new TextDecoder().decode(value)
  }
}

async function iterate(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += new TextDecoder().decode(chunk)
  return text
}

async function readInto(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader({ mode: 'byob' })
  let text = ''
  for (;;) {
    const { done, value } = await reader.read(new Uint8Array(4))
    if (done) return text
    text += new TextDecoder().decode(value)
  }
}

describe("concurrencyUntil 'body': the permit is held until the body has been read", () => {
  test.each<[string, (response: Response) => Promise<unknown>, unknown]>([
    ['text()', (response) => response.text(), body],
    ['json()', (response) => response.json(), { n: 1 }],
    ['arrayBuffer()', async (response) => (await response.arrayBuffer()).byteLength, body.length],
    ['bytes()', async (response) => (await response.bytes()).byteLength, body.length],
    ['blob()', async (response) => (await response.blob()).size, body.length],
    ['formData() of what is none', (response) => response.formData().catch(() => 'none'), 'none'],
    ['a reader', (response) => readAll(response.body!), body],
    ['a reader into a buffer', (response) => readInto(response.body!), body],
    ['for await', (response) => iterate(response.body!), body],
    ['pipeThrough()', (response) => readAll(response.body!.pipeThrough(new TransformStream())), body],
    ['a new Response around it', (response) => new Response(response.body, response).text(), body],
    ['a Response that was cloned', (response) => (response.clone(), response.text()), body],
    ['its clone', (response) => response.clone().json(), { n: 1 }],
    ['the stream of its clone', (response) => readAll(response.clone().body!), body],
    ['its own stream after a clone', (response) => (response.clone(), readAll(response.body!)), body],
    ['the clone of its clone', (response) => response.clone().clone().text(), body],
    ['its text after its stream was looked at', (response) => (void response.body, response.text()), body],
  ])('%s', async (_, read, expected) => {
    const { response, held } = await setUpOne(inPieces(body.slice(0, 3), body.slice(3)))
    expect(held()).toBe(1)
    expect(await read(response)).toEqual(expected)
    expect(held()).toBe(0)
  })

  test('part of it is not enough', async () => {
    const { response, held } = await setUpOne(inPieces('a', 'b'))
    const reader = response.body!.getReader()
    await reader.read()
    await reader.read()
    expect(held()).toBe(1)
    await reader.read()
    expect(held()).toBe(0)
  })

  test.each<[string, (response: Response) => Promise<unknown>]>([
    ['cancelled unread', (response) => response.body!.cancel('enough')],
    ['cancelled half read', (response) => cancelHalfRead(response)],
    ['left in the middle of for await', (response) => leaveLoop(response)],
  ])('or it is %s, and the source hears of it', async (_, stop) => {
    const reasons: unknown[] = []
    const source = {
      pull: (controller: ReadableStreamDefaultController) => controller.enqueue(bytes('x')),
      cancel: (reason: unknown) => void reasons.push(reason),
    }
    const { response, held } = await setUpOne(new Response(new ReadableStream(source)))
    await stop(response)
    expect([held(), reasons.length]).toEqual([0, 1])
  })

  test.each<[string, (response: Response) => Promise<unknown>]>([
    ['text()', (response) => response.text()],
    ['a reader', (response) => readAll(response.body!)],
  ])('or it fails, which %s hears as it is', async (_, read) => {
    const error = new Error('reset')
    const source = { pull: () => Promise.reject(error) }
    const { response, held } = await setUpOne(new Response(new ReadableStream(source)))
    await expect(read(response)).rejects.toBe(error)
    expect(held()).toBe(0)
  })

  test('nothing of it is read before the caller reads', async () => {
    let pulls = 0
    const source = { type: 'bytes' as const, pull: () => void (pulls += 1) }
    const { response } = await setUpOne(new Response(new ReadableStream(source)))
    void response.body
    await Promise.resolve()
    expect(pulls).toBe(0)
  })

  test.each([
    ['204', new Response(null, { status: 204 })],
    ['no body, as for a HEAD', new Response(null, { headers: { 'content-length': '9' } })],
    ['a body that is no web stream', Object.setPrototypeOf(inPieces('x'), { body: {}, __proto__: Response.prototype })],
  ])('%s: released with the headers', async (_, response) => {
    expect((await setUpOne(response as Response)).held()).toBe(0)
  })

  test('a body that nobody reads is taken back after maxHoldMs', async () => {
    const { headgate, clock, held } = await setUpOne(inPieces('x'), { concurrency: 1, maxHoldMs: 2_000 })
    const next = headgate.fetch(url, { headgate: { maxWaitMs: 10_000 } })
    await clock.advance(1_999)
    expect([held(), headgate.explain(url).queued]).toEqual([1, 1])
    await clock.advance(1)
    expect(headgate.explain(url).queued).toBe(0)
    await next
  })

  test('one that was read when its permit was gone already changes nothing', async () => {
    const { response, clock, held } = await setUpOne(inPieces('x'), { concurrency: 1, maxHoldMs: 2_000 })
    await clock.advance(2_000)
    expect(await response.text()).toBe('x')
    expect(held()).toBe(0)
  })
})

describe('the response is the one that the inner fetch gave', () => {
  const pacings: [string, UpstreamConfig][] = [
    ['without concurrency', {}],
    ['until the headers', { concurrency: 1, concurrencyUntil: 'headers' }],
    ['until the end of the body', { concurrency: 1 }],
  ]

  test.each(pacings)('the same object, with all that it says: %s', async (_, pacing) => {
    const original = new Response(body, { status: 203, headers: { 'x-a': 'b' } })
    const { response } = await setUpOne(original, pacing)
    expect(response).toBe(original)
    expect(response).toBeInstanceOf(Response)
    const { status, ok, type, redirected, url: address, bodyUsed } = response
    expect({ status, ok, type, redirected, address, bodyUsed }).toEqual({
      status: 203,
      ok: true,
      type: 'default',
      redirected: false,
      address: '',
      bodyUsed: false,
    })
    expect(response.headers.get('x-a')).toBe('b')
    expect(response.body).toBeInstanceOf(ReadableStream)
    expect(response.body).toBe(response.body)
    await response.text()
    expect(response.bodyUsed).toBe(true)
  })

  test.each(pacings.slice(0, 2))('untouched, and its permit is released with the headers: %s', async (_, pacing) => {
    const { response, held } = await setUpOne(new Response(body), pacing)
    expect([held(), Object.getOwnPropertyNames(response)]).toEqual([0, []])
  })

  test('frozen, it cannot be watched, and its permit is released with the headers', async () => {
    const { response, held } = await setUpOne(Object.freeze(new Response(body)))
    expect([held(), await response.text()]).toEqual([0, body])
  })

  test.each<[string, (response: Response) => Promise<unknown>]>([
    ['read twice', (response) => response.text().then(() => response.text())],
    ['read while it is being streamed', (response) => readAll(response.body!).then(() => response.text())],
    ['cloned after it was read', (response) => response.text().then(() => response.clone())],
  ])('%s, it fails as it would', async (_, misuse) => {
    const { response } = await setUpOne(inPieces(body))
    await expect(misuse(response)).rejects.toThrow(TypeError)
    expect(response.bodyUsed).toBe(true)
  })
})

describe('one headgate around another', () => {
  test.each<[string, (response: Response) => Promise<unknown>]>([
    ['text()', (response) => response.text()],
    ['a reader', (response) => readAll(response.body!)],
    ['a clone', (response) => response.clone().text()],
  ])('%s gives both permits back', async (_, read) => {
    const inner = setUp({ concurrency: 1 })
    const outer = setUp({ concurrency: 1 }, {}, { fetch: (input, init) => inner.headgate.fetch(input, init) })
    const response = await outer.headgate.fetch(url)
    expect([held(inner.headgate), held(outer.headgate)]).toEqual([1, 1])
    await read(response)
    expect([held(inner.headgate), held(outer.headgate)]).toEqual([0, 0])
  })
})

async function cancelHalfRead(response: Response): Promise<void> {
  const reader = response.body!.getReader()
  await reader.read()
  await reader.cancel('enough')
}

async function leaveLoop(response: Response): Promise<void> {
  for await (const chunk of response.body!) if (chunk) break
}
