import { describe, expect, onTestFinished, test } from 'vitest'
import { createHeadgate } from '../../src/index.ts'
import { headgateInterceptor } from '../../src/undici/index.ts'
import { listenRaw, whole } from './raw-server.ts'
import { both, listen, setUpDispatcher, type Version } from './support.ts'

const limits = { limit: 3, windowMs: 300 }

function setGlobal(version: Version, pacing: Parameters<typeof setUpDispatcher>[1]) {
  const set = setUpDispatcher(version, pacing)
  const before = set.undici.getGlobalDispatcher()
  set.undici.setGlobalDispatcher(set.dispatcher)
  onTestFinished(() => set.undici.setGlobalDispatcher(before))
  return set
}

describe.each(both)('the global fetch over a dispatcher of %s', (version) => {
  test('is paced', async () => {
    const { upstream, origin } = await listen({ limits })
    setGlobal(version, { limits })
    const responses = await Promise.all(Array.from({ length: 7 }, () => fetch(origin)))
    expect(await Promise.all(responses.map((response) => response.text()))).toEqual(Array(7).fill('ok'))
    expect(upstream.report()).toMatchObject({ requests: 7, throttled: 0, busiestWindow: 3 })
  })

  test('with a body, which is sent once', async () => {
    const { upstream, origin } = await listen({
      faults: [{ status: 429, body: 'no', headers: { 'retry-after': '9' } }],
    })
    setGlobal(version, {})
    const response = await fetch(origin, { method: 'POST', body: 'text' })
    expect([response.status, await response.text(), upstream.log.map(({ body }) => body)]).toEqual([
      429,
      'no',
      ['text'],
    ])
  })

  test('tries again', async () => {
    const { upstream, origin } = await listen({
      faults: [{ index: 0, status: 429, headers: { 'retry-after': '0.05' } }],
    })
    setGlobal(version, {})
    const response = await fetch(origin)
    expect([response.status, await response.text(), upstream.log.length]).toEqual([200, 'ok', 2])
  })

  test('is refused with the error as cause, or with a response', async () => {
    const { origin } = await listen()
    const set = setGlobal(version, { limits: { limit: 1, windowMs: 60_000 }, maxWaitMs: 10 })
    await fetch(origin).then((response) => response.text())
    await expect(fetch(origin)).rejects.toMatchObject({ cause: { reason: 'wait-too-long' } })
    const own = set.agent.compose(headgateInterceptor(set.headgate, { refuseWith: 'response' }))
    set.undici.setGlobalDispatcher(own)
    const response = await fetch(origin)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60'])
    expect(await response.text()).toContain('the wait would be longer')
  })

  test('is aborted in the queue', async () => {
    const { origin } = await listen()
    const { gate } = setGlobal(version, { limits: { limit: 1, windowMs: 60_000 } })
    await fetch(origin).then((response) => response.text())
    await expect(fetch(origin, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(gate()?.queued).toBe(0)
  })

  test('a headgate.fetch of the same headgate over it takes one permit an attempt', async () => {
    const { upstream, origin } = await listen({ faults: [{ index: 0, status: 500 }] })
    const pacing = { limits: { limit: 9, windowMs: 60_000 }, retry: { failed: { baseMs: 1 } } }
    const { headgate, held } = setGlobal(version, pacing)
    expect(await (await headgate.fetch(`${origin}/#part`)).text()).toBe('ok')
    expect([upstream.log.length, held()]).toEqual([2, 2])
    expect(headgate.snapshot().attempts.map(({ kind, count }) => [kind, count])).toEqual([
      ['first', 1],
      ['retry', 1],
    ])
  })

  test('and one of another takes a permit of each', async () => {
    const { origin } = await listen()
    const pacing = { limits: { limit: 9, windowMs: 60_000 } }
    const { held } = setGlobal(version, pacing)
    const other = createHeadgate({ default: pacing })
    await (await other.fetch(origin)).text()
    expect([held(), other.snapshot().gates[0]?.limits[0]?.held]).toEqual([1, 1])
  })
})

describe.each(both)('the fetch of %s', (version) => {
  test('hears all headers as they came', async () => {
    const { origin } = await listenRaw(
      (socket) => void socket.write(whole('200 Fine', 'hello', ['X-One: 1', 'Set-Cookie: a=1', 'Set-Cookie: b=2'])),
    )
    const { undici, dispatcher } = setUpDispatcher(version)
    const response = await undici.fetch(origin, { dispatcher })
    expect([response.statusText, response.headers.get('x-one'), response.headers.getSetCookie()]).toEqual([
      'Fine',
      '1',
      ['a=1', 'b=2'],
    ])
    expect(await response.text()).toBe('hello')
  })
})
