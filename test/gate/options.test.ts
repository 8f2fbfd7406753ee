import { describe, expect, test } from 'vitest'
import { ConfigError, Gate, GATE_DEFAULTS, type GateOptions, isConfigError } from '../../src/gate/index.ts'
import { resolveGateOptions } from '../../src/gate/options.ts'
import { VirtualClock } from '../../src/testing/index.ts'

const clock = new VirtualClock()
const dayMs = 86_400_000
const limit = { limit: 1, windowMs: 1_000 }

/** What is wrong with options, as [option, value]. */
function faultsOf(options: unknown): [string, unknown][] {
  try {
    new Gate(options as GateOptions)
    return []
  } catch (error) {
    if (!isConfigError(error)) throw error
    return (error as ConfigError).faults.map(({ option, value }) => [option, value])
  }
}

test('one error names every fault, each with its option, what it should be and what it is', () => {
  const options = {
    clock,
    limits: [limit, { limit: -5, windowMs: NaN }],
    concurrency: 0,
    transitMS: 5,
    pace: 'slow',
    cooldown: { baseMs: '1' },
  }
  expect(faultsOf(options).toSorted(([a], [b]) => a.localeCompare(b))).toEqual([
    ['concurrency', 0],
    ['cooldown.baseMs', '1'],
    ['limits[1].limit', -5],
    ['limits[1].windowMs', NaN],
    ['pace', 'slow'],
    ['transitMS', 5],
  ])
  expect(() => new Gate(options as unknown as GateOptions)).toThrow(
    /concurrency: expected a whole number from 1 to 9007199254740991, got 0/,
  )
  expect(() => new Gate(options as unknown as GateOptions)).toThrow(/pace: expected 'burst' or 'even', got "slow"/)
  expect(() => new Gate(options as unknown as GateOptions)).toThrow(/cooldown\.baseMs: expected .*, got "1"/)
})

describe('refused', () => {
  const inLimit = { option: 'limits.limit', path: (value: unknown) => ({ limits: { ...limit, limit: value } }) }
  const inWindow = { option: 'limits.windowMs', path: (value: unknown) => ({ limits: { ...limit, windowMs: value } }) }
  const own = (option: string) => ({ option, path: (value: unknown) => ({ [option]: value }) })
  const cooldown = (option: string) => ({
    option: `cooldown.${option}`,
    path: (value: unknown) => ({ cooldown: { [option]: value } }),
  })
  const every = [NaN, -1, '5', null]
  const rows = [
    { ...inLimit, values: [...every, 0, Infinity, 2 ** 53] },
    { ...inWindow, values: [...every, 0, 0.5, Infinity, 366 * dayMs + 1] },
    { ...own('concurrency'), values: [...every, 0, 1.5, Infinity] },
    { ...own('transitMs'), values: every },
    { ...own('coldStartMs'), values: [...every, Infinity, dayMs + 1] },
    { ...own('maxHoldMs'), values: [...every, 0, Infinity, 366 * dayMs + 1] },
    { ...own('maxQueueSize'), values: [...every, 1.5, Infinity] },
    { ...cooldown('baseMs'), values: [...every, 0, dayMs + 1, Infinity] },
    { ...cooldown('maxMs'), values: [...every, 0, 366 * dayMs + 1, Infinity] },
    { ...cooldown('parkMs'), values: [...every, 0, dayMs + 1, Infinity] },
    { ...own('pace'), values: ['fast', 1, null] },
    { ...own('fairShare'), values: ['yes', 1, null] },
    { ...own('limits'), values: ['1', 5, null] },
    { ...own('cooldown'), values: ['1', 5, null] },
  ]
  test.each(rows)('$option: $values', ({ option, path, values }) => {
    for (const value of values) {
      const faults = faultsOf({ clock, ...path(value) })
      expect(faults).toEqual([[option, value]])
    }
  })

  test.each([
    { name: 'at the top', options: { clock, limit: 5 }, option: 'limit' },
    { name: 'in a limit', options: { clock, limits: [{ ...limit, window: 5 }] }, option: 'limits[0].window' },
    { name: 'in cooldown', options: { clock, cooldown: { base: 5 } }, option: 'cooldown.base' },
  ])('misspelt $name', ({ options, option }) => expect(faultsOf(options)).toEqual([[option, 5]]))

  test.each([
    { option: 'kind', value: 'sliding' },
    { option: 'name', value: 5 },
    { option: 'unit', value: 5 },
  ])('$option of a limit: $value', ({ option, value }) => {
    expect(faultsOf({ clock, limits: [{ ...limit, [option]: value }] })).toEqual([[`limits[0].${option}`, value]])
  })

  test('no clock, and what is no clock', () => {
    expect(faultsOf({})).toEqual([['clock', undefined]])
    expect(faultsOf({ clock: 5 })).toEqual([['clock', 5]])
    const partly = { now: () => 0, wallNow: () => 0, setTimer: () => {} }
    expect(faultsOf({ clock: partly })).toEqual([['clock', partly]])
  })

  test('no options at all', () => expect(faultsOf(undefined)).toHaveLength(1))

  test.each([
    { cooldown: { baseMs: 10, maxMs: 9 }, value: 9 },
    { cooldown: { maxMs: 59_999 }, value: 59_999 },
  ])('a longest park below the shortest: $cooldown', ({ cooldown: given, value }) => {
    expect(faultsOf({ clock, cooldown: given })).toEqual([['cooldown.maxMs', value]])
  })
})

describe('what an option should have been', () => {
  const limits = '{ limit, windowMs }, or an array of them'
  test.each<{ options: Record<string, unknown>; told: string }>([
    { options: { limits: '1' }, told: `limits: expected ${limits}, got "1"` },
    { options: { limits: null }, told: `limits: expected ${limits}, got null` },
    {
      options: { limits: { windowMs: 1 } },
      told: 'limits.limit: expected a number above 0, at most 9007199254740991, got undefined',
    },
    {
      options: { limits: { limit: 1 } },
      told: 'limits.windowMs: expected a number from 1 to 31622400000, got undefined',
    },
    { options: { limits: { ...limit, kind: 'slow' } }, told: `limits.kind: expected 'rolling' or 'fixed', got "slow"` },
    { options: { cooldown: { maxMs: 9 } }, told: 'cooldown.maxMs: expected at least cooldown.baseMs, 60000, got 9' },
    { options: { mode: 'log' }, told: `mode: expected 'enforce' or 'observe', got "log"` },
    { options: { clock: {} }, told: 'clock: expected a clock, such as systemClock, got an object' },
  ])('$told', ({ options, told }) => {
    expect(() => new Gate({ clock, ...options })).toThrow(expect.objectContaining({ message: told }))
  })
})

describe('taken', () => {
  test.each([
    { limits: { limit: 0.5, windowMs: 1 } },
    { limits: [] },
    { limits: { limit: Number.MAX_SAFE_INTEGER, windowMs: 366 * dayMs, name: 'a', unit: 'tokens', kind: 'fixed' } },
    { concurrency: 1, transitMs: 0, coldStartMs: 0, maxHoldMs: 1, maxQueueSize: 0 },
    { transitMs: Infinity, coldStartMs: dayMs, maxHoldMs: 366 * dayMs },
    { mode: 'enforce' },
    { mode: 'observe' },
    { cooldown: { baseMs: 1, maxMs: 1, parkMs: 1 } },
  ])('the ends of every range: $0', (options) => expect(faultsOf({ clock, ...options })).toEqual([]))

  test('defaults are filled in', () => {
    expect(resolveGateOptions({ clock })).toEqual({
      limits: [],
      concurrency: Infinity,
      maxQueueSize: Infinity,
      pace: 'burst',
      fairShare: false,
      mode: 'enforce',
      ...GATE_DEFAULTS,
    })
  })

  test('a shortest park above the default longest one raises it', () => {
    expect(resolveGateOptions({ clock, cooldown: { baseMs: 700_000 } }).cooldown.maxMs).toBe(700_000)
  })
})

describe('of acquire', () => {
  test.each([
    { option: 'priority', value: NaN },
    { option: 'priority', value: Infinity },
    { option: 'maxWaitMs', value: NaN },
    { option: 'maxWaitMs', value: -1 },
    { option: 'whenParked', value: 'refused' },
  ])('$option: $value is refused', async ({ option, value }) => {
    const gate = new Gate({ clock })
    const error = await gate.acquire({ [option]: value }).catch((reason: unknown) => reason)
    expect((error as ConfigError).faults).toMatchObject([{ option, value }])
    expect(gate.snapshot().held).toBe(0)
  })
})

describe('of other verbs', () => {
  test.each([NaN, -1])('park(%d) and close({ drainMs: %d }) are refused and change nothing', async (value) => {
    const gate = new Gate({ clock })
    expect(() => gate.park(value)).toThrow(ConfigError)
    await expect(gate.close({ drainMs: value })).rejects.toThrow(ConfigError)
    expect([gate.snapshot().state, gate.tryAcquire() !== undefined]).toEqual(['open', true])
  })

  test('park(0) parks nothing', () => {
    const gate = new Gate({ clock })
    gate.park(0)
    expect(gate.snapshot().state).toBe('open')
  })
})
