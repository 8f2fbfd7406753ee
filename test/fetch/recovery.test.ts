import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createHeadgate, type EventName, type UpstreamConfig } from '../../src/index.ts'
import type { Arrival, Fault, UpstreamOptions } from '../../src/testing/index.ts'
import { abortListeners, firstly, outcomeOf, setUp, url } from './support.ts'

const throttled = (retryAfter: string): Fault => ({ status: 429, headers: { 'retry-after': retryAfter } })

/** Just below 1, the most that a clock draws. */
const MOST = 1 - Number.EPSILON

/** A call that goes on for a day, so that no allowance cuts a park short. */
const patient: UpstreamConfig = { retry: { rateLimited: { maxDurationMs: 86_400_000 } } }

const gaps = (sent: readonly number[]) => sent.slice(1).map((at, index) => at - sent[index]!)

/** The delays between the attempts of one call that is answered with `faults` in turn, `random` being drawn. */
async function delays(random: number, faults: Fault[]): Promise<number[]> {
  const { headgate, run, clock, sentAt } = setUp(patient, firstly(...faults))
  clock.random = () => random
  expect((await run(headgate.fetch(url))).status).toBe(200)
  return gaps(sentAt())
}

describe('a 429 with neither hint nor rate headers', () => {
  const ceilings = [60_000, 120_000, 240_000, 480_000, 600_000, 600_000, 600_000]

  test.each([0, 0.5, MOST])(
    'parks for 60 s, then for 60 s to a ceiling that doubles up to 600 s: %d',
    async (random) => {
      const delayed = await delays(
        random,
        ceilings.map(() => ({ status: 429 })),
      )
      const expected = ceilings.map((ceiling) => 60_000 + random * (ceiling - 60_000))
      expect(delayed.map(Math.round)).toEqual(expected.map(Math.round))
      expect(delayed.every((delay, index) => delay >= 60_000 && delay <= ceilings[index]!)).toBe(true)
    },
  )

  test('failed probes that were told when to come back raise the ceiling too, and a success resets it', async () => {
    const bare = { status: 429 }
    expect((await delays(MOST, [bare, throttled('5'), bare])).map(Math.round)).toEqual([60_000, 5_000, 240_000])
    const { headgate, run, clock, sentAt } = setUp(patient, firstly(bare, bare, {}, bare))
    clock.random = () => MOST
    await run(headgate.fetch(url))
    await run(headgate.fetch(url))
    expect(gaps(sentAt()).map(Math.round)).toEqual([60_000, 120_000, 0, 60_000])
  })

  // What is left of an hour's 5 000 is not what a bare 429 is about.
  test.each([
    ['and the probe’s does again', true, {}],
    ['and no answer after it does', false, {}],
    ['which are configured too', true, { limits: { limit: 5_000, windowMs: 3_600_000 } }],
    ['which are configured too, and no answer after it says', false, { limits: { limit: 5_000, windowMs: 3_600_000 } }],
  ])('does not shut the gate for an hour where headers said 5 000 an hour %s', async (_, rateHeaders, pacing) => {
    const { headgate, run, sentAt, clock } = setUp(
      { ...patient, ...pacing },
      {
        limits: { limit: 5_000, windowMs: 3_600_000 },
        headers: 'x-ratelimit',
        faults: ({ index }) => {
          if (index === 3) return { status: 429, rateHeaders: false }
          return index > 3 ? { rateHeaders } : undefined
        },
      },
    )
    for (let call = 0; call < 3; call += 1) await run(headgate.fetch(url))
    const calls = Array.from({ length: 100 }, () => headgate.fetch(url))
    const responses = await run(Promise.all(calls))
    expect(responses.every(({ status }) => status === 200)).toBe(true)
    // All but the one that was throttled had been sent beside it, before its answer was known.
    expect([sentAt().slice(0, 4), sentAt().at(-1), clock.now()]).toEqual([[0, 0, 0, 0], 60_000, 60_000])
  })
})

describe('a hint', () => {
  test.each([
    ['0.25', 250],
    ['1', 1_000],
    ['59', 59_000],
    ['599.999', 599_999],
    ['600', 600_000],
    ['600.001', 600_000],
    ['86400', 600_000],
  ])('of %s s is used as given up to 600 s, whatever is drawn: %d ms', async (retryAfter, expected) => {
    for (const random of [0, 0.5, MOST]) {
      expect(await delays(random, [throttled(retryAfter)])).toEqual([expected])
      const second = await delays(random, [{ status: 429 }, throttled(retryAfter)])
      expect(second).toEqual([60_000, expected])
    }
  })

  test.each([
    ['0', 0],
    ['5', 5_000],
  ])('of %s s on a 503 holds others for %d ms', async (retryAfter, expected) => {
    const fault = { status: 503, headers: { 'retry-after': retryAfter } }
    const { headgate, run, sentAt } = setUp({ retry: false }, firstly(fault))
    await run(headgate.fetch(url))
    await run(headgate.fetch(url))
    expect(sentAt()).toEqual([0, expected])
  })
})

test.each([
  ['while the gate is parked', 5_000, {}, 60_000],
  ['while the probe is out', 65_000, { delayMs: 10_000 }, 70_000],
])('late 200s to attempts sent before the park do not reopen it: %s', async (_, delayMs, probe, expected) => {
  const faults: Fault[] = [{ delayMs }, throttled('60'), { delayMs }, probe]
  const { headgate, run, at, clock, upstream } = setUp({ retry: false }, firstly(...faults))
  const early = [1, 2, 3].map(() => headgate.fetch(url))
  at(1_000, () => void headgate.fetch(`${url}&probe`))
  at(delayMs + 1, () => void headgate.fetch(`${url}&after`))
  const statuses = (await run(Promise.all(early))).map(({ status }) => status)
  expect([statuses, clock.now()]).toEqual([[200, 429, 200], delayMs])
  await clock.advance(80_000)
  expect(upstream.log.slice(3).map((entry) => [entry.url, entry.sentAtMs])).toEqual([
    [`${url}&probe`, 60_000],
    [`${url}&after`, expected],
  ])
})

describe('1 000 callers waiting on one parked authority', () => {
  const limits = { limit: 100, windowMs: 60_000 }
  type Row = [name: string, pacing: UpstreamConfig, options: UpstreamOptions]
  const rows: Row[] = [
    ['a limit that is configured', { limits }, { headers: 'none' }],
    ['a limit that answers state', {}, { headers: 'ratelimit' }],
  ]

  /** All wait from 0 on, behind a park of 30 s. `lost` is what becomes of the first probe. */
  async function park([, pacing, options]: Row, lost: Fault | undefined) {
    const faults = ({ index }: Arrival) => [throttled('30'), lost][index]
    const latency = { downMs: 500 }
    const set = setUp(pacing, { limits, countRefused: true, latency, ...options, faults })
    const { headgate, run, clock, upstream } = set
    await run(headgate.fetch(url, { headgate: { retry: false } }))
    const controllers = Array.from({ length: 1_000 }, () => new AbortController())
    const outcomes = controllers.map(({ signal }, call) =>
      outcomeOf(headgate.fetch(`https://api.example/${call}`, { signal })),
    )
    await clock.advance(29_999)
    expect(upstream.log).toHaveLength(1)
    await clock.advance(1)
    return { ...set, controllers, outcomes }
  }

  test.each(rows)('exactly one attempt is made at the deadline: %s', async (...row) => {
    const { clock, sentAt } = await park(row, undefined)
    await clock.advance(499)
    expect(sentAt()).toEqual([0, 30_500])
  })

  test.each(rows)('exactly one more where its caller aborts that: %s', async (...row) => {
    const { clock, upstream, sentAt, controllers } = await park(row, { hang: true })
    const prober = Number(new URL(upstream.log[1]!.url).pathname.slice(1))
    await clock.advance(10_000)
    expect(sentAt()).toEqual([0, 30_500])
    controllers[prober]!.abort()
    await clock.advance(499)
    expect(sentAt()).toEqual([0, 30_500, 40_500])
  })

  test.each(rows)('once it has succeeded no trailing window holds more than the limit: %s', async (...row) => {
    for (const lost of [undefined, { error: 'reset' } as const]) {
      const { run, upstream, outcomes } = await park(row, lost)
      const answers = await run(Promise.all(outcomes))
      expect(answers.filter((outcome) => outcome !== 200)).toEqual([])
      expect(upstream.report()).toMatchObject({ throttled: 1, ok: 1_000, busiestWindow: 100 })
    }
  })
})

describe('1 000 calls that come behind a park of 600 s and are not sent in it', () => {
  test.each([
    // The allowances of all others end in the instant in which the early attempt goes out.
    ['clamp', 0, [0, 300_000], 'probing'],
    ['clamp', 100, [0, 300_000], 'parked'],
    ['return', 0, [0], 'parked'],
    ['return', 100, [0], 'parked'],
  ] as const)('%s, %d ms apart: attempts at %j, all others are %s', async (whenTooLong, apartMs, expected, reason) => {
    const retry = { rateLimited: { whenTooLong } }
    const { headgate, run, clock, at, sentAt } = setUp({ retry }, { faults: [throttled('600')] })
    await run(headgate.fetch(url, { headgate: { retry: false } }))
    const outcomes: unknown[] = []
    const call = () => void outcomeOf(headgate.fetch(url)).then((outcome) => outcomes.push(outcome))
    for (let index = 0; index < 1_000; index += 1) at(index * apartMs, call)
    await clock.advance(599_999)
    expect(sentAt()).toEqual(expected)
    expect(outcomes.filter((outcome) => outcome === reason)).toHaveLength(1_001 - expected.length)
    expect(outcomes.filter((outcome) => outcome === 429)).toHaveLength(expected.length - 1)
  })
})

describe('a POST that is answered 429, then 200, over a socket', () => {
  const bytes = Uint8Array.from({ length: 1_000 }, (_, index) => index % 256)

  /** A form's boundary is drawn for each attempt, and told in its content type. */
  function withoutBoundary(body: Buffer, contentType = ''): Buffer {
    const [, boundary] = contentType.split('boundary=')
    return boundary === undefined ? body : Buffer.from(body.toString('latin1').replaceAll(boundary, '-'), 'latin1')
  }

  /** What each attempt of one call carried. */
  async function post(body: unknown) {
    const arrived: Buffer[] = []
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        arrived.push(withoutBoundary(Buffer.concat(chunks), request.headers['content-type']))
        response.writeHead(arrived.length === 1 ? 429 : 200, { 'retry-after': '0.02' }).end(`answer ${arrived.length}`)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const { fetch } = createHeadgate()
    const response = await fetch(address, { method: 'POST', body, duplex: 'half' } as RequestInit)
    return { status: response.status, text: await response.text(), arrived }
  }

  function form(): FormData {
    const data = new FormData()
    data.set('n', '1')
    data.set('file', new Blob([bytes]), 'bytes.bin')
    return data
  }

  const raw = Buffer.from(bytes)
  test.each<[string, () => unknown, (arrived: Buffer) => boolean]>([
    ['a string', () => 'naïve ✓', (arrived) => arrived.equals(Buffer.from('naïve ✓'))],
    ['a form', form, (arrived) => /name="n"\r\n\r\n1\r\n[^]*filename="bytes\.bin"/.test(arrived.toString('latin1'))],
    ['a blob', () => new Blob([bytes]), (arrived) => arrived.equals(raw)],
    ['a buffer', () => bytes.buffer.slice(0), (arrived) => arrived.equals(raw)],
  ])('%s arrives as the same bytes twice', async (_, body, isWhole) => {
    const { status, text, arrived } = await post(body())
    expect([status, text, arrived.map(isWhole)]).toEqual([200, 'answer 2', [true, true]])
    expect(arrived[0]!.equals(arrived[1]!)).toBe(true)
  })

  test('a stream is sent once, and its 429 handed back', async () => {
    const { status, text, arrived } = await post(new Blob([bytes]).stream())
    expect([status, text, arrived.length, arrived[0]!.equals(raw)]).toEqual([429, 'answer 1', 1, true])
  })
})

describe('100 calls on one signal that outlives them leave no listener on it', () => {
  const hundred = { limits: { limit: 100, windowMs: 1_000 } }
  test.each<[string, UpstreamConfig, UpstreamOptions, unknown]>([
    ['that succeed', {}, {}, 200],
    ['that wait their turn', { limits: { limit: 1, windowMs: 1_000 } }, {}, 200],
    ['that are tried again after a failure', hundred, { faults: [{ first: 100, status: 500 }] }, 200],
    ['that are tried again behind a park', hundred, { faults: [{ first: 100, ...throttled('5') }] }, 200],
    ['that fail', { retry: false }, { faults: [{ error: 'reset' }] }, 'TypeError'],
    ['that are refused', { limits: { limit: 0.5, windowMs: 1_000 } }, {}, 'never'],
    ['that time out of their allowance', {}, { faults: [throttled('600')] }, 429],
  ])('%s', async (_, pacing, options, expected) => {
    const { headgate, run } = setUp(pacing, options)
    const { signal } = new AbortController()
    const calls = Array.from({ length: 100 }, () => outcomeOf(headgate.fetch(url, { signal })))
    const outcomes = await run(Promise.all(calls))
    expect([new Set(outcomes), abortListeners(signal)]).toEqual([new Set([expected]), 0])
  })

  test.each<[string, UpstreamConfig, unknown]>([
    ['that are refused as they come', { whenParked: 'refuse' }, 'parked'],
    ['whose allowance ends behind a park', { retry: { rateLimited: { maxDurationMs: 5_000 } } }, 'probing'],
    ['whose allowance is too short for it', { retry: { rateLimited: { whenTooLong: 'return' } } }, 'parked'],
    ['that find the queue full', { maxQueueSize: 0 }, 'queue-full'],
    ['that will not wait so long', { maxWaitMs: 1_000 }, 'wait-too-long'],
  ])('%s', async (_, pacing, expected) => {
    const { headgate, run } = setUp(pacing, { faults: [throttled('600')] })
    const { signal } = new AbortController()
    await run(headgate.fetch(url, { signal, headgate: { retry: false } }))
    const calls = Array.from({ length: 100 }, () => outcomeOf(headgate.fetch(url, { signal })))
    const outcomes = await run(Promise.all(calls))
    expect(outcomes.filter((outcome) => outcome !== expected).length).toBeLessThanOrEqual(1)
    expect(abortListeners(signal)).toBe(0)
  })
})

test('a listener that throws changes nothing', async () => {
  const names: EventName[] = [
    'headgate:attempt',
    'headgate:wait',
    'headgate:park',
    'headgate:probe',
    'headgate:reopen',
    'headgate:refuse',
    'headgate:reading',
  ]

  async function record(listener: (name: EventName) => void) {
    const limits = { limit: 5, windowMs: 10_000 }
    const faults = [
      { index: 3, ...throttled('7') },
      { index: 6, status: 500 },
      { index: 8, status: 429 },
    ]
    const pacing = { limits, maxQueueSize: 15 }
    const { headgate, run, clock, upstream } = setUp(pacing, { limits, faults, headers: 'ratelimit' })
    for (const name of names) headgate.on(name, () => listener(name))
    const outcomes = await run(Promise.all(Array.from({ length: 25 }, () => outcomeOf(headgate.fetch(url)))))
    return { outcomes, log: upstream.log, snapshot: headgate.snapshot(), endedAt: clock.now() }
  }

  const heard = new Set<EventName>()
  const expected = await record(() => {})
  const told = await record((name) => {
    heard.add(name)
    throw new Error('of the listener')
  })
  expect(told).toEqual(expected)
  expect([...heard].toSorted()).toEqual(names.toSorted())
})
