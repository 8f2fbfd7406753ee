import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, test } from 'vitest'
import { createHeadgate, type Headgate } from '../../src/index.ts'
import { VirtualClock } from '../../src/testing/index.ts'
import { type Inner, recording, replaceGlobalFetch, setUp, url } from './support.ts'

const twoPerSecond = { limits: { limit: 2, windowMs: 1_000 } }

/** A headgate over a native fetch that was global when it was made, and its own fetch is the global one from then on. */
function setUpGlobal(config: Parameters<typeof createHeadgate>[0] = {}) {
  const clock = new VirtualClock()
  const native = recording()
  replaceGlobalFetch(native.fetch)
  const headgate = createHeadgate({ clock, default: { coldStartMs: 0, ...twoPerSecond }, ...config })
  globalThis.fetch = headgate.fetch as Inner
  return { clock, headgate, native, used: () => headgate.snapshot().gates.map(({ limits }) => limits[0]?.held) }
}

const elsewhere = AsyncLocalStorage.snapshot()

/** What a config.fetch may do with its arguments on the way to the global fetch. */
const ways: [string, Inner][] = [
  ['as they are', (input, init) => globalThis.fetch(input, init)],
  ['the init copied', (input, init) => globalThis.fetch(input, { ...init })],
  ['the init dropped', (input) => globalThis.fetch(input)],
  ['made a Request', (input, init) => globalThis.fetch(new Request(input, init))],
  ['later', async (input) => (await Promise.resolve(), globalThis.fetch(input))],
  ['the async context dropped', (input, init) => elsewhere(() => globalThis.fetch(input, init))],
]

describe('a global fetch that was replaced', () => {
  test('the headgate goes on to the one before', async () => {
    const { native, used } = setUpGlobal()
    await globalThis.fetch(url)
    expect([native.calls.length, used()]).toEqual([1, [1]])
  })

  test.each(ways)('one permit an attempt where config.fetch calls it: %s', async (_, fetch) => {
    const { clock, headgate, native, used } = setUpGlobal({ fetch })
    await headgate.fetch(url)
    await globalThis.fetch(url)
    expect([native.calls.length, used()]).toEqual([2, [2]])
    const third = headgate.fetch(url)
    await clock.advance(999)
    expect(native.calls.length).toBe(2)
    await clock.runUntil(third)
    expect(native.calls.length).toBe(3)
  })

  test.each<[string, Parameters<Headgate['fetch']>]>([
    ['out of it by headgate: false', [url, { headgate: false }]],
    ['of an authority that is passed through', ['http://other.example/']],
    ['of another scheme', ['data:text/plain,x']],
    ['that cannot be read', ['/no/base']],
  ])('a call %s goes through once, with no permit', async (_, args) => {
    for (const [way, fetch] of ways.slice(0, 3)) {
      const { headgate, native } = setUpGlobal({ fetch, upstreams: { 'api.example': {} }, default: false })
      await headgate.fetch(...args)
      expect([way, native.calls.length, headgate.snapshot().gates.length]).toEqual([way, 1, 0])
    }
  })

  // nanobot-2760
  test('cannot be wrapped again by mistake', () => {
    const { headgate } = setUpGlobal()
    for (const config of [{}, { fetch: headgate.fetch as Inner }, { fetch: headgate.with({}).fetch as Inner }]) {
      expect(() => createHeadgate(config)).toThrow(
        expect.objectContaining({
          code: 'HEADGATE_CONFIG',
          faults: [expect.objectContaining({ option: 'fetch', expected: 'a fetch that no headgate paces yet' })],
        }),
      )
    }
  })
})

describe('a gated call from within config.fetch', () => {
  test.each(['https://api.example/token', 'https://auth.example/token'])(
    'takes its own permit: %s',
    async (tokenUrl) => {
      const sent: string[] = []
      const { headgate, clock } = setUp(
        {},
        {},
        {
          fetch: async (input) => {
            if (input === url) await headgate.fetch(tokenUrl)
            sent.push(new Request(input).url)
            return new Response()
          },
        },
      )
      await clock.runUntil(headgate.fetch(url))
      expect(sent).toEqual([tokenUrl, url])
      const counts = headgate.snapshot().gates.map(({ host, limits }) => [host, limits.length])
      expect(counts).toHaveLength(new Set([new URL(url).host, new URL(tokenUrl).host]).size)
    },
  )

  test('a second one to the same URL takes a permit too: a passage is good for one', async () => {
    const sends: Headgate['fetch'][] = []
    const { headgate, used } = setUpGlobal({
      fetch: async (input) => {
        const [send] = sends.splice(0, 1)
        await globalThis.fetch(input)
        return send ? send(input) : new Response()
      },
    })
    sends.push(headgate.fetch)
    await headgate.fetch(url)
    expect(used()).toEqual([2])
  })

  test('of another headgate takes a permit of that one', async () => {
    const other = setUp(twoPerSecond)
    const { headgate, clock } = setUp(twoPerSecond, {}, { fetch: (input, init) => other.headgate.fetch(input, init) })
    await clock.runUntil(headgate.fetch(url))
    const counts = [headgate, other.headgate].map((each) => each.snapshot().gates[0]?.limits[0]?.held)
    expect(counts).toEqual([1, 1])
  })
})

describe('async context', () => {
  test('of the caller’s own reaches partition and isThrottled', async () => {
    const storage = new AsyncLocalStorage<string>()
    const seen: (string | undefined)[] = []
    const partition = () => String(seen.push(storage.getStore()))
    const isThrottled = () => seen.push(storage.getStore()) < 0
    const { headgate, run } = setUp({ partition, isThrottled })
    await storage.run('mine', () => run(headgate.fetch(url)))
    expect(seen).toEqual(['mine', 'mine'])
  })
})
