import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { createMeter, type MeterOptions } from '../../src/testing/index.ts'

const [t0, t1, t2, t3, t59, t60, t61, t90, t120] = [0, 1, 2, 3, 59, 60, 61, 90, 120].map((s) => s * 1000)
const windowMs = 60_000

interface Row {
  t: number | undefined
  weight?: number
  allowed: boolean
  remaining: number
  resetInMs?: number
}

function run(options: MeterOptions, rows: Row[]): void {
  const meter = createMeter(options)
  for (const { t = NaN, weight = 1, ...expected } of rows)
    expect(meter.take(t, weight), `at ${t}`).toMatchObject(expected)
}

describe('rolling', () => {
  test('a unit leaves exactly windowMs after it was counted', () => {
    run({ limit: 2, windowMs }, [
      { t: t0, allowed: true, remaining: 1, resetInMs: 60_000 },
      { t: t1, allowed: true, remaining: 0, resetInMs: 59_000 },
      { t: t2, allowed: false, remaining: 0, resetInMs: 58_000 },
      { t: 59_999, allowed: false, remaining: 0, resetInMs: 1 },
      { t: t60, allowed: true, remaining: 0, resetInMs: 1_000 },
      { t: t60, allowed: false, remaining: 0 },
      { t: t61, allowed: true, remaining: 0 },
    ])
  })

  test('weights', () => {
    run({ limit: 10, windowMs }, [
      { t: t0, weight: 4, allowed: true, remaining: 6 },
      { t: t1, weight: 7, allowed: false, remaining: 6 },
      { t: t1, weight: 6, allowed: true, remaining: 0 },
      { t: t60, weight: 5, allowed: false, remaining: 4 },
      { t: t61, weight: 11, allowed: false, remaining: 10, resetInMs: 0 },
      { t: t61, weight: 0, allowed: true, remaining: 10 },
    ])
  })

  test('refused requests counted: they push remaining below 0 and have to age out', () => {
    run({ limit: 2, windowMs, countRefused: true }, [
      { t: t0, allowed: true, remaining: 1 },
      { t: t1, allowed: true, remaining: 0 },
      { t: t2, allowed: false, remaining: -1 },
      { t: t3, allowed: false, remaining: -2 },
      { t: t60, allowed: false, remaining: -2 },
      { t: t61, allowed: false, remaining: -2 },
      { t: 122_000, allowed: true, remaining: 1 },
    ])
  })

  test('1 134 requests against 600 leave -534', () => {
    const meter = createMeter({ limit: 600, windowMs, countRefused: true })
    const readings = Array.from({ length: 1_134 }, (_, index) => meter.take(index, 1))
    expect(readings.filter(({ allowed }) => allowed)).toHaveLength(600)
    expect(readings.at(-1)).toMatchObject({ allowed: false, remaining: -534, used: 1_134, limit: 600 })
  })

  property.prop([
    fc.array(fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 4 })), { minLength: 1, maxLength: 300 }),
    fc.integer({ min: 1, max: 20 }),
    fc.integer({ min: 1, max: 100 }),
    fc.boolean(),
  ])(
    'agrees with a list of all it counted, and no trailing window holds more than the limit',
    (steps, limit, windowMs, countRefused) => {
      const meter = createMeter({ limit, windowMs, countRefused })
      const counted: { t: number; weight: number }[] = []
      const accepted: { t: number; weight: number }[] = []
      const within = (list: typeof counted, t: number) =>
        list.filter((entry) => entry.t > t - windowMs && entry.t <= t).reduce((sum, { weight }) => sum + weight, 0)
      let t = 0
      for (const [gap, weight] of steps) {
        t += gap
        const allowed = within(counted, t) + weight <= limit
        if (allowed) accepted.push({ t, weight })
        if (allowed || countRefused) counted.push({ t, weight })
        const used = within(counted, t)
        expect(meter.take(t, weight)).toMatchObject({ allowed, used, remaining: limit - used })
      }
      for (const { t } of accepted) expect(within(accepted, t)).toBeLessThanOrEqual(limit)
    },
  )

  test('a long run is cut as it goes: every unit is still counted once', () => {
    const meter = createMeter({ limit: Number.MAX_SAFE_INTEGER, windowMs: 100 })
    const weightAt = (t: number) => (t * 7_919) % 13
    let used = 0
    for (let t = 0; t < 20_000; t++) {
      used += weightAt(t) - (t < 100 ? 0 : weightAt(t - 100))
      expect(meter.take(t, weightAt(t)).used).toBe(used)
    }
  })
})

describe('fixed', () => {
  test('a window begins at each multiple of windowMs', () => {
    run({ kind: 'fixed', limit: 2, windowMs }, [
      { t: t59, allowed: true, remaining: 1, resetInMs: 1_000 },
      { t: t59, allowed: true, remaining: 0, resetInMs: 1_000 },
      { t: 59_999, allowed: false, remaining: 0, resetInMs: 1 },
      { t: t60, allowed: true, remaining: 1, resetInMs: 60_000 },
      { t: t90, allowed: true, remaining: 0, resetInMs: 30_000 },
      { t: t90, allowed: false, remaining: 0, resetInMs: 30_000 },
      { t: t120, allowed: true, remaining: 1, resetInMs: 60_000 },
    ])
  })

  test('anchored elsewhere', () => {
    run({ kind: 'fixed', limit: 1, windowMs, anchorMs: 90_000 }, [
      { t: t0, allowed: true, remaining: 0, resetInMs: 30_000 },
      { t: 29_999, allowed: false, remaining: 0, resetInMs: 1 },
      { t: 30_000, allowed: true, remaining: 0, resetInMs: 60_000 },
      { t: t90, allowed: true, remaining: 0, resetInMs: 60_000 },
    ])
  })

  test('refused requests counted: below 0, forgotten at the reset', () => {
    run({ kind: 'fixed', limit: 1, windowMs, countRefused: true }, [
      { t: t0, allowed: true, remaining: 0 },
      { t: t1, allowed: false, remaining: -1 },
      { t: t2, allowed: false, remaining: -2 },
      { t: t60, allowed: true, remaining: 0 },
    ])
  })
})

describe('token-bucket', () => {
  test('is full at first and refills evenly', () => {
    run({ kind: 'token-bucket', limit: 2, windowMs }, [
      { t: t0, allowed: true, remaining: 1, resetInMs: 30_000 },
      { t: t0, allowed: true, remaining: 0, resetInMs: 60_000 },
      { t: 29_999, allowed: false, remaining: 0, resetInMs: 30_001 },
      { t: 30_000, allowed: true, remaining: 0, resetInMs: 60_000 },
      { t: 300_000, allowed: true, remaining: 1 },
      { t: 300_000, allowed: true, remaining: 0 },
      { t: 300_000, allowed: false, remaining: 0 },
    ])
  })

  test('a refill that does not divide evenly comes due on time', () => {
    const meter = createMeter({ kind: 'token-bucket', limit: 3, windowMs: 1_000 })
    for (let n = 0; n < 3; n++) expect(meter.take(0, 1).allowed).toBe(true)
    for (let n = 1; n <= 300; n++) {
      expect(meter.take((n * 1_000) / 3 - 0.01, 1).allowed).toBe(false)
      expect(meter.take((n * 1_000) / 3, 1).allowed).toBe(true)
    }
  })

  test('refused requests counted: a debt', () => {
    run({ kind: 'token-bucket', limit: 2, windowMs, countRefused: true }, [
      { t: t0, weight: 2, allowed: true, remaining: 0 },
      { t: t0, weight: 2, allowed: false, remaining: -2, resetInMs: 120_000 },
      { t: t60, weight: 1, allowed: false, remaining: -1, resetInMs: 90_000 },
      { t: 150_000, weight: 2, allowed: true, remaining: 0 },
    ])
  })

  test('takes more than a rolling limit does, never more than twice', () => {
    const meter = createMeter({ kind: 'token-bucket', limit: 10, windowMs: 1_000 })
    let allowed = 0
    for (let t = 0; t < 1_000; t++) if (meter.take(t, 1).allowed) allowed++
    expect(allowed).toBe(19)
  })
})

describe.each(['rolling', 'fixed', 'token-bucket'] as const)('%s', (kind) => {
  test('a limit of 0 refuses all', () => {
    run({ kind, limit: 0, windowMs }, [
      { t: t0, allowed: false, remaining: 0 },
      { t: t60, allowed: false, remaining: 0 },
    ])
  })

  test('allows and read count nothing', () => {
    const meter = createMeter({ kind, limit: 1, windowMs, name: 'core' })
    expect([meter.allows(0, 1), meter.allows(0, 1), meter.allows(0, 2)]).toEqual([true, true, false])
    expect(meter.read(0)).toMatchObject({ limit: 1, remaining: 1, used: 0, windowMs, name: 'core' })
  })

  test.each([
    { limit: -1, windowMs },
    { limit: NaN, windowMs },
    { limit: Infinity, windowMs },
    { limit: 1, windowMs: 0 },
    { limit: 1, windowMs: NaN },
    { limit: 1, windowMs: Infinity },
  ])('%o is refused', (options) => {
    expect(() => createMeter({ kind, ...options })).toThrow(RangeError)
  })
})
