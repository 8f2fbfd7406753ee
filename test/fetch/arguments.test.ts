import { describe, expect, test } from 'vitest'
import { Request as UndiciRequest } from 'undici'
import { createHeadgate, type UpstreamConfig } from '../../src/index.ts'
import { firstly, type Inner, recording, setUp, url, used } from './support.ts'

describe('input', () => {
  test.each<[string, string | URL | Request]>([
    ['a string', url],
    ['a URL', new URL(url)],
    ['a Request', new Request(url, { headers: { 'x-mine': 'yes' } })],
    ['a string in upper case with a default port', 'HTTPS://API.EXAMPLE:443/v1/things?page=2#part'],
    ['something that is made a string', { toString: () => url } as unknown as string],
  ])('%s is handed on as it is', async (_, input) => {
    const { fetch, calls } = recording()
    const headgate = createHeadgate({ fetch })
    await headgate.fetch(input)
    expect(calls).toHaveLength(1)
    expect(calls[0]!.input).toBe(input)
    expect(headgate.snapshot().gates).toMatchObject([{ host: 'api.example', port: 443 }])
  })

  test('a Request of another copy of undici is paced too', async () => {
    const { fetch, calls } = recording()
    const headgate = createHeadgate({ fetch })
    const request = new UndiciRequest(url, { method: 'PUT', body: 'x' })
    await headgate.fetch(request as unknown as Request)
    expect(calls).toHaveLength(1)
    expect(headgate.snapshot().gates).toMatchObject([{ host: 'api.example' }])
  })

  test('a URL that cannot be read is refused as the inner fetch refuses it', async () => {
    const wanted = await globalThis.fetch('/no/base').catch((error: unknown) => error)
    const error = await createHeadgate()
      .fetch('/no/base')
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(TypeError)
    expect((error as TypeError).message).toBe((wanted as TypeError).message)
  })

  test('other schemes are left to the inner fetch and make no gate', async () => {
    const headgate = createHeadgate()
    expect(await (await headgate.fetch('data:text/plain,hello')).text()).toBe('hello')
    await expect(headgate.fetch('ftp://api.example/')).rejects.toThrow(TypeError)
    expect(headgate.snapshot().gates).toEqual([])
  })

  test('fetch may be detached', async () => {
    const { fetch } = createHeadgate({ fetch: recording().fetch })
    expect((await fetch(url)).status).toBe(200)
  })

  test.each<[string, Parameters<Inner>]>([
    ['paced', [url]],
    ['passed through', ['http://other.example/']],
    ['of another scheme', ['data:,']],
  ])('the inner fetch is called without a receiver: %s', async (_, args) => {
    const receivers: unknown[] = []
    const inner = function (this: unknown) {
      receivers.push(this)
      return Promise.resolve(new Response())
    }
    const headgate = createHeadgate({ fetch: inner, upstreams: { 'api.example': {} }, default: false })
    await headgate.fetch(...args)
    expect(receivers).toEqual([undefined])
  })
})

describe('init', () => {
  test('every member reaches the inner fetch, known or not, apart from headgate', async () => {
    const { fetch, calls } = recording()
    const key = Symbol('mine')
    const members = {
      method: 'POST',
      body: new ReadableStream(),
      duplex: 'half',
      dispatcher: { dispatch() {} },
      headers: [['x-mine', 'yes']],
      priority: 'low',
      [key]: 1,
    }
    await createHeadgate({ fetch }).fetch(url, { ...members, headgate: { weight: 2 } } as never)
    const init = calls[0]!.init!
    expect(init).not.toHaveProperty('headgate')
    for (const name of Reflect.ownKeys(members)) expect(init[name]).toBe(members[name as never])
  })

  test('the caller keeps what it passed', async () => {
    const init = { method: 'POST', headgate: { weight: 2 } }
    await createHeadgate({ fetch: recording().fetch }).fetch(url, init)
    expect(init).toEqual({ method: 'POST', headgate: { weight: 2 } })
    expect(Reflect.ownKeys(init)).toHaveLength(2)
  })

  test.each([{ method: 'POST' }, undefined])('the very same object where the call passes through: %j', async (init) => {
    const { fetch, calls } = recording()
    await createHeadgate({ fetch, default: false }).fetch(url, init)
    expect(calls[0]!.init).toBe(init)
  })

  test('headgate: false is taken off and nothing is paced', async () => {
    const { fetch, calls } = recording()
    const headgate = createHeadgate({ fetch })
    await headgate.fetch(url, { method: 'POST', headgate: false })
    expect(calls[0]!.init).toEqual({ method: 'POST' })
    expect(headgate.snapshot().gates).toEqual([])
  })

  test('a Request or any other object with members of its own kind may stand for it', async () => {
    const { fetch, calls } = recording()
    const headgate = createHeadgate({ fetch })
    const inits = [new Request(url, { method: 'DELETE' }), Object.create({ method: 'DELETE' }) as RequestInit]
    for (const init of inits) await headgate.fetch(url, init)
    expect(calls.map(({ init }) => init?.['method'])).toEqual(['DELETE', 'DELETE'])
  })

  test('null for it is none', async () => {
    const { upstream, headgate } = setUp()
    await headgate.fetch(url, null as never)
    expect(upstream.log).toMatchObject([{ method: 'GET' }])
  })

  test.each<[string, object]>([
    ['a misspelt option', { headgate: { wieght: 2 } }],
    ['a weight that is none', { headgate: { weight: -1 } }],
    ['an option of the wrong kind', { headgate: { retry: true } }],
  ])('%s is a ConfigError and nothing is sent', async (_, init) => {
    const { fetch, calls } = recording()
    await expect(createHeadgate({ fetch }).fetch(url, init as never)).rejects.toMatchObject({ code: 'HEADGATE_CONFIG' })
    expect(calls).toEqual([])
  })
})

describe('headers are put together', () => {
  const tracked = () => {
    let reads = 0
    const entries = [['x-own', '1']]
    const headers = { [Symbol.iterator]: () => ((reads += 1), entries[Symbol.iterator]()) } as unknown as Headers
    return { headers, reads: () => reads }
  }
  const moved = () => new Response(null, { status: 302, headers: { location: '/2' } })

  test.each<[string, UpstreamConfig, number, number]>([
    ['not where nobody asks', {}, 0, 0],
    ['once for a partition', { partition: ({ headers }) => headers.get('x-own')! }, 0, 1],
    ['once for a redirect', {}, 1, 1],
    ['once for both', { partition: ({ headers }) => headers.get('x-own')! }, 1, 1],
  ])('%s', async (_, pacing, redirects, expected) => {
    const { fetch, calls } = recording(() => (calls.length <= redirects ? moved() : new Response('ok')))
    const { headers, reads } = tracked()
    await setUp(pacing, {}, { fetch }).headgate.fetch(url, { headers })
    expect([calls.length, reads()]).toEqual([redirects + 1, expected])
  })
})

test.each([
  ['GET', 2],
  ['get', 2],
  ['PURGE', 2],
  ['purge', 1],
])('a method is known as fetch writes it: attempts at %s: %d', async (method, attempts) => {
  const { headgate, run, sentAt } = setUp(
    { retry: { failed: { methods: ['GET', 'PURGE'] } } },
    firstly({ status: 500 }),
  )
  await run(headgate.fetch(url, { method }))
  expect(sentAt()).toHaveLength(attempts)
})

describe('what fetch would refuse', () => {
  const read = new Request(url, { method: 'PUT', body: 'x' })
  test.each<[string, Parameters<Inner>]>([
    ['a GET with a body', [url, { body: 'x' }]],
    ['a bad header', [url, { headers: { 'no good': 'x' } }]],
    ['a Request whose body has been read', [read]],
    ['a method that is none', [url, { method: 'NO GOOD', body: null }]],
  ])('%s is a TypeError at once, never retried', async (_, args) => {
    if (!read.bodyUsed) await read.text()
    const { clock, upstream, headgate } = setUp({
      limits: { limit: 9, windowMs: 60_000 },
      retry: { failed: { methods: ['GET', 'PUT', 'NO GOOD'] } },
    })
    await expect(clock.runUntil(headgate.fetch(...args))).rejects.toThrow(TypeError)
    expect(used(headgate) ?? 0).toBe(0)
    expect([clock.now(), upstream.log.length]).toEqual([0, 0])
  })
})
