import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { inspect } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type EventName, Events, type HeadgateEvents } from '../src/events.ts'
import type { Headgate } from '../src/index.ts'
import { firstly, type Inner, setUp, url } from './fetch/support.ts'

const NAMES: EventName[] = [
  'headgate:attempt',
  'headgate:wait',
  'headgate:park',
  'headgate:probe',
  'headgate:reopen',
  'headgate:refuse',
  'headgate:reading',
]

const place = { upstream: 'default', host: 'api.example', port: 443, partition: 'p1' }
const throttled = (retryAfter: string) => ({ status: 429, headers: { 'retry-after': retryAfter } })

/** What a headgate tells from now on, in order; of these events or of all. */
function listen(headgate: Headgate, ...names: EventName[]) {
  const told: [name: string, event: HeadgateEvents[EventName]][] = []
  for (const name of names.length > 0 ? names : NAMES) headgate.on(name, (event) => void told.push([name, event]))
  return told
}

describe('headgate:attempt', () => {
  test('tells why an attempt was made, what became of it and how long it took', async () => {
    const { headgate, run } = setUp(
      { retry: { failed: { baseMs: 0 } } },
      { ...firstly({ status: 500 }, { error: 'reset' }, throttled('2'), { status: 404 }), latency: { downMs: 30 } },
    )
    const told = listen(headgate, 'headgate:attempt')
    await run(headgate.fetch(url))
    expect(told.map(([, event]) => event)).toEqual([
      { ...place, kind: 'first', outcome: 'error', status: 500, durationMs: 30 },
      { ...place, kind: 'retry', outcome: 'error', durationMs: 30 },
      { ...place, kind: 'retry', outcome: 'throttled', status: 429, durationMs: 30 },
      { ...place, kind: 'probe', outcome: 'ok', status: 404, durationMs: 30 },
    ])
  })

  test('of an aborted one', async () => {
    const { headgate, run, at } = setUp({}, { latency: { downMs: 500 } })
    const told = listen(headgate, 'headgate:attempt')
    const controller = new AbortController()
    at(200, () => controller.abort())
    await run(headgate.fetch(url, { signal: controller.signal }).catch(() => {}))
    expect(told.map(([, event]) => event)).toEqual([{ ...place, kind: 'first', outcome: 'aborted', durationMs: 200 }])
  })

  test.each([200, 204, 304, 400, 404, 499])('%d is ok: the upstream answered', async (status) => {
    const { headgate, run } = setUp({}, { status })
    const told = listen(headgate, 'headgate:attempt')
    await run(headgate.fetch(url))
    expect(told).toEqual([['headgate:attempt', expect.objectContaining({ outcome: 'ok', status })]])
  })

  test('none of what stays out of it', async () => {
    const { headgate, run } = setUp()
    const told = listen(headgate)
    await run(headgate.fetch(url, { headgate: false }))
    expect(told).toEqual([])
  })
})

describe('headgate:wait', () => {
  test('tells how long a caller waited and what held it', async () => {
    const { headgate, run } = setUp({ limits: { limit: 1, windowMs: 1_000 } })
    const told = listen(headgate, 'headgate:wait')
    await run(Promise.all([1, 2, 3].map(() => headgate.fetch(url))))
    expect(told.map(([, event]) => event)).toEqual([
      { ...place, waitedMs: 1_000, cause: 'limit' },
      { ...place, waitedMs: 2_000, cause: 'limit' },
    ])
  })

  test('what explain() says beforehand', async () => {
    const { headgate, run } = setUp({}, firstly(throttled('5')))
    const told = listen(headgate, 'headgate:wait')
    await run(headgate.fetch(url, { headgate: { retry: false } }))
    const { wouldWaitMs, boundBy } = headgate.explain(url)
    await run(headgate.fetch(url))
    expect(told.map(([, event]) => event)).toEqual([{ ...place, waitedMs: wouldWaitMs, cause: boundBy }])
    expect([wouldWaitMs, boundBy]).toEqual([5_000, 'park'])
  })
})

describe('headgate:park, :probe and :reopen', () => {
  test('in the order in which they happen', async () => {
    const { headgate, run, clock } = setUp({ cooldown: { baseMs: 7_000 } }, firstly(throttled('5'), { status: 429 }))
    clock.random = () => 0.5
    const told = listen(headgate, 'headgate:park', 'headgate:probe', 'headgate:reopen')
    await run(headgate.fetch(url))
    expect(told).toEqual([
      ['headgate:park', { ...place, forMs: 5_000, hinted: true }],
      ['headgate:probe', place],
      // Drawn between 7 000 and the doubled ceiling.
      ['headgate:park', { ...place, forMs: 10_500, hinted: false }],
      ['headgate:probe', place],
      ['headgate:reopen', place],
    ])
  })

  test('a park that is lengthened is told anew, one that is not is not', async () => {
    const { headgate } = setUp()
    const told = listen(headgate)
    const gate = headgate.gate(url)!
    for (const delayMs of [5_000, 3_000, 9_000]) gate.park(delayMs)
    expect(told).toEqual([
      ['headgate:park', { ...place, forMs: 5_000, hinted: true }],
      ['headgate:park', { ...place, forMs: 9_000, hinted: true }],
    ])
  })
})

describe('headgate:refuse', () => {
  test.each([
    ['wait-too-long', { limits: { limit: 1, windowMs: 60_000 }, maxWaitMs: 10 }, { retryAfterMs: 60_000 }],
    ['queue-full', { limits: { limit: 1, windowMs: 60_000 }, maxQueueSize: 0 }, { retryAfterMs: 60_000 }],
    ['never', { limits: { limit: 0.5, windowMs: 60_000 } }, {}],
  ])('%s', async (reason, pacing, more) => {
    for (const refuseWith of ['error', 'response'] as const) {
      const { headgate, run } = setUp({ ...pacing, refuseWith })
      const told = listen(headgate, 'headgate:refuse')
      await run(headgate.fetch(url).catch(() => {}))
      told.splice(0)
      await run(headgate.fetch(url).catch(() => {}))
      expect(told).toEqual([['headgate:refuse', { ...place, reason, ...more }]])
    }
  })

  test('parked, probing and closed', async () => {
    const { headgate, run, clock, at } = setUp(
      { whenParked: 'refuse', retry: false },
      { ...firstly(throttled('5')), latency: { downMs: 100 } },
    )
    const told = listen(headgate, 'headgate:refuse')
    const call = () => headgate.fetch(url).catch(() => {})
    await run(call())
    await run(call())
    await clock.advance(5_000)
    at(5_150, () => void call())
    await run(call())
    const waiting = headgate.gate(url)!
    waiting.park(1_000)
    const waits = headgate.fetch(url, { headgate: { whenParked: 'wait' } }).catch(() => {})
    await clock.advance(0)
    await headgate.close()
    await waits
    expect(told.map(([, event]) => event)).toEqual([
      { ...place, reason: 'parked', retryAfterMs: 5_000 },
      { ...place, reason: 'probing', retryAfterMs: 1_000 },
      { ...place, reason: 'closed' },
    ])
  })
})

describe('headgate:reading', () => {
  test('tells the numbers that a response stated, without its words', async () => {
    const limits = { limit: 9, windowMs: 60_000 }
    const { headgate, run } = setUp({}, { headers: 'ratelimit', limits })
    const told = listen(headgate, 'headgate:reading')
    await run(headgate.fetch(url))
    expect(told).toHaveLength(1)
    const [, event] = told[0] as [string, HeadgateEvents['headgate:reading']]
    expect(event).toMatchObject({ ...place, limits: [{ limit: 9, remaining: 8, resetInMs: 60_000 }] })
    const fields = ['limit', 'remaining', 'used', 'windowMs', 'resetInMs', 'resetStepMs']
    expect(event.limits.flatMap((each) => Object.keys(each)).filter((field) => !fields.includes(field))).toEqual([])
    expect(event.limits.flatMap((each) => Object.values(each)).every(Number.isFinite)).toBe(true)
  })

  test('nothing of a response that states none', async () => {
    const { headgate, run } = setUp()
    const told = listen(headgate, 'headgate:reading')
    await run(headgate.fetch(url))
    expect(told).toEqual([])
  })
})

describe('a listener', () => {
  const emitted = (events: Events) => events.emit('headgate:probe', () => place)

  test('is told until it is taken off', () => {
    const events = new Events()
    const listener = vi.fn<(event: unknown) => void>()
    const off = events.on('headgate:probe', listener)
    emitted(events)
    off()
    off()
    emitted(events)
    expect(listener.mock.calls).toEqual([[place]])
  })

  test('that is there twice is told twice, and taken off once', () => {
    const events = new Events()
    const listener = vi.fn<(event: unknown) => void>()
    const off = events.on('headgate:probe', listener)
    events.on('headgate:probe', listener)
    emitted(events)
    expect(listener).toHaveBeenCalledTimes(2)
    off()
    emitted(events)
    expect(listener).toHaveBeenCalledTimes(3)
  })

  test('hears its own event alone', () => {
    const events = new Events()
    const listener = vi.fn<(event: unknown) => void>()
    for (const name of NAMES) if (name !== 'headgate:probe') events.on(name, listener)
    emitted(events)
    expect(listener).not.toHaveBeenCalled()
  })

  test('may take itself off while it is told', () => {
    const events = new Events()
    const others = [vi.fn<(event: unknown) => void>(), vi.fn<(event: unknown) => void>()]
    events.on('headgate:probe', others[0]!)
    const off = events.on('headgate:probe', () => off())
    events.on('headgate:probe', others[1]!)
    emitted(events)
    emitted(events)
    expect(others.map(({ mock }) => mock.calls.length)).toEqual([2, 2])
  })

  test('that throws harms neither the call nor other listeners', async () => {
    const pacing = { limits: { limit: 1, windowMs: 1_000 } }
    const { headgate, run } = setUp(pacing, { ...firstly(throttled('2')), headers: 'ratelimit', ...pacing })
    const fail = (): never => {
      throw new Error('of the listener')
    }
    for (const name of NAMES) headgate.on(name, fail)
    const told = listen(headgate)
    expect((await run(headgate.fetch(url))).status).toBe(200)
    expect(new Set(told.map(([name]) => name)).size).toBeGreaterThanOrEqual(5)
    expect(headgate.gate(url)?.snapshot()).toMatchObject({ held: 0, inFlight: 0, state: 'open' })
  })

  test('none, and nothing is built to be told', () => {
    const events = new Events()
    const build = vi.fn<() => typeof place>(() => place)
    for (const name of NAMES) events.emit(name as 'headgate:probe', build)
    const off = events.on('headgate:probe', () => {})
    events.emit('headgate:reopen', build)
    off()
    events.emit('headgate:probe', build)
    expect(build).not.toHaveBeenCalled()
  })

  test('many, and it is built once', () => {
    const events = new Events()
    const build = vi.fn<() => typeof place>(() => place)
    for (let count = 0; count < 3; count += 1) events.on('headgate:probe', () => {})
    events.emit('headgate:probe', build)
    expect(build).toHaveBeenCalledTimes(1)
  })
})

describe('diagnostics channels', () => {
  function hear(name: string, listener: (message: unknown) => void): () => void {
    subscribe(name, listener)
    const off = () => void unsubscribe(name, listener)
    onTestFinished(off)
    return off
  }

  test('tell the same under the same names', async () => {
    const heard: unknown[] = []
    for (const name of NAMES) hear(name, (message) => heard.push([name, message]))
    const pacing = { limits: { limit: 1, windowMs: 1_000 } }
    const { headgate, run } = setUp(
      { ...pacing, maxQueueSize: 1 },
      { ...firstly(throttled('2')), ...pacing, headers: 'ratelimit' },
    )
    const told = listen(headgate)
    await run(Promise.all([1, 2, 3].map(() => headgate.fetch(url).catch(() => {}))))
    expect(heard).toEqual(told)
    expect([...new Set(told.map(([name]) => name))].toSorted()).toEqual(NAMES.toSorted())
  })

  test('without a listener, and until they are unsubscribed', () => {
    const events = new Events()
    const build = vi.fn<() => typeof place>(() => place)
    const heard: unknown[] = []
    events.emit('headgate:probe', build)
    const off = hear('headgate:probe', (message) => heard.push(message))
    events.emit('headgate:probe', build)
    off()
    events.emit('headgate:probe', build)
    expect([heard, build.mock.calls.length]).toEqual([[place], 1])
  })
})

describe('secrets', () => {
  const secrets = {
    header: 'planted-header',
    partition: 'planted-partition',
    query: 'planted-query',
    path: 'planted-path',
    fragment: 'planted-fragment',
    body: 'planted-body',
    answerHeader: 'planted-answer-header',
    answerBody: 'planted-answer-body',
    policy: 'planted-policy',
    location: 'planted-location',
  }

  test('are in no event, error, snapshot or explanation', async () => {
    const answers = [
      { status: 429, headers: { 'retry-after': '5' } },
      {
        status: 200,
        headers: {
          'ratelimit-limit': `5;w=60;name="${secrets.policy}"`,
          'ratelimit-remaining': '0',
          'ratelimit-reset': '60',
        },
      },
      { status: 302, headers: { location: `ftp://${secrets.location}:${secrets.location}@x/${secrets.location}` } },
      { status: 302, headers: { location: `http://[${secrets.location}` } },
      { status: 500, headers: {} },
    ]
    let sent = 0
    const fetch: Inner = () => {
      const { status, headers } = answers[sent++ % answers.length]!
      const own = { ...headers, 'x-answer': secrets.answerHeader } as Record<string, string>
      return Promise.resolve(new Response(secrets.answerBody, { status, headers: own }))
    }
    const { headgate, clock } = setUp(
      { limits: { limit: 2, windowMs: 1_000 }, maxQueueSize: 2, partition: () => secrets.partition },
      {},
      { fetch },
    )
    const heard: unknown[] = listen(headgate)
    const errors: unknown[] = []
    const call = (own: object = {}) =>
      headgate
        .fetch(`https://api.example/${secrets.path}?q=${secrets.query}#${secrets.fragment}`, {
          method: 'POST',
          body: secrets.body,
          headers: { authorization: secrets.header, 'x-own': secrets.header },
          headgate: own,
        })
        .catch((error: unknown) => void errors.push(error))
    const seen: unknown[] = []
    for (let round = 0; round < 6; round += 1) {
      const calls = [call(), call(), call({ maxWaitMs: 0 }), call(), call(), call(), call({ weight: 99 })]
      await clock.runUntil(Promise.all(calls))
      seen.push(headgate.snapshot(), headgate.explain(url))
    }
    await headgate.close()
    await call()
    seen.push(headgate.snapshot())
    const reasons = new Set(errors.map((error) => (error as { reason?: string }).reason ?? (error as Error).name))
    expect([...reasons].toSorted()).toEqual(
      expect.arrayContaining(['TypeError', 'closed', 'never', 'queue-full', 'wait-too-long']),
    )
    expect([...new Set((heard as [string][]).map(([name]) => name))].toSorted()).toEqual(NAMES.toSorted())
    const planted = (where: unknown) => {
      const text = inspect(where, { depth: 20, maxArrayLength: null, maxStringLength: null, showHidden: true })
      expect(text).toContain('api.example')
      return Object.values(secrets).filter((secret) => text.includes(secret))
    }
    expect(planted([heard, errors.map((error) => [error, { ...(error as object) }, String(error)])])).toEqual([])
    // A snapshot calls a limit by the name that the upstream gave it.
    expect(planted(seen)).toEqual([secrets.policy])
  })
})

test('a wait is told by what held the line last, not by what began it', async () => {
  const { headgate, run } = setUp(
    { limits: { limit: 2, windowMs: 1_000 }, coldStartMs: 1_000 },
    { latency: { downMs: 100 } },
  )
  const causes: string[] = []
  headgate.on('headgate:wait', ({ cause }) => causes.push(cause))
  await run(Promise.all(Array.from({ length: 5 }, () => headgate.fetch(url))))
  expect(causes).toEqual(['cold-start', 'limit', 'limit', 'limit'])
})
