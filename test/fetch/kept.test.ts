import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Agent, fetch as undiciFetch } from 'undici'
import { createHeadgate } from '../../src/index.ts'
import { type Inner, outcomeOf, recording, setUp, url } from './support.ts'

const MOST = 65_536

/** A call that gets `answer` and is told to wait for a minute, and what it comes to when its headgate closes meanwhile. */
async function handBack(answer: () => Response, closeAt = 30_000) {
  const { fetch } = recording(answer)
  const { headgate, run, at, clock } = setUp({}, {}, { fetch })
  at(closeAt, () => void headgate.close())
  const response = await run(headgate.fetch(url))
  return { response, endedAt: clock.now(), report: headgate.inspect(response) }
}

const refusal = (body: ConstructorParameters<typeof Response>[0], init: ResponseInit = {}) =>
  Object.defineProperty(
    new Response(body, { status: 500, ...init, headers: { 'retry-after': '60', ...init.headers } }),
    'url',
    { value: 'https://api.example/final' },
  )

/** A body that never comes, or one in eight pieces; `onCancel` is told when it is let go. */
function stream(onCancel: () => void, piece?: Uint8Array): ReadableStream<Uint8Array> {
  let pieces = 0
  return new ReadableStream(
    {
      pull: (controller) => {
        if (piece === undefined) return new Promise(() => {})
        if ((pieces += 1) > 8) controller.close()
        else controller.enqueue(piece)
      },
      cancel: onCancel,
    },
    { highWaterMark: 0 },
  )
}

describe('a response that is handed back after all', () => {
  test('is as it came, unread', async () => {
    const bytes = Uint8Array.from({ length: 300 }, (_, index) => index)
    const headers = new Headers({ 'x-one': '1', 'content-type': 'application/x-thing', 'retry-after': '60' })
    headers.append('set-cookie', 'a=1')
    headers.append('set-cookie', 'b=2')
    const original = Object.defineProperty(
      new Response(bytes, { status: 503, statusText: 'Not Now', headers }),
      'url',
      { value: 'https://api.example/final' },
    )
    const expected = [...original.headers]
    const { response, endedAt, report } = await handBack(() => original)
    expect(endedAt).toBe(30_000)
    expect([response.status, response.statusText, response.url, response.type, response.redirected]).toEqual([
      503,
      'Not Now',
      'https://api.example/final',
      'default',
      false,
    ])
    expect([...response.headers]).toEqual(expected)
    expect(response.bodyUsed).toBe(false)
    expect(new Uint8Array(await response.clone().arrayBuffer())).toEqual(bytes)
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes)
    expect(report).toMatchObject({ attempts: 1, waitedMs: 30_000, observation: { retryAfterMs: 60_000 } })
  })

  test('without a body it has none', async () => {
    const { response } = await handBack(() => refusal(null))
    expect([response.status, response.body, await response.text()]).toEqual([500, null, ''])
  })

  test.each([0, 1, MOST])('a body of %d bytes is kept', async (length) => {
    const { response } = await handBack(() => refusal(new Uint8Array(length).fill(7)))
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect([bytes.length, bytes.every((byte) => byte === 7)]).toEqual([length, true])
  })

  test('one of one byte more is let go, and says so when it is read', async () => {
    let cancelled = 0
    const body = stream(() => (cancelled += 1), new Uint8Array(MOST / 2 + 1))
    const { response } = await handBack(() => refusal(body, { headers: { 'x-one': '1' } }))
    expect([response.status, response.headers.get('x-one'), response.bodyUsed, cancelled]).toEqual([500, '1', false, 1])
    await expect(response.text()).rejects.toMatchObject({ code: 'HEADGATE_BODY_NOT_KEPT', name: 'HeadgateError' })
  })

  test.each([
    [999, 'late'],
    [1_001, 'HEADGATE_BODY_NOT_KEPT'],
  ])('one that comes after %d ms: %s', async (bodyMs, expected) => {
    const fault = { status: 500, body: 'late', headers: { 'retry-after': '60' } }
    const { headgate, run, at } = setUp({}, { faults: [fault], bodyMs })
    at(30_000, () => void headgate.close())
    const response = await run(headgate.fetch(url))
    expect(await response.text().catch(({ code }: { code: string }) => code)).toBe(expected)
  })

  test('one that is still on its way is waited for', async () => {
    const fault = { status: 500, body: 'late', headers: { 'retry-after': '60' } }
    const { headgate, run, at, clock } = setUp({}, { faults: [fault], bodyMs: 800 })
    at(300, () => void headgate.close())
    const response = await run(headgate.fetch(url))
    expect([await response.text(), clock.now()]).toEqual(['late', 800])
  })

  test('one that never comes is let go after a second', async () => {
    const { fetch } = recording(() => refusal(stream(() => cancelledAt.push(clock.now()))))
    const { headgate, run, at, clock } = setUp({}, {}, { fetch })
    const cancelledAt: number[] = []
    at(30_000, () => void headgate.close())
    const response = await run(headgate.fetch(url))
    expect([response.status, cancelledAt]).toEqual([500, [1_000]])
    await expect(response.text()).rejects.toMatchObject({ code: 'HEADGATE_BODY_NOT_KEPT' })
  })

  test('one that fails says the same', async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) })
    const { response } = await handBack(() => refusal(body))
    await expect(response.text()).rejects.toMatchObject({ code: 'HEADGATE_BODY_NOT_KEPT' })
  })

  test.each([['a string'], [''], [{}], [new ArrayBuffer(4)], [new Uint16Array(4)], [undefined]])(
    'one whose chunks are not bytes says the same: %j',
    async (chunk) => {
      let cancelled = 0
      const body = new ReadableStream({ pull: (it) => it.enqueue(chunk), cancel: () => void (cancelled += 1) })
      const { response } = await handBack(() => refusal(body))
      expect([response.status, cancelled]).toEqual([500, 1])
      await expect(response.text()).rejects.toMatchObject({ code: 'HEADGATE_BODY_NOT_KEPT' })
    },
  )

  test.each<[string, (inner: Inner) => Inner]>([
    ['', (inner) => inner],
    [
      ', through another headgate too',
      (inner) => {
        const fetch: Inner = (input, init) => inner(input, init)
        return createHeadgate({ fetch, default: { concurrency: 1, retry: false } }).fetch
      },
    ],
  ])('says of itself what it did, and so do its clones%s', async (_, wrapped) => {
    const { fetch } = recording(() => refusal('short'))
    const { headgate, run, at } = setUp({}, {}, { fetch })
    at(100, () => void headgate.close())
    const response = await run(wrapped(headgate.fetch)(url))
    Object.defineProperty(response, 'redirected', { value: true })
    const copies = [response.clone(), response.clone().clone()]
    const told = copies.map((copy) => [copy.status, copy.url, copy.redirected, copy.type])
    expect(told).toEqual(Array(2).fill([500, 'https://api.example/final', true, 'default']))
    expect(await Promise.all([response, ...copies].map((each) => each.text()))).toEqual(Array(3).fill('short'))
  })

  test.each([
    ['a pause', 500],
    ['a park', 429],
  ])('one that is still on its way is let go when its call is aborted during %s', async (_, status) => {
    const cancelledAt: number[] = []
    const { fetch } = recording(() =>
      refusal(
        stream(() => cancelledAt.push(clock.now())),
        { status },
      ),
    )
    const { headgate, run, at, clock } = setUp({}, {}, { fetch })
    const controller = new AbortController()
    at(300, () => controller.abort())
    const call = outcomeOf(headgate.fetch(url, { signal: controller.signal }))
    expect([await run(call), cancelledAt]).toEqual(['AbortError', [300]])
  })

  test('leaves no timer behind', async () => {
    const { fetch } = recording(() => refusal('short'))
    const { headgate, run, at, clock } = setUp({}, {}, { fetch })
    at(100, () => void headgate.close())
    await run(headgate.fetch(url))
    expect(clock.pendingTimers).toBe(0)
  })
})

describe('over HTTP/1.1, through ten connections', () => {
  const CALLS = 500
  const HINT = { 'retry-after': '0.05' }

  /** What a first attempt is answered: nothing of it may keep a connection from the others. */
  const ANSWERS: ((response: ServerResponse) => void)[] = [
    (response) => response.writeHead(500, HINT).end('short'),
    (response) => response.writeHead(500).end('x'.repeat(1_000_000)),
    (response) => response.writeHead(429, HINT).end('short'),
    (response) => response.writeHead(503, HINT).end('x'.repeat(1_000_000)),
  ]

  test('five hundred calls that are retried all finish', async () => {
    const tried = new Set<string>()
    const server = createServer((request, response) => {
      const call = Number(request.url!.slice(1))
      if (tried.has(request.url!)) return void response.end(`answer ${call}`)
      tried.add(request.url!)
      if (call % 25 === 0) response.writeHead(500, HINT).write('a body that never ends')
      else ANSWERS[call % ANSWERS.length]!(response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const dispatcher = new Agent({ connections: 10, bodyTimeout: 0, headersTimeout: 0 })
    onTestFinished(async () => {
      server.closeAllConnections()
      server.close()
      await dispatcher.destroy()
    })
    const { port } = server.address() as AddressInfo
    const retry = { failed: { baseMs: 10, maxMs: 10, maxAttempts: 10 } }
    const headgate = createHeadgate({ fetch: undiciFetch as unknown as Inner, default: { coldStartMs: 0, retry } })
    const texts = await Promise.all(
      Array.from({ length: CALLS }, async (_, call) => {
        const response = await headgate.fetch(`http://127.0.0.1:${port}/${call}`, {
          dispatcher,
        } as unknown as RequestInit)
        return response.text()
      }),
    )
    expect(texts).toEqual(Array.from({ length: CALLS }, (_, call) => `answer ${call}`))
    expect(tried.size).toBe(CALLS)
    // Closing waits for requests whose bodies are not over.
    await dispatcher.close()
  })
})
