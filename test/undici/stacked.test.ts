import { describe, expect, test } from 'vitest'
import { headgateInterceptor } from '../../src/undici/index.ts'
import { both, listen, setUpDispatcher, type Version } from './support.ts'

/** Undici's own interceptors around the gate, or inside it. */
function stack(version: Version, kind: 'retry' | 'redirect', where: 'after' | 'before') {
  const pacing = {
    limits: { limit: 9, windowMs: 60_000 },
    retry: false as const,
    cooldown: { baseMs: 20, maxMs: 20, parkMs: 20 },
  }
  const { undici, headgate, agent, held } = setUpDispatcher(version, pacing)
  const own = headgateInterceptor(headgate)
  const theirs =
    kind === 'retry'
      ? undici.interceptors.retry({ minTimeout: 5, maxRetries: 3 })
      : undici.interceptors.redirect({ maxRedirections: 3 })
  const dispatcher = where === 'after' ? agent.compose(own, theirs) : agent.compose(theirs, own)
  const attempts: unknown[] = []
  headgate.on('headgate:attempt', ({ status }) => attempts.push(status))
  const read = async (url: string) => {
    const { statusCode, body } = await undici.request(url, { dispatcher })
    return [statusCode, await body.text()]
  }
  return { read, held, attempts }
}

describe.each(both)('the interceptors of %s', (version) => {
  test.each([{ status: 500 }, { status: 429, headers: { 'retry-after': '0' } }, { error: 'reset' as const }])(
    'retry, composed after: each attempt takes a permit (%o)',
    async (fault) => {
      const { upstream, origin } = await listen({ faults: [{ first: 2, ...fault }] })
      const { read, held, attempts } = stack(version, 'retry', 'after')
      expect(await read(origin)).toEqual([200, 'ok'])
      expect([upstream.log.length, held(), attempts.length]).toEqual([3, 3, 3])
    },
  )

  test('retry, composed before: all its attempts go by one permit', async () => {
    const { upstream, origin } = await listen({ faults: [{ first: 2, status: 500 }] })
    const { read, held, attempts } = stack(version, 'retry', 'before')
    expect(await read(origin)).toEqual([200, 'ok'])
    expect([upstream.log.length, held(), attempts]).toEqual([3, 1, [200]])
  })

  test('retry, composed after, gives up with its own error', async () => {
    const { upstream, origin } = await listen({ faults: [{ status: 500 }] })
    const { read, held } = stack(version, 'retry', 'after')
    await expect(read(origin)).rejects.toMatchObject({ code: 'UND_ERR_REQ_RETRY', statusCode: 500 })
    expect([upstream.log.length, held()]).toEqual([4, 4])
  })

  test('redirect, composed after: each hop takes a permit', async () => {
    const { upstream, origin } = await listen({
      faults: ({ index }) => (index < 2 ? { status: 302, headers: { location: `/${index}` } } : undefined),
    })
    const { read, held, attempts } = stack(version, 'redirect', 'after')
    expect(await read(origin)).toEqual([200, 'ok'])
    expect([upstream.log.length, held(), attempts]).toEqual([3, 3, [302, 302, 200]])
  })

  test('redirect, composed before: the whole chain goes by one permit', async () => {
    const { upstream, origin } = await listen({
      faults: [{ index: 0, status: 302, headers: { location: '/next' } }],
    })
    const { read, held, attempts } = stack(version, 'redirect', 'before')
    expect(await read(origin)).toEqual([200, 'ok'])
    expect([upstream.log.length, held(), attempts]).toEqual([2, 1, [200]])
  })

  test('twice the same headgate: one permit', async () => {
    const { upstream, origin } = await listen()
    const { undici, headgate, dispatcher, held } = setUpDispatcher(version, { limits: { limit: 9, windowMs: 60_000 } })
    const twice = dispatcher.compose(headgateInterceptor(headgate))
    const { body } = await undici.request(origin, { dispatcher: twice })
    expect([await body.text(), held(), upstream.log.length]).toEqual(['ok', 1, 1])
  })

  test.each(['dump', 'decompress', 'responseError', 'cache', 'dns', 'deduplicate'] as const)(
    '%s, composed after, lets responses through',
    async (name) => {
      const { origin } = await listen({ body: 'hello' })
      const { undici, dispatcher } = setUpDispatcher(version)
      const make = (undici.interceptors as unknown as Record<string, undefined | ((options?: object) => never)>)[name]
      const { body } = await undici.request(origin, { dispatcher: make ? dispatcher.compose(make()) : dispatcher })
      expect(await body.text()).toBe(name === 'dump' ? '' : 'hello')
    },
  )

  test('responseError, composed after, tells what the gate let through', async () => {
    const { origin } = await listen({ faults: [{ status: 404, body: 'none' }] })
    const { undici, dispatcher } = setUpDispatcher(version)
    const own = dispatcher.compose(undici.interceptors.responseError())
    await expect(undici.request(origin, { dispatcher: own })).rejects.toMatchObject({ statusCode: 404 })
  })
})
