import { describe, expect, test } from 'vitest'
import { createHeadgate, RateLimitError } from '../src/index.ts'
import { recording, setUp, url } from './fetch/support.ts'

const one = { limits: { limit: 1, windowMs: 60_000 } }

describe('options of a call', () => {
  test('with() gives them to every call, and a call’s own override them', async () => {
    const { headgate, clock } = setUp({ limits: { limit: 10, windowMs: 60_000 } })
    const { fetch } = headgate.with({ weight: 4, partition: 'x' })
    await fetch(url)
    await fetch(url, { headgate: { weight: 1 } })
    await fetch(url, { headgate: { partition: 'y' } })
    await fetch(url, { headgate: { weight: undefined } } as never)
    await headgate.fetch(url)
    await clock.advance(0)
    const spent = headgate.snapshot().gates.map(({ partition, limits }) => [partition, limits[0]?.held])
    expect(Object.fromEntries(spent)).toEqual({ p1: 9, p2: 4, p3: 1 })
  })

  test('with() refuses what makes no sense', () => {
    expect(() => createHeadgate().with({ priority: NaN })).toThrow(
      expect.objectContaining({ faults: [{ option: 'headgate.priority', value: NaN, expected: 'a finite number' }] }),
    )
  })

  test('priority: higher goes first', async () => {
    const { headgate, clock, upstream } = setUp({ limits: { limit: 1, windowMs: 1_000 } })
    const urls = ['/first', '/low', '/high', '/middle'].map((path) => `https://api.example${path}`)
    const calls = urls.map((each, index) => headgate.fetch(each, { headgate: { priority: [0, 0, 2, 1][index]! } }))
    await clock.runUntil(Promise.all(calls))
    expect(upstream.log.map((entry) => new URL(entry.url).pathname)).toEqual(['/first', '/high', '/middle', '/low'])
  })

  test('the upstream’s stand where a call says nothing, and the call’s override them', async () => {
    const { headgate, run } = setUp({ ...one, maxWaitMs: 0, refuseWith: 'response' })
    await run(headgate.fetch(url))
    expect((await run(headgate.fetch(url))).status).toBe(503)
    const own = { refuseWith: 'error' } as const
    await expect(run(headgate.fetch(url, { headgate: own }))).rejects.toBeInstanceOf(RateLimitError)
    expect((await run(headgate.fetch(url, { headgate: { maxWaitMs: 60_000 } }))).status).toBe(200)
  })
})

describe('what is known', () => {
  test('explain() says what a call would wait for', async () => {
    const { headgate, run } = setUp(one)
    expect(headgate.explain(url)).toEqual({ wouldWaitMs: 0, boundBy: 'nothing', queued: 0 })
    await run(headgate.fetch(url))
    void headgate.fetch(url).catch(() => {})
    await Promise.resolve()
    expect(headgate.explain(new URL(url))).toEqual({ wouldWaitMs: 120_000, boundBy: 'limit', queued: 1 })
    expect(headgate.explain(url, { priority: 1 })).toMatchObject({ wouldWaitMs: 60_000 })
    expect(headgate.explain(url, { partition: 'other' })).toMatchObject({ boundBy: 'nothing' })
    await headgate.close()
  })

  test('explain() of what passes through', () => {
    const headgate = createHeadgate({ default: false })
    expect(headgate.explain(url)).toEqual({ wouldWaitMs: 0, boundBy: 'nothing', queued: 0 })
    expect(headgate.snapshot().gates).toEqual([])
  })

  test.each([
    ['https://api.example/v1', 'api.example:443'],
    ['http://api.example/v1', 'api.example:80'],
    ['api.example', 'api.example:443'],
    ['api.example:80', 'api.example:80'],
    ['[::1]:9', '[::1]:9'],
    [new URL('http://api.example:9'), 'api.example:9'],
  ])('gate(%s) is that of %s', (place, expected) => {
    const headgate = createHeadgate()
    const gate = headgate.gate(place)
    expect(headgate.snapshot().gates.map(({ host, port }) => `${host}:${port}`)).toEqual([expected])
    expect([gate, headgate.gate(place)]).toEqual([headgate.gate(expected), gate])
    expect(headgate.gate(place, 'other')).not.toBe(gate)
  })

  test('gate() is undefined where requests pass through', () => {
    expect(createHeadgate({ default: false }).gate(url)).toBeUndefined()
    expect(createHeadgate().gate('ftp://api.example/')).toBeUndefined()
    expect(() => createHeadgate().gate('no authority')).toThrow(TypeError)
    expect(() => createHeadgate().gate('/v2/x')).toThrow(TypeError)
    expect(() => createHeadgate().explain('/v2/x')).toThrow(TypeError)
  })

  test('the gate is the one that calls go through', async () => {
    const { headgate, run, sentAt } = setUp()
    headgate.gate(url)!.park(5_000)
    await run(headgate.fetch(url))
    expect(sentAt()).toEqual([5_000])
  })

  test('inspect() tells what became of the call', async () => {
    const { headgate, run } = setUp(one, { headers: 'ratelimit', limits: { limit: 9, windowMs: 60_000 } })
    await run(headgate.fetch(url))
    const response = await run(headgate.fetch(url))
    expect(headgate.inspect(response)).toEqual({
      attempts: 1,
      waitedMs: 60_000,
      observation: {
        limits: [expect.objectContaining({ limit: 9, remaining: 8, resetInMs: 60_000 })],
        throttled: false,
        scope: 'partition',
      },
    })
  })

  test('inspect() of what did not come from here', async () => {
    const { fetch } = recording()
    const headgate = createHeadgate({ fetch })
    expect(headgate.inspect(new Response())).toBeUndefined()
    expect(headgate.inspect(await headgate.fetch(url, { headgate: false }))).toBeUndefined()
    expect([undefined, null, 1].map((value) => headgate.inspect(value as unknown as Response))).toEqual(
      Array(3).fill(undefined),
    )
  })

  test('snapshot() is plain data with neither partition keys nor URLs', async () => {
    const { headgate, run } = setUp(one, {}, { upstreams: { hub: { authorities: ['hub.example'], ...one } } })
    const keys = ['token-of-alice', 'token-of-bob']
    for (const partition of keys)
      await run(headgate.fetch('https://hub.example/secret-path?secret', { headgate: { partition } }))
    const { gates } = headgate.snapshot()
    expect(gates).toMatchObject([
      { upstream: 'hub', host: 'hub.example', port: 443, partition: 'p1', state: 'open', queued: 0 },
      { upstream: 'hub', host: 'hub.example', port: 443, partition: 'p2', limits: [{ limit: 1, held: 1 }] },
    ])
    const text = JSON.stringify(gates)
    expect(JSON.parse(text)).toEqual(gates)
    for (const secret of [...keys, 'secret']) expect(text).not.toContain(secret)
  })

  test('gates that are idle go, and come back when they are needed', async () => {
    const { headgate, run, clock } = setUp({}, {}, { gateIdleMs: 5_000, maxGates: 2 })
    for (const name of ['a', 'b', 'c']) await run(headgate.fetch(`https://${name}.example/`))
    expect(headgate.snapshot().gates.map(({ host }) => host)).toEqual(['b.example', 'c.example'])
    await clock.advance(10_000)
    expect(headgate.snapshot().gates).toEqual([])
    await run(headgate.fetch('https://b.example/'))
    expect(headgate.snapshot().gates).toMatchObject([{ host: 'b.example', partition: 'p4' }])
  })

  test('one whose response is still being read stays', async () => {
    const { headgate, run, clock } = setUp({ concurrency: 1, maxHoldMs: 1e9 }, {}, { gateIdleMs: 5_000 })
    const response = await run(headgate.fetch(url))
    await clock.advance(20_000)
    expect(headgate.snapshot().gates).toHaveLength(1)
    await response.text()
    await clock.advance(20_000)
    expect(headgate.snapshot().gates).toEqual([])
  })
})

describe('the first call', () => {
  test('of a partition goes alone until it is answered, unless coldStartMs is 0', async () => {
    const { sentAt, headgate, run } = setUp({ coldStartMs: 1_000 }, { latency: { downMs: 200 } })
    await run(Promise.all([1, 2, 3].map(() => headgate.fetch(url))))
    expect(sentAt()).toEqual([0, 200, 200])
  })

  test('does so by default', async () => {
    const { sentAt, headgate, run } = setUp({}, { latency: { downMs: 5_000 } }, { default: {} })
    await run(Promise.all([1, 2, 3].map(() => headgate.fetch(url))))
    expect(sentAt()).toEqual([0, 1_000, 1_000])
  })
})
