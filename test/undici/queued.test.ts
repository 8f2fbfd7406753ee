import { describe, expect, test } from 'vitest'
import { versions } from '../conformance/faces.ts'
import { record } from './recorder.ts'
import { both, get, listen, pause, setUpDispatcher, until, type Version } from './support.ts'

const limits = { limit: 4, windowMs: 2_400 }

describe.each(both)('where a dispatcher of %s has one connection', (version) => {
  const oneConnection = { agent: { connections: 1, pipelining: 1 } }

  test('a limit holds at the server, although requests start long after they were let through', async () => {
    const { upstream, origin } = await listen({ limits, latency: { downMs: 540 } })
    const { dispatcher, undici } = setUpDispatcher(version, { limits, transitMs: 300 }, oneConnection)
    const calls = Array.from({ length: 8 }, () =>
      undici.request(origin, { dispatcher }).then(({ body }) => body.text()),
    )
    await Promise.all(calls)
    expect(upstream.report()).toMatchObject({ requests: 8, throttled: 0 })
  })

  test('weight is held from the start of a request, not from when it was let through', async () => {
    const { upstream, origin } = await listen({ latency: { downMs: 3_000 } })
    const pacing = { limits: { limit: 2, windowMs: 3_000 }, transitMs: 0 }
    const { dispatcher, undici, gate } = setUpDispatcher(version, pacing, oneConnection)
    const calls = [1, 2].map(() => undici.request(origin, { dispatcher }).then(({ body }) => body.text()))
    await until(() => upstream.log.length === 2)
    await pause(600)
    // The first was sent 3 600 ms ago, the second 600: from when it was let through it would be 3 600, too.
    expect(gate()?.limits[0]?.held).toBe(1)
    await Promise.all(calls)
  })

  test('what is told of the duration of an attempt begins with its request', async () => {
    const { origin } = await listen({ latency: { downMs: 1_000 } })
    const { headgate, dispatcher, undici } = setUpDispatcher(version, {}, oneConnection)
    const durations: number[] = []
    headgate.on('headgate:attempt', ({ durationMs }) => durations.push(durationMs))
    const calls = [1, 2].map(() => undici.request(origin, { dispatcher }).then(({ body }) => body.text()))
    await Promise.all(calls)
    // From when it was let through the second would be 2 000 ms.
    expect(durations[1]).toBeGreaterThan(900)
    expect(durations[1]).toBeLessThan(1_800)
  })

  test('an attempt that never started gives its weight back', async () => {
    const { upstream, origin } = await listen({ faults: [{ hang: true }] })
    const pacing = { limits: { limit: 2, windowMs: 60_000 }, retry: false as const }
    const { dispatcher, agent, held } = setUpDispatcher(version, pacing, oneConnection)
    const [first, second] = [record(), record()]
    dispatcher.dispatch(get(origin), first.handler)
    dispatcher.dispatch(get(origin), second.handler)
    await until(() => upstream.log.length === 1)
    expect(held()).toBe(2)
    await agent.destroy()
    await Promise.all([first.done, second.done])
    await pause(0)
    expect([held(), second.told.map(([hook]) => hook), upstream.log.length]).toEqual([1, ['error'], 1])
  })

  test('a dispatcher that is destroyed or closed is not tried again', async () => {
    const { origin } = await listen()
    const { headgate, dispatcher, agent, undici, held } = setUpDispatcher(version, {
      limits: { limit: 2, windowMs: 60_000 },
    })
    const kinds: string[] = []
    headgate.on('headgate:attempt', ({ kind }) => kinds.push(kind))
    await agent.close()
    await expect(undici.request(origin, { dispatcher })).rejects.toMatchObject({
      code: expect.stringMatching(/CLOSED|DESTROYED/),
    })
    expect([held(), kinds]).toEqual([0, ['first']])
  })

  test('an abort in its queue ends the call, and is not tried again', async () => {
    const { upstream, origin } = await listen({ faults: [{ index: 0, delayMs: 400 }] })
    const { dispatcher, undici, gate } = setUpDispatcher(version, { concurrency: 5, limits }, oneConnection)
    const first = undici.request(origin, { dispatcher }).then(({ body }) => body.text())
    const aborting = new AbortController()
    const second = undici.request(origin, { dispatcher, signal: aborting.signal })
    await until(() => upstream.log.length === 1)
    const reason = new Error('enough')
    const ended = second.catch((error: unknown) => error)
    aborting.abort(reason)
    expect(await ended).toBe(reason)
    await first
    await pause(50)
    expect([upstream.log.length, gate()?.held, gate()?.limits[0]?.held]).toEqual([1, 0, 1])
  })
})

test('where undici 8 takes an aborted request out of its queue, it is told at once', async () => {
  const { upstream, origin } = await listen({ faults: [{ index: 0, hang: true }] })
  const { dispatcher, undici, headgate } = setUpDispatcher('undici 8', {}, { agent: { connections: 1 } })
  const outcomes: string[] = []
  headgate.on('headgate:attempt', ({ outcome }) => outcomes.push(outcome))
  const first = new AbortController()
  const hanging = undici.request(origin, { dispatcher, signal: first.signal }).catch((error: unknown) => error)
  const aborting = new AbortController()
  const second = undici.request(origin, { dispatcher, signal: aborting.signal }).catch((error: unknown) => error)
  await until(() => upstream.log.length === 1)
  aborting.abort(new Error('enough'))
  expect(await second).toBe(aborting.signal.reason)
  expect(outcomes).toEqual(['aborted'])
  first.abort(new Error('enough'))
  expect(await hanging).toBe(first.signal.reason)
})

describe.each(both)('between two attempts of %s', (version) => {
  test('an abort is heard while the second waits for a connection, and that one is never sent', async () => {
    // The body of the first never ends: it is let go when the second begins, with the only connection.
    const { upstream, origin } = await listen({
      faults: [{ index: 0, status: 500, headers: { 'retry-after': '0.1' } }],
      bodyMs: 60_000,
    })
    const agent = { connections: 1, connect: connectsSlowlyAgain(version) }
    const { dispatcher, held } = setUpDispatcher(version, { limits: { limit: 9, windowMs: 60_000 } }, { agent })
    const { handler, told, done } = record({
      start: (controller) => void setTimeout(() => controller.abort(new Error('enough')), 300),
    })
    const startedAt = performance.now()
    dispatcher.dispatch(get(origin), handler)
    await done
    expect(performance.now() - startedAt).toBeLessThan(1_000)
    expect(told.at(-1)).toEqual(['error', 'Error', undefined, 'enough', true])
    expect(held()).toBe(1)
    await pause(1_500)
    expect([upstream.log.length, held()]).toEqual([1, 1])
  })
})

/** The first connection is made at once, others late. */
function connectsSlowlyAgain(version: Version) {
  const connect = versions[version].buildConnector({})
  let delayMs = 0
  return (...args: Parameters<typeof connect>): void => {
    setTimeout(() => connect(...args), delayMs)
    delayMs = 1_500
  }
}
