import { describe, expect, test } from 'vitest'
import type { RetryOptions } from '../../src/index.ts'
import type { Fault } from '../../src/testing/index.ts'
import { firstly, outcomeOf, setUp, url } from './support.ts'

const throttled = (retryAfter: string): Fault => ({ status: 429, headers: { 'retry-after': retryAfter } })

describe('permits', () => {
  // zenpy-276
  test('one for each attempt, retries included', async () => {
    const failed = { baseMs: 10 }
    const attemptsOf = new Map<string, number>()
    const { headgate, upstream, run, sentAt } = setUp(
      { limits: { limit: 3, windowMs: 1_000 }, retry: { failed } },
      {
        limits: { limit: 3, windowMs: 1_000 },
        faults: ({ request }) => {
          const attempts = (attemptsOf.get(request.url) ?? 0) + 1
          attemptsOf.set(request.url, attempts)
          return attempts <= 2 ? { status: 503 } : undefined
        },
      },
    )
    const calls = ['a', 'b', 'c'].map((name) => headgate.fetch(`https://api.example/${name}`))
    const responses = await run(Promise.all(calls))
    expect(responses.map((response) => [response.status, headgate.inspect(response)?.attempts])).toEqual([
      [200, 3],
      [200, 3],
      [200, 3],
    ])
    expect(upstream.report()).toMatchObject({ requests: 9, throttled: 0, busiestWindow: 3 })
    expect(sentAt()).toEqual([0, 0, 0, 1_000, 1_000, 1_000, 2_000, 2_000, 2_000])
  })

  test('none is held during the pause, however long', async () => {
    const { headgate, clock, sentAt } = setUp(
      { concurrency: 1, retry: { failed: { baseMs: 60_000 } } },
      firstly({ status: 500 }),
    )
    clock.random = () => 0.9
    const slow = headgate.fetch(url)
    await clock.advance(10)
    await clock.runUntil(headgate.fetch(url).then((response) => response.text()))
    expect(sentAt()).toEqual([0, 10])
    await clock.runUntil(slow)
    expect(sentAt()).toEqual([0, 10, 54_000])
  })
})

describe('which answers are retried', () => {
  const idempotent = ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'].map((method) => ({ method }))
  const others = ['POST', 'PATCH', 'post'].map((method) => ({ method }))
  // apify-990
  test.each<[string, Fault, object[], number]>([
    ['429 with a hint, by any method', throttled('1'), [...idempotent, ...others], 2],
    ['429 without one, by any method', { status: 429 }, [...idempotent, ...others], 2],
    ['503 with a hint, by any method', { status: 503, headers: { 'retry-after': '1' } }, [...idempotent, ...others], 2],
    ['500', { status: 500 }, idempotent, 2],
    ['408', { status: 408 }, idempotent, 2],
    ['a reset', { error: 'reset' }, idempotent, 2],
    ['500 of a method that is not idempotent', { status: 500 }, others, 1],
    ['500 with a hint of one', { status: 500, headers: { 'retry-after': '1' } }, others, 1],
    ['503 without a hint of one', { status: 503 }, others, 1],
    ['a reset of one', { error: 'reset' }, others, 1],
    ['500 that is said to be idempotent', { status: 500 }, [{ method: 'POST', headgate: { idempotent: true } }], 2],
    ['500 of a GET said not to be', { status: 500 }, [{ headgate: { idempotent: false } }], 1],
    ['no 4xx', { status: 403 }, [{}], 1],
    ['nor one with a hint', { status: 404, headers: { 'retry-after': '1' } }, [{}], 1],
    ['no 3xx', { status: 304 }, [{}], 1],
    ['429 with retry: false', throttled('1'), [{ headgate: { retry: false } }], 1],
    ['500 with retry: false', { status: 500 }, [{ headgate: { retry: false } }], 1],
  ])('%s', async (_, fault, inits, arrivals) => {
    for (const init of inits) {
      const { headgate, upstream, run } = setUp({}, firstly(fault))
      const outcome = await run(outcomeOf(headgate.fetch(url, init)))
      const expected = arrivals === 2 ? 200 : (fault.status ?? 'TypeError')
      expect([init, upstream.log.length, outcome]).toEqual([init, arrivals, expected])
    }
  })

  test.each<[RetryOptions, string, number, number]>([
    [{ failed: { statuses: [418] } }, 'GET', 418, 2],
    [{ failed: { statuses: [418] } }, 'GET', 500, 1],
    [{ failed: { methods: ['POST'] } }, 'POST', 500, 2],
    [{ failed: { methods: ['POST'] } }, 'GET', 500, 1],
  ])('%j: a %s answered %d makes %d', async (retry, method, status, arrivals) => {
    const { headgate, upstream, run } = setUp({ retry }, firstly({ status }))
    await run(headgate.fetch(url, { method }))
    expect(upstream.log).toHaveLength(arrivals)
  })

  test('isThrottled adds to what headers and status tell', async () => {
    const isThrottled = async (response: Response) => (await response.clone().text()) === 'slow down'
    const fault = { status: 200, body: 'slow down', headers: { 'retry-after': '1' } }
    const { headgate, run, sentAt } = setUp({ isThrottled }, firstly(fault))
    const response = await run(headgate.fetch(url))
    expect([await response.text(), sentAt()]).toEqual(['ok', [0, 1_000]])
    const plain = setUp({}, firstly(fault))
    const untouched = await plain.run(plain.headgate.fetch(url))
    expect([await untouched.text(), plain.sentAt()]).toEqual(['slow down', [0]])
  })
})

describe('how often', () => {
  test.each([1, 2, 5])('failed.maxAttempts %d counts the first', async (maxAttempts) => {
    const { headgate, upstream, run } = setUp(
      { retry: { failed: { maxAttempts } } },
      { status: 500, body: 'as it came' },
    )
    const response = await run(headgate.fetch(url))
    expect([upstream.log.length, response.status, response.bodyUsed]).toEqual([maxAttempts, 500, false])
    expect(await response.text()).toBe('as it came')
  })

  test.each([1, 2, 4])('rateLimited.maxAttempts %d counts the first', async (maxAttempts) => {
    const faults = [throttled('1')]
    const { headgate, upstream, run } = setUp({ retry: { rateLimited: { maxAttempts } } }, { faults })
    expect((await run(headgate.fetch(url))).status).toBe(429)
    expect(upstream.log).toHaveLength(maxAttempts)
  })

  test('the default is five', async () => {
    const { headgate, upstream, run } = setUp({}, { status: 500 })
    await run(headgate.fetch(url))
    expect(upstream.log).toHaveLength(5)
  })

  test('an option that is undefined is left out, not unbounded', async () => {
    const failed = { maxAttempts: undefined } as unknown as { maxAttempts: number }
    const { headgate, upstream, run } = setUp({ retry: { failed } }, { status: 500 })
    await run(headgate.fetch(url))
    expect(upstream.log).toHaveLength(5)
  })

  // nanobot-2760
  test('throttled attempts are not charged to the allowance of failed ones', async () => {
    const faults = [...Array.from({ length: 6 }, () => throttled('1')), { status: 500 }]
    const { headgate, upstream, run } = setUp({ retry: { failed: { maxAttempts: 2 } } }, firstly(...faults))
    expect((await run(headgate.fetch(url))).status).toBe(200)
    expect(upstream.log).toHaveLength(8)
  })
})

describe('closed while a call is on its way', () => {
  test.each([throttled('1'), { status: 500 }])('its answer is handed back, not an error: %j', async (fault) => {
    const { headgate, run, at } = setUp({ concurrency: 1 }, { ...firstly(fault), latency: { downMs: 100 } })
    at(50, () => void headgate.close())
    const response = await run(headgate.fetch(url))
    expect([response.status, response.bodyUsed]).toEqual([fault.status, false])
    expect(headgate.snapshot().gates[0]?.held).toBe(1)
    await response.text()
    expect(headgate.snapshot().gates[0]?.held).toBe(0)
  })

  test.each(Array.from({ length: 12 }, (_, turns) => turns))(
    'at any moment after its answer (%i turns): the answer is handed back',
    async (turns) => {
      const { headgate, run } = setUp({}, firstly(throttled('1')))
      const closeLater = async (): Promise<void> => {
        for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
        await headgate.close()
      }
      headgate.on('headgate:attempt', () => void closeLater())
      expect(await run(outcomeOf(headgate.fetch(url)))).toBe(429)
    },
  )

  test.each<[string, Fault, number | string]>([
    ['the response it paused for', { status: 500, body: 'as it came' }, 500],
    ['the error', { error: 'reset' }, 'TypeError'],
    ['the response it waits behind a park for', { ...throttled('60'), body: 'as it came' }, 429],
  ])('one that pauses ends at once, with %s', async (_, fault, expected) => {
    const { headgate, run, at, clock, sentAt } = setUp({ retry: { failed: { baseMs: 60_000 } } }, firstly(fault))
    clock.random = () => 0.9
    at(50, () => void headgate.close())
    const call = headgate.fetch(url)
    expect([await run(outcomeOf(call)), clock.now(), sentAt()]).toEqual([expected, 50, [0]])
    expect(await call.then((response) => response.text()).catch(() => 'an error')).toBe(fault.body ?? 'an error')
    expect(headgate.snapshot().gates).toMatchObject([{ held: 0, queued: 0 }])
  })
})
