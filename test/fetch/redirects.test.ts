import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createUpstream, type Fault, VirtualClock } from '../../src/testing/index.ts'
import { createHeadgate, type HeadgateConfig, type UpstreamConfig } from '../../src/index.ts'
import { type Inner, outcomeOf, recording, setUp } from './support.ts'

const A = 'https://a.example'
const B = 'https://b.example'

interface Seen {
  url: string
  method: string
  headers: Record<string, string>
  body: string
}

/** An inner fetch that answers by address, and notes the requests that reach it. What is not named is answered 200. */
function answering(answers: Record<string, () => Response>) {
  const seen: Seen[] = []
  const fetch: Inner = async (input, init) => {
    const request = new Request(input, init)
    const { url, method, headers } = request
    seen.push({ url, method, headers: Object.fromEntries(headers), body: await request.text() })
    const response = answers[url]?.() ?? new Response('done')
    return Object.defineProperty(response, 'url', { value: url.replace(/#.*/, '') })
  }
  return { fetch, seen }
}

const to = (location: string, status = 302, body: ReadableStream | null = null) => {
  return () => new Response(body, { status, headers: { location } })
}

/** A headgate over these answers. No time passes, so nothing need run the clock. */
function follow(answers: Record<string, () => Response>, pacing: UpstreamConfig = {}, config: HeadgateConfig = {}) {
  const { fetch, seen } = answering(answers)
  return { ...setUp(pacing, {}, { fetch, ...config }), seen }
}

/** Two upstreams on one clock, each with a log of its own. */
function setUpTwo(config: HeadgateConfig, faultsOfA: () => Fault, faultsOfB?: (index: number) => Fault | undefined) {
  const clock = new VirtualClock()
  const a = createUpstream({ clock, headers: 'none', faults: faultsOfA })
  const limits = { limit: 2, windowMs: 1_000 }
  const b = createUpstream({ clock, headers: 'none', limits, faults: ({ index }) => faultsOfB?.(index) })
  const fetch: Inner = (input, init) => (new Request(input).url.startsWith(A) ? a : b).fetch(input, init)
  return { clock, a, b, headgate: createHeadgate({ clock, fetch, ...config }) }
}

const sendsOn = (location: string) => () => ({ status: 302, headers: { location } })

describe('each hop takes a permit of the authority it is sent to', () => {
  const upstreams = {
    'a.example': { limits: { limit: 10, windowMs: 1_000 }, coldStartMs: 0 },
    'b.example': { limits: { limit: 2, windowMs: 1_000 }, coldStartMs: 0 },
  }

  // scrapy-2141
  test('the limit of the target holds for what is redirected to it', async () => {
    const { clock, a, b, headgate } = setUpTwo({ upstreams }, sendsOn(`${B}/`))
    let counted: unknown[] = []
    const count = () => (counted = headgate.snapshot().gates.map(({ host, limits }) => [host, limits[0]?.held]))
    clock.setTimer(count, 500, { keepAlive: true })
    const calls = Array.from({ length: 6 }, (_, call) => headgate.fetch(`${A}/${call}`))
    const responses = await clock.runUntil(Promise.all(calls))
    expect(responses.map((response) => [response.status, response.url, response.redirected])).toEqual(
      Array(6).fill([200, `${B}/`, true]),
    )
    expect(a.log.map(({ sentAtMs }) => sentAtMs)).toEqual([0, 0, 0, 0, 0, 0])
    expect(b.log.map(({ sentAtMs }) => sentAtMs)).toEqual([0, 0, 1_000, 1_000, 2_000, 2_000])
    expect(b.report()).toMatchObject({ requests: 6, throttled: 0, busiestWindow: 2 })
    expect(responses.map((response) => headgate.inspect(response)?.attempts)).toEqual(Array(6).fill(2))
    expect(counted).toEqual([
      ['a.example', 6],
      ['b.example', 2],
    ])
  })

  test('and gives back the one before it', async () => {
    const one = { concurrency: 1, coldStartMs: 0 }
    const config = { upstreams: { 'a.example': one, 'b.example': one } }
    const { clock, headgate } = setUpTwo(config, sendsOn(`${B}/`))
    const response = await clock.runUntil(headgate.fetch(`${A}/`))
    const held = () => headgate.snapshot().gates.map((gate) => [gate.host, gate.held])
    expect(held()).toEqual([
      ['a.example', 0],
      ['b.example', 1],
    ])
    await response.text()
    expect(held().map(([, permits]) => permits)).toEqual([0, 0])
  })

  test('within one authority too', async () => {
    const { headgate } = follow(
      { [`${A}/1`]: to('/2'), [`${A}/2`]: to('/3') },
      { limits: { limit: 9, windowMs: 1_000 } },
    )
    await headgate.fetch(`${A}/1`)
    expect(headgate.snapshot().gates.map(({ limits }) => limits[0]?.held)).toEqual([3])
  })

  test('is told as a redirect, and a retry there as a retry', async () => {
    const { clock, headgate, a, b } = setUpTwo({ upstreams }, sendsOn(`${B}/`), (index) =>
      index === 0 ? { status: 429, headers: { 'retry-after': '5' } } : undefined,
    )
    const told: unknown[] = []
    headgate.on('headgate:attempt', ({ host, kind, outcome, status }) => told.push([host, kind, outcome, status]))
    const response = await clock.runUntil(headgate.fetch(`${A}/`))
    expect([response.status, response.redirected]).toEqual([200, true])
    expect([a.log, b.log].map((log) => log.map(({ sentAtMs }) => sentAtMs))).toEqual([[0], [0, 5_000]])
    expect(told).toEqual([
      ['a.example', 'first', 'ok', 302],
      ['b.example', 'redirect', 'throttled', 429],
      ['b.example', 'probe', 'ok', 200],
    ])
  })

  test('a response kept at the target is handed back as redirected', async () => {
    const { clock, headgate } = setUpTwo({ upstreams }, sendsOn(`${B}/`), () => ({
      status: 429,
      body: 'wait',
      headers: { 'retry-after': '60' },
    }))
    clock.setTimer(() => void headgate.close(), 1_000, { keepAlive: true })
    const response = await clock.runUntil(headgate.fetch(`${A}/`))
    expect([response.status, response.redirected, response.url, await response.text()]).toEqual([
      429,
      true,
      `${B}/`,
      'wait',
    ])
  })

  test('but for an authority that is not paced', async () => {
    const { clock, headgate, b } = setUpTwo(
      { upstreams: { 'a.example': { coldStartMs: 0 } }, default: false },
      sendsOn(`${B}/`),
    )
    const hosts: string[] = []
    headgate.on('headgate:attempt', ({ host }) => hosts.push(host))
    const calls = Array.from({ length: 50 }, () => headgate.fetch(`${A}/`))
    const responses = await clock.runUntil(Promise.all(calls))
    expect(responses.every(({ redirected }) => redirected)).toBe(true)
    expect(b.log).toHaveLength(50)
    expect(b.log.every(({ sentAtMs }) => sentAtMs === 0)).toBe(true)
    expect(headgate.snapshot().gates.map(({ host }) => host)).toEqual(['a.example'])
    expect(hosts).toEqual(Array(50).fill('a.example'))
  })
})

describe('retries go by the upstream that a hop is sent to', () => {
  const once = (index: number) => (index === 0 ? { status: 429, headers: { 'retry-after': '3' } } : undefined)
  const limited = (maxDurationMs: number) => ({ retry: { rateLimited: { maxDurationMs } }, coldStartMs: 0 })

  test.each<[string, UpstreamConfig, UpstreamConfig, number[], number]>([
    ['retried at the target alone', { retry: false }, {}, [0, 3_000], 200],
    ['not retried at the target', {}, { retry: false }, [0], 429],
    ['within the allowance of the target', { retry: false }, limited(1_000), [0, 1_000], 200],
  ])('%s', async (_, ofA, ofB, expected, status) => {
    const upstreams = { 'a.example': { coldStartMs: 0, ...ofA }, 'b.example': { coldStartMs: 0, ...ofB } }
    const { clock, headgate, b } = setUpTwo({ upstreams }, sendsOn(`${B}/`), once)
    expect((await clock.runUntil(headgate.fetch(`${A}/`))).status).toBe(status)
    expect(b.log.map(({ sentAtMs }) => sentAtMs)).toEqual(expected)
  })

  test('what was spent on the way counts', async () => {
    let asked = 0
    const throttledOnce = () => (asked++ === 0 ? { status: 429, headers: { 'retry-after': '2' } } : sendsOn(`${B}/`)())
    const upstreams = { 'a.example': limited(60_000), 'b.example': limited(6_000) }
    const { clock, headgate, b } = setUpTwo({ upstreams }, throttledOnce, () => ({
      status: 429,
      headers: { 'retry-after': '60' },
    }))
    expect((await clock.runUntil(headgate.fetch(`${A}/`))).status).toBe(429)
    expect(b.log.map(({ sentAtMs }) => sentAtMs)).toEqual([2_000, 6_000])
  })
})

describe('what is asked of the target', () => {
  const headers = {
    'content-type': 'text/x-thing',
    'content-language': 'en',
    'content-encoding': 'identity',
    'content-location': '/there',
    'x-own': '1',
  }
  const bodyHeaders = ['content-encoding', 'content-language', 'content-location', 'content-type']

  const rows = [301, 302, 303, 307, 308].flatMap((status) =>
    ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'].map((method) => ({ status, method })),
  )
  test.each(rows)('$status of a $method', async ({ status, method }) => {
    const bodiless = method === 'GET' || method === 'HEAD'
    const rewritten = (status === 303 && !bodiless) || (status <= 302 && method === 'POST')
    const { headgate, seen } = follow({ [`${A}/1`]: to('/2', status) })
    const response = await headgate.fetch(`${A}/1`, { method, headers, ...(bodiless ? {} : { body: 'text' }) })
    expect([response.status, response.redirected, response.url]).toEqual([200, true, `${A}/2`])
    const { method: then, body, headers: sent } = seen[1]!
    expect([then, body]).toEqual([rewritten ? 'GET' : method, rewritten || bodiless ? '' : 'text'])
    expect(sent['x-own']).toBe('1')
    expect(bodyHeaders.filter((name) => name in sent)).toEqual(rewritten ? [] : bodyHeaders)
  })

  const form = () => {
    const data = new FormData()
    data.set('n', '1')
    return data
  }
  const post = (body: unknown) => ({ method: 'POST', body, duplex: 'half' }) as RequestInit
  const stream = () => new Blob(['text']).stream()
  test.each<[string, () => Parameters<Inner>, RegExp]>([
    ['a string', () => [`${A}/1`, post('text')], /^text$/],
    ['bytes', () => [`${A}/1`, post(new TextEncoder().encode('text'))], /^text$/],
    ['parameters', () => [`${A}/1`, post(new URLSearchParams({ n: '1' }))], /^n=1$/],
    ['a form', () => [`${A}/1`, post(form())], /name="n"\r\n\r\n1\r\n/],
    ['a Request', () => [new Request(`${A}/1`, post('text'))], /^text$/],
    ['a Request over a form', () => [new Request(`${A}/1`, post(form()))], /name="n"\r\n\r\n1\r\n/],
    ['a Request over a stream', () => [new Request(`${A}/1`, post(stream()))], /^text$/],
    ['a Request whose body init replaces', () => [new Request(`${A}/1`, post('other')), { body: 'text' }], /^text$/],
  ])('307 and 308 send the same body again: %s', async (_, args, text) => {
    for (const retry of [{}, false] as const) {
      const { headgate, seen } = follow({ [`${A}/1`]: to('/2', 307), [`${A}/2`]: to(`${B}/3`, 308) }, { retry })
      expect((await headgate.fetch(...args())).url).toBe(`${B}/3`)
      expect(seen.map(({ method, body }) => [method, text.test(body)])).toEqual(Array(3).fill(['POST', true]))
      const types = seen.map((request) => request.headers['content-type']?.replace(/boundary=.*/, ''))
      expect(new Set(types).size).toBe(1)
    }
  })

  const generator = async function* () {
    yield new TextEncoder().encode('text')
  }
  test.each([stream, generator].flatMap((body) => [301, 302, 303, 307, 308].map((status) => ({ body, status }))))(
    'what can be sent once is followed by 303 alone: $body.name, $status',
    async ({ body, status }) => {
      const { headgate, seen } = follow({ [`${A}/1`]: to('/2', status) })
      const came = await outcomeOf(headgate.fetch(`${A}/1`, post(body())))
      expect([came, seen.map(({ method }) => method)]).toEqual(
        status === 303 ? [200, ['POST', 'GET']] : ['TypeError', ['POST']],
      )
    },
  )

  test.each([
    ['purge', 'purge'],
    ['Patch', 'Patch'],
    ['put', 'PUT'],
    ['Options', 'OPTIONS'],
  ])('a method is written as fetch writes it: %s', async (method, expected) => {
    const { headgate, seen } = follow({ [`${A}/1`]: to('/2') })
    await headgate.fetch(`${A}/1`, { method })
    expect(seen.map((request) => request.method)).toEqual([expected, expected])
  })

  const secrets = { authorization: 'secret', cookie: 'secret', 'proxy-authorization': 'secret', 'x-own': '1' }
  const names = Object.keys(secrets)
  test.each([
    ['/2', names],
    [`${A}:443/2`, names],
    ['https://A.EXAMPLE/2', names],
    [`${A}:8443/2`, ['x-own']],
    ['http://a.example/2', ['x-own']],
    [`${B}/2`, ['x-own']],
  ])('who asks stays with the origin: to %s goes %j', async (location, expected) => {
    const withBody = { method: 'POST', body: 'text' }
    const calls: Parameters<Inner>[] = [
      [`${A}/1`, { headers: secrets }],
      [`${A}/1`, { headers: secrets, ...withBody }],
      [new Request(`${A}/1`, { headers: secrets })],
      [new Request(`${A}/1`, { headers: secrets, ...withBody })],
      [new Request(`${A}/1`, withBody), { headers: secrets }],
    ]
    for (const args of calls) {
      const { headgate, seen } = follow({ [`${A}/1`]: to(location, 307) })
      await headgate.fetch(...args)
      expect(names.filter((name) => name in seen[0]!.headers)).toEqual(names)
      expect(names.filter((name) => name in seen[1]!.headers)).toEqual(expected)
    }
  })

  test('and does not come back with it', async () => {
    const { headgate, seen } = follow({ [`${A}/1`]: to(`${B}/2`), [`${B}/2`]: to(`${A}/3`) })
    await headgate.fetch(`${A}/1`, { headers: { authorization: 'secret' } })
    expect(seen.map((request) => request.headers['authorization'])).toEqual(['secret', undefined, undefined])
  })

  test.each([
    ['/2', `${A}/2#part`],
    ['/2#own', `${A}/2#own`],
    [`${B}/2`, `${B}/2#part`],
  ])('the fragment is carried, unless there is one: %s', async (location, expected) => {
    const { fetch, calls } = recording()
    const answers = [to(location)(), new Response('done')]
    const inner: Inner = (input, init) => (void fetch(input, init), Promise.resolve(answers.shift()!))
    const { headgate } = setUp({}, {}, { fetch: inner })
    await headgate.fetch(`${A}/1#part`)
    expect(String(calls[1]!.input)).toBe(expected)
  })

  test('the signal goes on with it', async () => {
    const controller = new AbortController()
    for (const args of [[`${A}/1`, { signal: controller.signal }], [new Request(`${A}/1`, controller)]]) {
      const { fetch, calls } = recording(() => (calls.length === 1 ? to('/2')() : new Response('done')))
      const { headgate } = setUp({}, {}, { fetch })
      await headgate.fetch(...(args as Parameters<Inner>))
      const { init } = calls[1]!
      expect(init?.['signal']).toBe(args[1] === undefined ? (args[0] as Request).signal : controller.signal)
    }
  })
})

describe('the dispatcher that a Request was made with', () => {
  const dispatcher = { dispatch: () => true }
  const carrying = (init: RequestInit = {}) =>
    Object.assign(new Request(`${A}/1`, init), { [Symbol('dispatcher')]: dispatcher })

  test.each<[string, () => Parameters<Inner>]>([
    ['a GET', () => [carrying()]],
    ['one with a body', () => [carrying({ method: 'POST', body: 'text' })]],
    ['one with an init', () => [carrying(), { cache: 'no-store' }]],
  ])('goes with every attempt, where it can be told: %s', async (_, args) => {
    const { fetch, calls } = recording(() => to('/2', calls.length < 3 ? 307 : 200)())
    await setUp({}, {}, { fetch }).headgate.fetch(...args())
    expect(calls.map(({ init }) => init?.['dispatcher'])).toEqual([dispatcher, dispatcher, dispatcher])
  })

  test('but for one that the call names', async () => {
    const own = { dispatch: () => false }
    const { fetch, calls } = recording(() => to('/2', calls.length < 2 ? 307 : 200)())
    await setUp({}, {}, { fetch }).headgate.fetch(carrying(), { dispatcher: own } as unknown as RequestInit)
    expect(calls.map(({ init }) => init?.['dispatcher'])).toEqual([own, own])
  })
})

describe('where it ends', () => {
  const chain = (length: number) =>
    Object.fromEntries(Array.from({ length }, (_, hop) => [`${A}/${hop}`, to(`/${hop + 1}`)]))

  test('twenty redirects are followed', async () => {
    const { headgate, seen } = follow(chain(20))
    const response = await headgate.fetch(`${A}/0`)
    expect([response.status, response.url, seen.length]).toEqual([200, `${A}/20`, 21])
    expect(headgate.inspect(response)?.attempts).toBe(21)
  })

  test('the twenty-first is a TypeError', async () => {
    const { headgate, seen } = follow(chain(21), { concurrency: 1 })
    await expect(headgate.fetch(`${A}/0`)).rejects.toThrow(TypeError)
    expect(seen).toHaveLength(21)
    expect(headgate.gate(A)?.snapshot().held).toBe(0)
  })

  test.each([
    'http://[',
    'ftp://a.example/',
    'data:text/plain,x',
    'javascript:0',
    'https://user:secret@b.example/?secret',
    'https://user:secret@a.example/?secret',
    'https://:secret@a.example/',
    'https://secret@a.example/',
  ])('a location of %s is a TypeError', async (location) => {
    for (const init of [{}, { method: 'POST', body: 'text' }]) {
      const { headgate, seen } = follow({ [`${A}/1`]: to(location, 307) }, { concurrency: 1 })
      const error = (await headgate.fetch(new Request(`${A}/1`, init)).catch((reason: unknown) => reason)) as Error
      expect([error.name, error.message]).toEqual(['TypeError', 'fetch failed'])
      expect(inspect(error)).not.toContain('secret')
      expect(String(error.cause)).toContain('The redirect cannot be followed')
      expect([seen.length, headgate.gate(A)?.snapshot().held]).toEqual([1, 0])
    }
  })

  test.each([
    [302, {}],
    [300, { location: '/2' }],
    [304, { location: '/2' }],
    [305, { location: '/2' }],
    [200, { location: '/2' }],
  ])('%d with %j is no redirect', async (status, headers) => {
    const answer = new Response(null, { status, headers })
    const { headgate, seen } = follow({ [`${A}/1`]: () => answer })
    const response = await headgate.fetch(`${A}/1`)
    expect([response, response.redirected, seen.length]).toEqual([answer, false, 1])
  })

  test('the body of each hop is let go', async () => {
    let cancelled = 0
    const body = () => new ReadableStream({ cancel: () => void (cancelled += 1) })
    const { headgate } = follow({
      [`${A}/1`]: () => to('/2', 302, body())(),
      [`${A}/2`]: () => to(`${B}/3`, 302, body())(),
    })
    expect(await (await headgate.fetch(`${A}/1`)).text()).toBe('done')
    expect(cancelled).toBe(2)
  })
})

describe('what is left to the inner fetch', () => {
  test.each<[string, UpstreamConfig, RequestInit | undefined]>([
    ["redirect: 'manual'", {}, { redirect: 'manual' }],
    ["redirect: 'error'", {}, { redirect: 'error' }],
    ["redirects: 'native'", { redirects: 'native' }, { redirect: 'follow' }],
    ["redirects: 'native' and no init", { redirects: 'native' }, undefined],
    ['integrity', {}, { integrity: 'sha256-x' }],
    ["mode: 'same-origin'", {}, { mode: 'same-origin' }],
    ["mode: 'no-cors'", {}, { mode: 'no-cors' }],
  ])('%s: it is asked as the caller asked, and its answer handed back', async (_, pacing, init) => {
    const answer = to('/2')()
    const { fetch, calls } = recording(() => answer)
    const { headgate } = setUp(pacing, {}, { fetch })
    expect(await headgate.fetch(`${A}/1`, init)).toBe(answer)
    expect(calls.map((call) => call.init?.['redirect'])).toEqual([init?.redirect])
    expect(answer.redirected).toBe(false)
  })

  test.each<RequestInit>([
    { redirect: 'manual' },
    { redirect: 'error' },
    { integrity: 'sha256-x' },
    { mode: 'same-origin' },
  ])('a Request that says %j', async (init) => {
    const { fetch, calls } = recording(() => to('/2')())
    const { headgate } = setUp({}, {}, { fetch })
    const request = new Request(`${A}/1`, init)
    expect((await headgate.fetch(request)).status).toBe(302)
    expect([calls.length, calls[0]!.input, calls[0]!.init?.['redirect']]).toEqual([1, request, undefined])
  })

  test("a Request that says so, where init says 'follow', is followed", async () => {
    const { headgate } = follow({ [`${A}/1`]: to('/2') })
    const request = new Request(`${A}/1`, { redirect: 'manual' })
    expect((await headgate.fetch(request, { redirect: 'follow' })).url).toBe(`${A}/2`)
  })
})
