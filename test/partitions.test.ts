import { describe, expect, test } from 'vitest'
import type { UpstreamConfig } from '../src/index.ts'
import { setUp, url } from './fetch/support.ts'

const one = { limits: { limit: 1, windowMs: 60_000 } }

/** How many of these calls go at once. */
async function goAtOnce(
  { headgate, clock, upstream }: ReturnType<typeof setUp>,
  ...calls: Parameters<typeof headgate.fetch>[]
) {
  for (const args of calls) headgate.fetch(...args).catch(() => {})
  await clock.advance(0)
  return upstream.log.length
}

describe('partitions', () => {
  const byToken: UpstreamConfig = { ...one, partition: ({ headers }) => headers.get('authorization') ?? 'anonymous' }
  const as = (authorization: string) => ({ headers: { authorization } })
  const inPartition = (partition: string) => ({ headgate: { partition } })
  const both = { authorities: ['a.example', 'b.example'], ...one }

  test.each<[string, Parameters<typeof setUp>, [string, object?][], number]>([
    ['by default: the authority', [one], [['http://a.example/1'], ['http://a.example/2']], 1],
    ['which has a port', [one], [['http://a.example/'], ['http://a.example:81/'], ['https://a.example/']], 3],
    ['a function of the request', [byToken], [[url, as('one')], [url, as('one')], [url, as('two')], [url]], 3],
    [
      'the call’s own instead',
      [byToken],
      [
        [url, { ...as('one'), ...inPartition('x') }],
        [url, { ...as('two'), ...inPartition('x') }],
      ],
      1,
    ],
    [
      'authorities of one name, each its own',
      [{}, {}, { upstreams: { both } }],
      [['http://a.example/'], ['http://b.example/']],
      2,
    ],
    [
      'authorities of one name, in one partition',
      [{}, {}, { upstreams: { both: { ...both, partition: () => 'shared' } } }],
      [['http://a.example/'], ['http://b.example/']],
      1,
    ],
    [
      'hosts of one wildcard, in one partition',
      [{}, {}, { upstreams: { '*.example': { ...one, partition: () => 'shared' } } }],
      [['http://a.example/'], ['http://b.example/']],
      1,
    ],
    [
      'of the default never span authorities',
      [{ ...one, partition: () => 'shared' }],
      [['http://a.example/'], ['http://b.example/']],
      2,
    ],
    [
      'of two upstreams are never the same',
      [
        {},
        {},
        {
          upstreams: {
            a: { ...both, authorities: ['a.example'], partition: () => 'x' },
            b: { ...both, authorities: ['b.example'], partition: () => 'x' },
          },
        },
      ],
      [['http://a.example/'], ['http://b.example/']],
      2,
    ],
  ])('%s', async (_, args, calls, expected) => {
    expect(await goAtOnce(setUp(...args), ...calls)).toBe(expected)
  })

  test('are told the URL, the method and the headers, of a Request and of init', async () => {
    const seen: unknown[] = []
    const { headgate, run } = setUp({
      partition: ({ url: { href }, method, headers }) => String(seen.push([href, method, headers.get('x-mine')])),
    })
    await run(headgate.fetch(new Request(url, { method: 'PUT', headers: { 'x-mine': 'request' } })))
    await run(headgate.fetch(new Request(url, { method: 'PUT' }), { method: 'post', headers: { 'x-mine': 'init' } }))
    expect(seen).toEqual([
      [url, 'PUT', 'request'],
      [url, 'POST', 'init'],
    ])
  })

  // dialogue-993
  test.each<[string, UpstreamConfig, number]>([
    ['the authority', {}, 3_000],
    ['the path', { partition: ({ url: { pathname } }) => pathname }, 50],
  ])('a park holds what it stands for: %s', async (_, pacing, expected) => {
    const { headgate, upstream, at, clock } = setUp(pacing, {
      faults: ({ request, nowMs }) =>
        new URL(request.url).pathname === '/a' && nowMs < 3_000
          ? { status: 429, headers: { 'retry-after': '3' } }
          : undefined,
    })
    void headgate.fetch('https://api.example/a')
    at(50, () => void headgate.fetch('https://api.example/b'))
    await clock.advance(10_000)
    expect(upstream.log.find((entry) => entry.url.endsWith('/b'))?.sentAtMs).toBe(expected)
  })

  test('may have limits of their own', async () => {
    const limits = (partition: string) => [{ limit: partition === 'big' ? 3 : 1, windowMs: 60_000 }]
    const calls = ['big', 'big', 'big', 'big', 'small', 'small'].map((name): [string, object] => [
      url,
      inPartition(name),
    ])
    expect(await goAtOnce(setUp({ limits }), ...calls)).toBe(4)
  })

  test('a function that throws is the call’s error and sends nothing', async () => {
    const error = new Error('no')
    const partition = () => {
      throw error
    }
    const { headgate, upstream, run } = setUp({ partition })
    await expect(run(headgate.fetch(url))).rejects.toBe(error)
    expect(upstream.log).toEqual([])
  })
})

test.each([undefined, null, 7])('a partition function that gives %s is a ConfigError', async (value) => {
  const { headgate, run } = setUp({ partition: () => value as never })
  await expect(run(headgate.fetch(url))).rejects.toMatchObject({
    code: 'HEADGATE_CONFIG',
    faults: [{ option: "upstreams['default'].partition()", value }],
  })
})
