import { describe, expect, test } from 'vitest'
import { systemClock } from '../src/clock.ts'
import {
  ConfigError,
  createHeadgate,
  type HeadgateConfig,
  isConfigError,
  parseConfig,
  type UpstreamConfig,
} from '../src/index.ts'
import { markPaced } from '../src/paced.ts'
import { VirtualClock } from '../src/testing/index.ts'

function faultsOf(config: unknown): string[] {
  try {
    parseConfig(config as HeadgateConfig)
    return []
  } catch (error) {
    if (!isConfigError(error)) throw error
    return error.faults.map(({ option }) => option)
  }
}

const upstream = (options: object) => ({ upstreams: { 'api.example': options } })

describe('defaults', () => {
  test.each([[undefined], [{}]])('of %j', (config) => {
    expect(parseConfig(config)).toEqual({
      upstreams: {},
      default: {},
      fetch: globalThis.fetch,
      clock: systemClock,
      maxGates: 10_000,
      processes: 1,
      gateIdleMs: 600_000,
      mode: 'enforce',
    })
  })

  test('what is given stands', () => {
    const config = {
      upstreams: { 'api.example': { concurrency: 2 } },
      default: false,
      fetch: async () => new Response(),
      clock: new VirtualClock(),
      maxGates: 1,
      gateIdleMs: 0,
      mode: 'observe' as const,
      processes: 2,
      process: 1,
    } as const
    expect(parseConfig(config)).toEqual(config)
  })
})

describe('one ConfigError', () => {
  test('lists every fault with its option, its value and what was expected', () => {
    const config = {
      upstreams: {
        'api.example': { limits: [{ limit: NaN, windowMs: 1_000 }], concurency: 2 },
        'https://api.example/v1': {},
      },
      default: { retry: { failed: { baseMs: -1 } }, whenParked: 'maybe' },
      maxGates: 0,
      mode: 'watch',
    }
    const error = catchError(() => createHeadgate(config as HeadgateConfig))
    expect(error).toBeInstanceOf(ConfigError)
    expect((error as ConfigError).faults).toEqual([
      { option: "upstreams['api.example'].limits[0].limit", value: NaN, expected: expect.stringContaining('above 0') },
      { option: "upstreams['api.example'].concurency", value: 2, expected: expect.stringContaining('concurrency') },
      { option: 'default.retry.failed.baseMs', value: -1, expected: 'a number from 0 to Infinity' },
      { option: 'default.whenParked', value: 'maybe', expected: "'wait' or 'refuse'" },
      { option: 'maxGates', value: 0, expected: expect.stringContaining('a whole number from 1') },
      { option: 'mode', value: 'watch', expected: "'enforce' or 'observe'" },
      {
        option: "upstreams['https://api.example/v1']",
        value: 'https://api.example/v1',
        expected: 'a host, host:port or *.example.com, or a name with authorities',
      },
    ])
    for (const { option } of (error as ConfigError).faults) expect((error as Error).message).toContain(option)
    expect((error as Error).message).toContain('got NaN')
  })
})

describe('faults', () => {
  const limit = { limit: 10, windowMs: 1_000 }
  test.each<[string, unknown, string[]]>([
    ['a limit of 0', upstream({ limits: { ...limit, limit: 0 } }), ["upstreams['api.example'].limits.limit"]],
    ['a negative one', upstream({ limits: { ...limit, limit: -5 } }), ["upstreams['api.example'].limits.limit"]],
    ['an absurd one', upstream({ limits: { ...limit, limit: 1e300 } }), ["upstreams['api.example'].limits.limit"]],
    ['an infinite one', upstream({ limits: { ...limit, limit: Infinity } }), ["upstreams['api.example'].limits.limit"]],
    ['a window of 0', upstream({ limits: { ...limit, windowMs: 0 } }), ["upstreams['api.example'].limits.windowMs"]],
    ['no window', upstream({ limits: { limit: 1 } }), ["upstreams['api.example'].limits.windowMs"]],
    ['half a place', upstream({ concurrency: 1.5 }), ["upstreams['api.example'].concurrency"]],
    ['none at all', upstream({ concurrency: 0 }), ["upstreams['api.example'].concurrency"]],
    ['a string for a number', upstream({ maxWaitMs: '5' }), ["upstreams['api.example'].maxWaitMs"]],
    ['NaN', upstream({ transitMs: NaN }), ["upstreams['api.example'].transitMs"]],
    ['authorities that are no list', upstream({ authorities: 'a.example' }), ["upstreams['api.example'].authorities"]],
    ['one that is no string', upstream({ authorities: [5] }), ["upstreams['api.example'].authorities[0]"]],
    ['one that is no authority', { upstreams: { a: { authorities: ['x/y'] } } }, ["upstreams['a']"]],
    ['an upstream that is none', { upstreams: { 'api.example': null } }, ["upstreams['api.example']"]],
    ['upstreams that are none', { upstreams: null }, ['upstreams']],
    ['a partition that is no function', upstream({ partition: 'x' }), ["upstreams['api.example'].partition"]],
    ['an isThrottled that is none', upstream({ isThrottled: true }), ["upstreams['api.example'].isThrottled"]],
    ['a fairShare that is neither', upstream({ fairShare: 'yes' }), ["upstreams['api.example'].fairShare"]],
    ['a misspelt choice', upstream({ pace: 'evenly' }), ["upstreams['api.example'].pace"]],
    ['retry: true', upstream({ retry: true }), ["upstreams['api.example'].retry"]],
    [
      'no attempt',
      upstream({ retry: { failed: { maxAttempts: 0 } } }),
      ["upstreams['api.example'].retry.failed.maxAttempts"],
    ],
    [
      'a status that is none',
      upstream({ retry: { failed: { statuses: [99] } } }),
      ["upstreams['api.example'].retry.failed.statuses[0]"],
    ],
    ['a default that is true', { default: true }, ['default']],
    ['a fetch that is none', { fetch: 'fetch' }, ['fetch']],
    ['a fetch that is paced already', { fetch: markPaced(async () => new Response()) }, ['fetch']],
    ['a clock without time', { clock: {} }, ['clock']],
    ['a negative time', { gateIdleMs: -1 }, ['gateIdleMs']],
    ['null', null, ['options']],
    ['an array', [], ['options']],
    ['an upstream with no authority', { upstreams: { a: { authorities: [] } } }, ["upstreams['a'].authorities"]],
  ])('%s', (_, config, options) => expect(faultsOf(config)).toEqual(options))

  test.each([
    '',
    '*',
    '*.',
    'a b',
    'a.example/',
    'a.example?',
    'user@a.example',
    'http://a.example',
    'a.example:99999',
    'a.example:',
    '::1',
    '*.a.example:80',
    'a.*.example',
  ])('%j is no authority', (name) => expect(faultsOf({ upstreams: { [name]: {} } })).toEqual([`upstreams['${name}']`]))

  test.each([
    'a.example',
    'A.Example',
    'a.example:80',
    '*.a.example',
    'localhost',
    'localhost:1',
    '127.0.0.1:1',
    '[::1]',
    '[::1]:1',
    'bücher.example',
    'under_score.example',
  ])('%j is one', (name) => expect(faultsOf({ upstreams: { [name]: {} } })).toEqual([]))

  test('a name with authorities may be any', () =>
    expect(faultsOf({ upstreams: { 'the API / v2': { authorities: ['a.example'] } } })).toEqual([]))

  test('the global fetch is not paced already either', () => {
    const before = globalThis.fetch
    try {
      globalThis.fetch = createHeadgate({ fetch: before }).fetch as typeof fetch
      expect(faultsOf({})).toEqual(['fetch'])
      expect(faultsOf({ fetch: before })).toEqual([])
    } finally {
      globalThis.fetch = before
    }
  })
})

describe('an authority that two upstreams claim', () => {
  const naming = (first: string, second: string, value: string) => ({
    option: `upstreams['${second}']`,
    value,
    expected: `an authority that upstreams['${first}'] does not claim too`,
  })
  const faults = (upstreams: Record<string, UpstreamConfig>) => {
    const error = catchError(() => parseConfig({ upstreams }))
    return isConfigError(error) ? error.faults : []
  }

  test.each<[string, string]>([
    ['a.example', 'a.example'],
    ['a.example', 'A.Example'],
    ['a.example:80', 'A.example:080'],
    ['*.a.example', '*.A.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['[::1]:80', '[0:0::1]:80'],
  ])('%s and %s: one fault names both', (one, other) =>
    expect(faults({ first: { authorities: [one] }, second: { authorities: [other] } })).toEqual([
      naming('first', 'second', other),
    ]),
  )

  test('each one but the first is a fault, beside whatever else is wrong', () =>
    expect(
      faults({ 'a.example': {}, b: { authorities: ['x/y', 'a.example'] }, 'A.example': { concurrency: 0 } }),
    ).toEqual([
      expect.objectContaining({ option: "upstreams['A.example'].concurrency" }),
      expect.objectContaining({ option: "upstreams['b']", value: 'x/y' }),
      naming('a.example', 'b', 'a.example'),
      naming('a.example', 'A.example', 'A.example'),
    ]))

  test.each<[string, Record<string, UpstreamConfig>]>([
    ['one port and any', { 'a.example': {}, 'a.example:443': {} }],
    ['two ports', { 'a.example:80': {}, 'a.example:443': {} }],
    ['one host and all below it', { 'a.example': {}, '*.a.example': {}, '*.b.a.example': {} }],
    ['twice in one upstream', { a: { authorities: ['a.example', 'A.example'] } }],
    ['a name that its own authorities do not list', { 'a.example': { authorities: ['b.example'] }, 'A.example': {} }],
  ])('%s is none', (_, upstreams) => expect(faults(upstreams)).toEqual([]))
})

describe('limits that depend on the partition', () => {
  test('are checked when the gate is made: the call gets the ConfigError', async () => {
    const limits = (partition: string) => [{ limit: partition === 'bad' ? NaN : 1, windowMs: 1_000 }]
    const headgate = createHeadgate({ fetch: async () => new Response(), default: { limits } })
    const call = headgate.fetch('https://api.example/', { headgate: { partition: 'bad' } })
    await expect(call).rejects.toMatchObject({ code: 'HEADGATE_CONFIG', faults: [{ option: 'limits[0].limit' }] })
    expect((await headgate.fetch('https://api.example/', { headgate: { partition: 'good' } })).status).toBe(200)
  })
})

function catchError(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
