import { Readable } from 'node:stream'
import * as undici8 from 'undici'
import { describe, expect, test } from 'vitest'
import { createHeadgate } from '../../src/index.ts'
import { headgateInterceptor } from '../../src/undici/index.ts'
import { headersOf, isReplayable, urlOf } from '../../src/undici/options.ts'
import { both, get, listen, setUpDispatcher } from './support.ts'

type Options = Parameters<typeof urlOf>[0]

describe('where a request goes', () => {
  test.each<[Partial<Options>, string]>([
    [{ origin: 'http://one.example', path: '/a?b=1' }, 'http://one.example/a?b=1'],
    [{ origin: 'http://one.example/', path: '/a' }, 'http://one.example/a'],
    [{ origin: new URL('https://one.example:8443/'), path: '/' }, 'https://one.example:8443/'],
    [{ origin: ' http://one.example ', path: '/a' }, 'http://one.example/a'],
    [{ origin: 'http://one.example', path: '//two.example/a' }, 'http://one.example//two.example/a'],
    [{ origin: 'http://one.example', path: '/a', query: { b: 1, c: ['x', 'y'] } }, 'http://one.example/a?b=1&c=x&c=y'],
    [
      {
        origin: 'http://one.example',
        path: '/a',
        query: { b: null, c: Object.create(null) as object, d: [undefined, {}] },
      },
      'http://one.example/a?b=&c=&d=&d=',
    ],
    [{ origin: 'http://proxy.example', path: 'two.example:443', method: 'CONNECT' }, 'http://proxy.example/'],
    [{ origin: 'http://proxy.example', path: 'http://two.example/a' }, 'http://proxy.example/'],
  ])('%o: %s', (options, expected) => {
    expect(urlOf({ method: 'GET', path: '/', ...options } as Options).href).toBe(expected)
  })
})

test.each(both)('%s: a request of odd options that fails gives its permit back', async (version) => {
  const { undici, dispatcher, headgate } = setUpDispatcher(version, { concurrency: 1, retry: false })
  const query = { odd: Object.create(null) as object }
  const failing = undici.request('http://127.0.0.1:1', { dispatcher, query })
  await expect(failing).rejects.toThrow(expect.objectContaining({ code: 'ECONNREFUSED' }))
  expect(headgate.snapshot().gates.map((gate) => gate.held)).toEqual([0])
})

describe('what can be sent again', () => {
  const form = (): FormData => new FormData()
  test.each<[string, unknown, boolean]>([
    ['nothing', undefined, true],
    ['null', null, true],
    ['text', 'x', true],
    ['bytes', Buffer.from('x'), true],
    ['a buffer', new ArrayBuffer(1), true],
    ['a form', form(), true],
    ['a form of undici', new undici8.FormData(), true],
    ['a blob', new Blob(['x']), true],
    ['a stream', Readable.from(['x']), false],
    ['an iterator', (function* () {})(), false],
  ])('%s: %o', (_, body, expected) => {
    expect(isReplayable({ ...get('http://one.example'), body } as Options)).toBe(expected)
  })

  test.each(both)('%s sends a blob twice', async (version) => {
    const { upstream, origin } = await listen({ faults: [{ index: 0, status: 500 }] })
    const { undici, dispatcher } = setUpDispatcher(version, { retry: { failed: { baseMs: 1 } } })
    const { body } = await undici.request(origin, { dispatcher, method: 'PUT', body: new Blob(['text']) as never })
    await body.dump()
    expect(upstream.log.map((entry) => entry.body)).toEqual(['text', 'text'])
  })
})

describe('headers in any form', () => {
  const expected = [
    ['x-a', '1'],
    ['x-b', '2, 3'],
  ]
  test.each<[string, unknown]>([
    ['an object', { 'X-A': '1', 'x-b': ['2', '3'], 'x-c': undefined }],
    ['a flat list', ['X-A', '1', 'x-b', '2', 'x-b', '3']],
    ['a list of pairs', [['X-A', '1'], ['x-b', ['2', '3']]]], // prettier-ignore
    ['a map', new Map<string, unknown>([['X-A', '1'], ['x-b', ['2', '3']]])], // prettier-ignore
    ['a Headers', new Headers([['X-A', '1'], ['x-b', '2'], ['x-b', '3']])], // prettier-ignore
  ])('%s', (_, headers) => {
    expect([...headersOf({ ...get('http://one.example'), headers } as Options)]).toEqual(expected)
  })
})

describe('headgateInterceptor', () => {
  test('refuses what is no headgate, and options that make no sense', () => {
    expect(() => headgateInterceptor({ ...createHeadgate() })).toThrow(
      expect.objectContaining({ code: 'HEADGATE_CONFIG' }),
    )
    const wrong = { priority: 'high' } as unknown as object
    expect(() => headgateInterceptor(createHeadgate(), wrong)).toThrow(
      expect.objectContaining({ code: 'HEADGATE_CONFIG' }),
    )
  })

  test('hands on what is no HTTP, without its own option', () => {
    const seen: object[] = []
    const dispatch = headgateInterceptor(createHeadgate())((options) => seen.push(options) > 0)
    dispatch({ ...get('ftp://one.example'), headgate: {} } as Options, {})
    expect(seen).toEqual([get('ftp://one.example')])
  })
})
