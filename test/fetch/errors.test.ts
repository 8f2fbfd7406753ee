import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { neverSent } from '../../src/fetch/transport.ts'
import { createHeadgate } from '../../src/index.ts'
import { firstly, held, type Inner, recording, setUp, url, used } from './support.ts'

const onePerSecond = { limits: { limit: 1, windowMs: 1_000 } }

const coded = (code: string, cause?: unknown) => Object.assign(new Error(code, { cause }), { code })
const wrapped = (cause: unknown) => new TypeError('fetch failed', { cause })

describe('errors of the inner fetch', () => {
  test.each<[string, unknown]>([
    ['an error', new TypeError('fetch failed')],
    ['something that is no error', 'no'],
    ['undefined', undefined],
  ])('%s is what the caller gets', async (_, error) => {
    const inner: Inner = () => Promise.reject(error as Error)
    const { headgate, run } = setUp({ retry: false }, {}, { fetch: inner })
    await expect(run(headgate.fetch(url))).rejects.toBe(error)
    expect(held(headgate)).toBe(0)
  })

  test('after retries, the last of them', async () => {
    const errors: Error[] = []
    const inner: Inner = () => {
      errors.push(new TypeError(`failed ${errors.length}`))
      return Promise.reject(errors.at(-1)!)
    }
    const { headgate, run } = setUp({ retry: { failed: { maxAttempts: 3 } } }, {}, { fetch: inner })
    const error = await run(headgate.fetch(url).catch((thrown: unknown) => thrown))
    expect([errors.length, errors.indexOf(error as Error)]).toEqual([3, 2])
  })

  test('thrown at once rather than later: the same', async () => {
    const error = new Error('at once')
    const inner: Inner = () => {
      throw error
    }
    const { headgate, run } = setUp({ retry: false }, {}, { fetch: inner })
    await expect(run(headgate.fetch(url))).rejects.toBe(error)
    expect(held(headgate)).toBe(0)
  })
})

describe('isThrottled that throws', () => {
  test('is the caller’s error: no retry, no permit held, the body let go', async () => {
    const error = new Error('from the classifier')
    let cancelled = false
    const body = new ReadableStream({ cancel: () => void (cancelled = true) })
    const { fetch, calls } = recording(() => new Response(body))
    const isThrottled = () => Promise.reject(error)
    const { headgate, run } = setUp({ isThrottled, concurrency: 1, ...onePerSecond }, {}, { fetch })
    await expect(run(headgate.fetch(url))).rejects.toBe(error)
    expect([calls.length, held(headgate), cancelled]).toEqual([1, 0, true])
  })
})

describe('weight of an attempt that ended without headers', () => {
  test.each([
    ['given back where it never reached the upstream', 'refused', [0]],
    ['held for transitMs and a window where it may have', 'reset', [0, 2_000]],
  ] as const)('%s', async (_, error, sent) => {
    const { headgate, run, sentAt } = setUp({ ...onePerSecond, retry: false }, firstly({ error }))
    await expect(run(headgate.fetch(url))).rejects.toThrow('fetch failed')
    await run(headgate.fetch(url))
    expect(sentAt()).toEqual(sent)
  })

  test('given back by a port that nobody listens on', async () => {
    const port = await freePort()
    const headgate = createHeadgate({ default: { ...onePerSecond, retry: false } })
    const target = `http://127.0.0.1:${port}/`
    await expect(headgate.fetch(target)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
    expect(headgate.snapshot().gates[0]?.limits[0]?.held).toBe(0)
  })

  test('given back by a name that does not resolve', async () => {
    const headgate = createHeadgate({ default: { ...onePerSecond, retry: false } })
    await expect(headgate.fetch('http://nowhere.invalid/')).rejects.toThrow(TypeError)
    expect(headgate.snapshot().gates[0]?.limits[0]?.held).toBe(0)
  })

  test('a retry of one that was refused takes its place at once', async () => {
    const { headgate, run, clock } = setUp(onePerSecond, firstly({ error: 'refused' }))
    clock.random = () => 0
    await run(headgate.fetch(url))
    expect([clock.now(), used(headgate)]).toEqual([0, 1])
  })
})

describe('neverSent', () => {
  const deep = Array.from({ length: 9 }).reduce<unknown>((cause) => wrapped(cause), coded('ECONNREFUSED'))
  test.each<[string, unknown, boolean]>([
    ['refused', wrapped(coded('ECONNREFUSED')), true],
    ['the name does not resolve', wrapped(coded('ENOTFOUND')), true],
    ['the name server does not answer', wrapped(coded('EAI_AGAIN')), true],
    ['connect timeout of undici', wrapped(coded('UND_ERR_CONNECT_TIMEOUT')), true],
    ['the code on the error itself', coded('ECONNREFUSED'), true],
    ['reset', wrapped(coded('ECONNRESET')), false],
    ['socket closed', wrapped(coded('UND_ERR_SOCKET')), false],
    ['headers timeout', wrapped(coded('UND_ERR_HEADERS_TIMEOUT')), false],
    ['the system’s timeout, which may strike later too', wrapped(coded('ETIMEDOUT')), false],
    ['every address refused', wrapped(new AggregateError([coded('ECONNREFUSED'), coded('EHOSTUNREACH')])), true],
    [
      'one address refused, one reset',
      wrapped(new AggregateError([coded('ECONNREFUSED'), coded('ECONNRESET')])),
      false,
    ],
    ['no address at all', wrapped(new AggregateError([])), false],
    ['no cause', new TypeError('fetch failed'), false],
    ['a string', 'ECONNREFUSED', false],
    ['null', null, false],
    ['a code that is no string', { code: 111 }, false],
    ['deeper than it is looked for', deep, false],
  ])('%s: %s', (_, error, expected) => expect(neverSent(error)).toBe(expected))

  test('a cause that is its own cause comes to an end', () => {
    const error: { cause?: unknown } = {}
    error.cause = error
    expect(neverSent(error)).toBe(false)
  })
})

/** A port that was free a moment ago. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
