import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { neverSent } from '../../src/attempts/transport.ts'
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
  const connecting = (code: string, port: unknown = 443) => Object.assign(coded(code), { syscall: 'connect', port })
  const reading = (code: string) => Object.assign(coded(code), { syscall: 'read' })
  const looking = (syscall: string, code: string, hostname = 'api.example') =>
    Object.assign(coded(code), { syscall, hostname })
  const every = (...errors: object[]) =>
    wrapped(Object.assign(new AggregateError(errors), { code: (errors[0] as { code?: string } | undefined)?.code }))
  const wrongName = (host: string) => Object.assign(coded('ERR_TLS_CERT_ALTNAME_INVALID'), { host })
  const deep = Array.from({ length: 9 }).reduce<unknown>((cause) => wrapped(cause), coded('ECONNREFUSED'))

  test.each<[string, unknown, boolean]>([
    ['refused', wrapped(connecting('ECONNREFUSED')), true],
    ['refused, and the code is all there is', wrapped(coded('ECONNREFUSED')), true],
    ['refused, on a live connection', wrapped(reading('ECONNREFUSED')), false],
    ['no route', wrapped(connecting('EHOSTUNREACH')), true],
    ['no route any more, on a live connection', wrapped(reading('EHOSTUNREACH')), false],
    ['no route, who knows when', wrapped(coded('EHOSTUNREACH')), false],
    ['no network', wrapped(connecting('ENETUNREACH')), true],
    ['no network any more, on a live connection', wrapped(reading('ENETUNREACH')), false],
    ['the name does not resolve', wrapped(looking('getaddrinfo', 'ENOTFOUND')), true],
    ['the name server does not answer', wrapped(looking('getaddrinfo', 'EAI_AGAIN')), true],
    ['the name server refuses', wrapped(looking('queryA', 'EREFUSED')), true],
    ['connect timeout of undici', wrapped(coded('UND_ERR_CONNECT_TIMEOUT')), true],
    ['certificate', wrapped(coded('CERT_HAS_EXPIRED')), true],
    ['the error itself', connecting('ECONNREFUSED'), true],
    ['reset', wrapped(coded('ECONNRESET')), false],
    ['reset, on a live connection', wrapped(reading('ECONNRESET')), false],
    ['socket closed', wrapped(coded('UND_ERR_SOCKET')), false],
    ['headers timeout', wrapped(coded('UND_ERR_HEADERS_TIMEOUT')), false],
    ['the system’s timeout', wrapped(connecting('ETIMEDOUT')), true],
    ['the system’s timeout, which may strike later too', wrapped(reading('ETIMEDOUT')), false],
    ['every address refused', every(connecting('ECONNREFUSED'), connecting('EHOSTUNREACH')), true],
    ['every address refused or too slow', every(connecting('ETIMEDOUT'), connecting('ENETUNREACH')), true],
    ['one address refused, one reset', every(coded('ECONNREFUSED'), coded('ECONNRESET')), false],
    [
      'one address refused, one of another port',
      every(connecting('ECONNREFUSED'), connecting('ENETUNREACH', 80)),
      false,
    ],
    ['no address at all', every(), false],
    ['no cause', new TypeError('fetch failed'), false],
    ['a string', 'ECONNREFUSED', false],
    ['null', null, false],
    ['a code that is no string', { code: 111 }, false],
    ['deeper than it is looked for', deep, false],
  ])('%s: %s', (_, error, expected) => expect(neverSent(error, new URL(url))).toBe(expected))

  // A fetch that follows redirects fails with the error of the last hop, when the first was counted long ago.
  test.each<[string, string, unknown, boolean]>([
    ['the port of https', 'https://api.example/', connecting('ECONNREFUSED', 443), true],
    ['as text', 'https://api.example/', connecting('ECONNREFUSED', '443'), true],
    ['the port of http', 'http://api.example/', connecting('ECONNREFUSED', 80), true],
    ['a port of its own', 'http://api.example:8080/', connecting('ECONNREFUSED', 8080), true],
    ['another port', 'http://api.example:8080/', connecting('ECONNREFUSED', 80), false],
    ['that of the other scheme', 'http://api.example/', connecting('ECONNREFUSED', 443), false],
    ['the host', 'https://API.example/', looking('getaddrinfo', 'ENOTFOUND', 'API.example'), true],
    ['another host', 'https://api.example/', looking('getaddrinfo', 'ENOTFOUND', 'other.example'), false],
    ['another host, by c-ares', 'https://api.example/', looking('queryAaaa', 'ENOTFOUND', 'other.example'), false],
    ['a certificate not for the host', 'https://api.example/', wrongName('api.example'), true],
    ['a certificate not for another', 'https://api.example/', wrongName('other.example'), false],
    ['a certificate not for an address', 'https://[::1]/', wrongName('::1'), true],
  ])('%s, to %s', (_, to, error, expected) => expect(neverSent(wrapped(error), new URL(to))).toBe(expected))

  test('a cause that is its own cause comes to an end', () => {
    const error: { cause?: unknown } = {}
    error.cause = error
    expect(neverSent(error, new URL(url))).toBe(false)
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

test('isThrottled that reads the body itself is told so, and its attempt is over', async () => {
  const isThrottled = async (response: Response) => (await response.text()) === 'slow'
  const { headgate, run } = setUp({ isThrottled, concurrency: 1 })
  await expect(run(headgate.fetch(url))).rejects.toMatchObject({ code: 'HEADGATE_BODY_READ' })
  expect(held(headgate)).toBe(0)
})
