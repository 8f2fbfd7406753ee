import { describe, expect, test } from 'vitest'
import { ConfigError, Gate, type GateOptions, type SavedGate } from '../../src/gate/index.ts'
import { otherProcess, stored } from '../support/other-process.ts'
import {
  answer,
  exchange,
  follow,
  limitOf,
  settled,
  setUpGate,
  takeAll,
  throttle,
  windowMs,
} from '../support/set-up-gate.ts'

type Options = Omit<GateOptions, 'clock'>

/** A gate, and what goes on from it elsewhere `gapMs` after it was saved. */
function setUp(options: Options) {
  const { clock, gate } = setUpGate(options)
  const successor = async (gapMs = 0, changed: Options = options): Promise<Gate> => {
    const saved = stored(gate.save())
    await clock.advance(gapMs)
    const next = new Gate({ clock: otherProcess(clock), ...changed })
    next.restore(saved, gapMs)
    return next
  }
  return { clock, gate, successor }
}

describe('what was spent', () => {
  test('is not sent again, and comes back when it would have', async () => {
    const { clock, gate, successor } = setUp(limitOf(3))
    exchange(gate)
    await clock.advance(1_000)
    exchange(gate)
    const next = await successor(10_000)
    expect(takeAll(next)).toHaveLength(1)
    await clock.advance(48_999)
    expect(takeAll(next)).toHaveLength(0)
    await clock.advance(1)
    expect(takeAll(next)).toHaveLength(1)
  })

  test('and not counted yet is held from when it is counted at the latest', async () => {
    const { clock, gate, successor } = setUp({ ...limitOf(1), transitMs: 1_000 })
    takeAll(gate)
    const next = await successor(500)
    await clock.advance(windowMs + 499)
    expect(takeAll(next)).toHaveLength(0)
    await clock.advance(1)
    expect(takeAll(next)).toHaveLength(1)
  })

  test('and may be counted at any time is held from when its permit would have been taken back', async () => {
    const { clock, gate, successor } = setUp({ ...limitOf(1), transitMs: Infinity, maxHoldMs: 30_000 })
    takeAll(gate)
    await clock.advance(5_000)
    const next = await successor()
    await clock.advance(30_000 + windowMs - 1)
    expect(takeAll(next)).toHaveLength(0)
    await clock.advance(1)
    expect(takeAll(next)).toHaveLength(1)
  })

  test('is saved without what is not known', () => {
    const { gate } = setUp(limitOf(3))
    exchange(gate)
    const limit = { unit: 'requests', source: 'configured', windowMs, counted: [[0, 1]] }
    expect(gate.save()).toStrictEqual({ limits: [limit] })
  })

  test('is kept by unit and by limit', async () => {
    const limits = [
      { limit: 4, windowMs: 1_000 },
      { limit: 6, windowMs },
      { limit: 100, windowMs, unit: 'tokens' },
    ]
    const { gate, successor } = setUp({ limits, transitMs: 0 })
    gate.tryAcquire({ weight: { requests: 3, tokens: 70 } })
    const next = await successor(2_000)
    expect(next.snapshot().limits.map(({ held }) => held)).toEqual([0, 3, 70])
  })

  test('counts against a limit whose window is another one now', async () => {
    const { gate, successor } = setUp(limitOf(3))
    exchange(gate, answer({ limit: 3, remaining: 0 }))
    const next = await successor(0, { limits: { limit: 9, windowMs: 30_000 } })
    expect(next.snapshot().limits).toMatchObject([{ limit: 9, held: 1, foreignUse: 0 }])
  })

  test('is surely in a reading only while it surely is in the window', async () => {
    const { clock, gate, successor } = setUp({ ...limitOf(10), transitMs: 1_000 })
    takeAll(gate, 1)
    const next = await successor(60_500)
    exchange(next, answer({ limit: 10, remaining: 6 }))
    expect(next.snapshot().limits).toMatchObject([{ held: 2, foreignUse: 4 }])
    await clock.advance(0)
  })

  test('is surely in no reading of a gate that was used before', async () => {
    const { clock, gate } = setUp(limitOf(10))
    const other = new Gate({ clock: otherProcess(clock), ...limitOf(10) })
    exchange(gate)
    await clock.advance(59_000)
    exchange(other)
    other.restore(stored(gate.save()))
    await clock.advance(11_000)
    exchange(other, answer({ limit: 10, remaining: 5 }))
    expect(other.snapshot().limits).toMatchObject([{ held: 3, foreignUse: 4 }])
  })

  test('and may be of a fixed window or of the one before is surely in none', async () => {
    const { clock, gate, successor } = setUp({ limits: { limit: 10, windowMs, kind: 'fixed' }, transitMs: 0 })
    await clock.advance(59_000)
    exchange(gate, answer({ limit: 10, remaining: 9, resetInMs: 1_000, resetStepMs: 1_000 }))
    await clock.advance(3_000)
    const next = await successor()
    exchange(next, answer({ limit: 10, remaining: 5, resetInMs: 58_000 }))
    expect(next.snapshot().limits).toMatchObject([{ held: 2, foreignUse: 4 }])
  })

  test('is nothing where a gate had no limit of that unit', () => {
    const { gate } = setUp(limitOf(3))
    exchange(gate)
    gate.restore({ limits: [] })
    expect(takeAll(gate)).toHaveLength(2)
  })

  test('is added to what a gate has sent itself', async () => {
    const { clock, gate } = setUp(limitOf(3))
    const other = new Gate({ clock: otherProcess(clock), ...limitOf(3) })
    exchange(gate)
    exchange(other)
    other.restore(stored(gate.save()))
    expect(takeAll(other)).toHaveLength(1)
  })
})

describe('readings', () => {
  test('of others hold as they did, until they would have been dropped', async () => {
    const { clock, gate, successor } = setUp(limitOf(10))
    exchange(gate, answer({ limit: 10, remaining: 2 }))
    const next = await successor(1_000)
    expect(next.snapshot().limits).toMatchObject([{ held: 1, foreignUse: 8, readingAgeMs: 1_000 }])
    await clock.advance(windowMs - 1_000)
    expect(next.snapshot().limits).toMatchObject([{ held: 0, foreignUse: 0 }])
  })

  test('of this process are not replaced', async () => {
    const { clock, gate } = setUp(limitOf(10))
    const other = new Gate({ clock: otherProcess(clock), ...limitOf(10) })
    exchange(other, answer({ limit: 10, remaining: 9 }))
    exchange(gate, answer({ limit: 10, remaining: 2 }))
    other.restore(stored(gate.save()))
    expect(other.snapshot().limits).toMatchObject([{ held: 2, foreignUse: 0 }])
  })

  test('are acted on as cautiously as before', async () => {
    const { gate, successor } = setUp(limitOf(10))
    exchange(gate, answer({ limit: 10, remaining: 2 }))
    exchange(gate, answer({ limit: 10, remaining: 8 }))
    expect(gate.snapshot().limits).toMatchObject([{ foreignUse: 1 }])
    expect((await successor()).snapshot().limits).toMatchObject([{ foreignUse: 1 }])
  })

  test('that show others go stale as before', async () => {
    const { clock, gate, successor } = setUp({ ...limitOf(100), coldStartMs: 1_000 })
    exchange(gate, answer({ limit: 100, remaining: 90 }))
    const next = await successor()
    exchange(next)
    expect(takeAll(next, 2)).toHaveLength(2)
    await clock.advance(6_000)
    expect(takeAll(next)).toHaveLength(1)
  })

  test('judge what was restored as own weight', async () => {
    const { gate, successor } = setUp(limitOf(10))
    for (let sent = 0; sent < 4; sent++) exchange(gate)
    const next = await successor(1_000)
    exchange(next, answer({ limit: 10, remaining: 5 }))
    expect(next.snapshot().limits).toMatchObject([{ held: 5, foreignUse: 0 }])
    exchange(next, answer({ limit: 10, remaining: 3 }))
    expect(next.snapshot().limits).toMatchObject([{ held: 6, foreignUse: 2 }])
  })

  test('of a limit that nobody configured are known again', async () => {
    const { gate, successor } = setUp({})
    exchange(gate, answer({ limit: 10, remaining: 3, resetInMs: 58_000 }))
    const next = await successor(1_000)
    expect(next.snapshot().limits).toMatchObject([{ source: 'learned', limit: 10, windowMs: 60_000, held: 1 }])
    expect(takeAll(next)).toHaveLength(3)
  })

  test('leave what they left', async () => {
    const { clock, gate, successor } = setUp({})
    exchange(gate, answer({ remaining: 9 }))
    await clock.advance(1_000)
    exchange(gate, answer({ remaining: 3 }))
    expect(takeAll(await successor())).toHaveLength(3)
  })

  test('of a limit that a gate has learned itself are no limit of their own', () => {
    const { clock, gate } = setUp({})
    const other = new Gate({ clock: otherProcess(clock) })
    for (const each of [gate, other]) exchange(each, answer({ limit: 10, remaining: 3, resetInMs: 58_000 }))
    other.restore(stored(gate.save()))
    expect(other.snapshot().limits).toHaveLength(1)
  })

  test('of this process stay when those of another come, whatever windows were guessed', async () => {
    const { clock, gate } = setUp({})
    const other = new Gate({ clock: otherProcess(clock) })
    exchange(gate, answer({ limit: 100, remaining: 50, resetInMs: 58_000 }))
    const saved = stored(gate.save())
    await clock.advance(40_000)
    exchange(other, answer({ limit: 100, remaining: 0, resetInMs: 18_000 }))
    expect(other.explain()).toMatchObject({ wouldWaitMs: 19_000, boundBy: 'reading' })
    other.restore(saved, 40_000)
    expect(other.explain()).toMatchObject({ wouldWaitMs: 19_000, boundBy: 'reading' })
    expect(other.snapshot().limits).toHaveLength(1)
  })

  test('of a stated window without a number are of the same limit', async () => {
    const { gate, successor } = setUp({})
    exchange(gate, answer({ remaining: 5, windowMs: 10_000 }))
    const next = await successor()
    exchange(next, answer({ remaining: 3, windowMs: 10_000 }))
    expect(next.snapshot().limits).toMatchObject([{ windowMs: 10_000, held: 2 }])
  })

  test('that named no reset of a fixed window leave it rolling', async () => {
    const { gate, successor } = setUp({ limits: { limit: 1, windowMs, kind: 'fixed' }, transitMs: 0 })
    exchange(gate, answer({ limit: 1, remaining: 0 }))
    const next = await successor(1_000)
    expect(next.explain()).toMatchObject({ wouldWaitMs: windowMs - 1_000, boundBy: 'limit' })
  })

  test('of a fixed window that a dialect told open it all the same', async () => {
    const { clock, gate, successor } = setUp({ limits: { limit: 2, windowMs }, transitMs: 0 })
    exchange(gate, answer({ limit: 2, remaining: 0, resetInMs: 10_000, kind: 'fixed' }))
    const next = await successor(5_000)
    await clock.advance(4_999)
    expect(takeAll(next)).toHaveLength(0)
    await clock.advance(1)
    expect(takeAll(next).length).toBeGreaterThan(0)
  })

  test('of a learned fixed window, too', async () => {
    const { clock, gate, successor } = setUp({ transitMs: 0 })
    exchange(gate, answer({ limit: 2, remaining: 0, resetInMs: 10_000, windowMs: 600_000, kind: 'fixed' }))
    const next = await successor(5_000)
    await clock.advance(5_000)
    expect(takeAll(next).length).toBeGreaterThan(0)
  })

  test('let one attempt go alone after a reset that passed meanwhile', async () => {
    const { clock, gate, successor } = setUp({})
    exchange(gate, answer({ remaining: 0, resetInMs: 10_000 }))
    const next = await successor(5_000)
    await clock.advance(5_999)
    expect(takeAll(next)).toHaveLength(0)
    await clock.advance(1)
    expect(takeAll(next)).toHaveLength(1)
  })

  test('of a stated window come back with it', async () => {
    const { clock, gate, successor } = setUp({})
    exchange(gate, answer({ limit: 4, remaining: 2, windowMs: 10_000 }))
    const next = await successor(1_000)
    expect(takeAll(next)).toHaveLength(1)
    await clock.advance(9_000)
    expect(next.snapshot().limits).toMatchObject([{ source: 'learned', windowMs: 10_000, foreignUse: 0 }])
  })

  test('of a limit with a name or a unit of the upstream’s are not saved', () => {
    const { gate } = setUp({})
    exchange(gate, answer({ name: 'secret', limit: 4, remaining: 2 }, { unit: 'secret', limit: 4, remaining: 2 }))
    expect(gate.save()).toEqual({ limits: [] })
  })

  test('open a fixed window at its reset, whichever process sees it', async () => {
    const { clock, gate, successor } = setUp({ limits: { limit: 2, windowMs, kind: 'fixed' }, transitMs: 0 })
    await clock.advance(50_000)
    exchange(gate)
    exchange(gate, answer({ limit: 2, remaining: 0, resetInMs: 10_000 }))
    const next = await successor(5_000)
    await clock.advance(4_999)
    expect(takeAll(next)).toHaveLength(0)
    await clock.advance(1)
    expect(takeAll(next)).toHaveLength(2)
  })
})

describe('a park', () => {
  test('goes on, and is probed when it would have been', async () => {
    const { clock, gate, successor } = setUp({})
    exchange(gate, throttle(30_000))
    const next = await successor(10_000)
    await clock.advance(19_999)
    expect([next.snapshot().state, takeAll(next)]).toEqual(['parked', []])
    await clock.advance(1)
    expect(takeAll(next)).toHaveLength(1)
    expect(next.snapshot().state).toBe('probing')
  })

  test('that was being probed is probed again', async () => {
    const { clock, gate, successor } = setUp({})
    exchange(gate, throttle(1_000))
    await clock.advance(1_000)
    expect(takeAll(gate)).toHaveLength(1)
    const next = await successor()
    expect(takeAll(next)).toHaveLength(1)
  })

  test('keeps its ceiling', async () => {
    const { clock, gate, successor } = setUp({})
    exchange(gate, throttle())
    await clock.advance(60_000)
    exchange(gate, throttle())
    expect(gate.save().park).toMatchObject({ ceilingMs: 120_000 })
    const next = await successor(120_000)
    exchange(next, throttle())
    expect(next.save().park).toMatchObject({ ceilingMs: 240_000 })
  })

  test('is broken by an early probe once, whichever process sends it', async () => {
    const { gate } = setUp({})
    for (const broken of [false, true]) {
      const { clock, gate: next } = setUpGate()
      next.restore({ limits: [], park: { forMs: 60_000, ceilingMs: 60_000, broken } })
      const caller = follow(next.acquire({ allowance: { maxDurationMs: 1_000 } }))
      await clock.advance(1_000)
      expect(caller.state).toBe(broken ? 'refused' : 'granted')
    }
    exchange(gate, throttle(60_000))
    const caller = follow(gate.acquire({ allowance: { maxDurationMs: 0 } }))
    await settled()
    caller.permit?.release()
    expect([caller.state, gate.save().park]).toMatchObject(['granted', { broken: true }])
  })

  test('is no longer than this gate’s longest', async () => {
    const { clock, gate } = setUp({})
    exchange(gate, throttle(500_000))
    const next = new Gate({ clock: otherProcess(clock), cooldown: { baseMs: 1_000, maxMs: 2_000 } })
    next.restore(stored(gate.save()))
    expect(next.snapshot().parkedForMs).toBe(2_000)
  })

  test('has those leave who do not wait behind one', async () => {
    const { gate } = setUp(limitOf(1))
    exchange(gate)
    const caller = follow(gate.acquire({ whenParked: 'refuse' }))
    gate.restore({ limits: [], park: { forMs: 5_000, ceilingMs: 60_000 } })
    await settled()
    expect(caller.state).toBe('refused')
  })

  test('does not end a probe that is out', async () => {
    const { clock, gate } = setUp({})
    const other = new Gate({ clock: otherProcess(clock) })
    exchange(other, throttle(1_000))
    await clock.advance(1_000)
    takeAll(other)
    exchange(gate, throttle(30_000))
    other.restore(stored(gate.save()))
    expect(other.snapshot().state).toBe('probing')
  })

  test('is told of as one that begins here', async () => {
    const { clock, gate } = setUp({})
    const parked: [number, boolean][] = []
    const other = new Gate(
      { clock: otherProcess(clock) },
      { observer: { parked: (forMs, hinted) => parked.push([forMs, hinted]) } },
    )
    exchange(gate, throttle(30_000))
    other.restore(stored(gate.save()), 10_000)
    expect(parked).toEqual([[20_000, true]])
  })

  test('that left nothing known is followed by a ramp', async () => {
    const { clock, gate, successor } = setUp({})
    exchange(gate, throttle())
    const next = await successor()
    await clock.advance(60_000)
    exchange(next, answer())
    expect(takeAll(next)).toHaveLength(1)
  })
})

test('of more learned limits than are followed the first are', () => {
  const { gate } = setUpGate()
  const limits = Array.from({ length: 17 }, (_, index) => ({
    unit: 'requests',
    source: 'learned' as const,
    windowMs: 1_000 + index,
    stated: 10,
    counted: [],
  }))
  gate.restore({ limits })
  expect(gate.snapshot().limits.map(({ windowMs: length }) => length)).toEqual(
    limits.slice(0, 16).map(({ windowMs: length }) => length),
  )
})

describe('what was not saved by a gate', () => {
  const { gate } = setUpGate(limitOf(3))
  const limit = { unit: 'requests', source: 'learned', counted: [] }
  const foreignUse = { lower: 0, upper: 0, sentAgoMs: 0, takenAgoMs: 0 }
  const without = (whole: object, part: string) => ({ ...whole, [part]: undefined })
  const refused: [string, unknown][] = [
    ['saved.limits', {}],
    ...Object.keys(limit).map((part): [string, unknown] => [
      `saved.limits[0].${part}`,
      { limits: [without(limit, part)] },
    ]),
    ...Object.keys(foreignUse).map((part): [string, unknown] => [
      `saved.limits[0].foreignUse.${part}`,
      { limits: [{ ...limit, foreignUse: without(foreignUse, part) }] },
    ]),
    ['saved.limits[0].resets[0].sureInMs', { limits: [{ ...limit, resets: [{ reopensInMs: 1 }] }] }],
    ['saved.limits[0].resets[0].reopensInMs', { limits: [{ ...limit, resets: [{ sureInMs: 1 }] }] }],
    ['saved.limits[0].left.sentSince', { limits: [{ ...limit, left: {} }] }],
    ['saved.park.forMs', { limits: [], park: { ceilingMs: 1 } }],
    ['saved.park.ceilingMs', { limits: [], park: { forMs: 1 } }],
    ['saved', null],
    ['saved.limits[0].counted[0]', { limits: [{ unit: 'requests', source: 'learned', counted: [[1]] }] }],
    ['saved.limits[0].counted[0][0]', { limits: [{ unit: 'requests', source: 'learned', counted: [[null, 1]] }] }],
    ['saved.limits[0].counted[0][1]', { limits: [{ unit: 'requests', source: 'learned', counted: [[1, -1]] }] }],
    ['saved.park.forMs', { limits: [], park: { forMs: '1', ceilingMs: 1 } }],
    [
      'saved.limits[0].counted[0][0]',
      { limits: [{ unit: 'requests', source: 'learned', counted: [[-366 * 86_400_000, 1]] }] },
    ],
    ['saved.limits', { limits: Array.from({ length: 257 }, () => ({ unit: 'r', source: 'learned', counted: [] })) }],
    ['saved.extra', { limits: [], extra: 1 }],
  ]

  test.each(refused)('is refused: %s', (option, saved) => {
    expect(() => gate.restore(saved as SavedGate)).toThrow(ConfigError)
    expect(() => gate.restore(saved as SavedGate)).toThrow(
      expect.objectContaining({ faults: [expect.objectContaining({ option })] }),
    )
  })

  test('is told with what it should have been', () => {
    const saved = { limits: [{ ...limit, counted: [[1, 2, 3]] }] } as unknown as SavedGate
    const message = 'saved.limits[0].counted[0]: expected an age and a weight, got an array'
    expect(() => gate.restore(saved)).toThrow(expect.objectContaining({ message }))
  })

  test.each([NaN, -1])('%s ago is refused', (elapsedMs) => {
    expect(() => gate.restore({ limits: [] }, elapsedMs)).toThrow(ConfigError)
  })

  test('what is older than any window can be restored all the same', async () => {
    const { clock, gate } = setUp({})
    exchange(gate, answer({ remaining: 5 }))
    for (let day = 0; day < 400; day++) await clock.advance(86_400_000)
    const { gate: next } = setUpGate()
    next.restore(stored(gate.save()))
    expect(next.snapshot().limits).toMatchObject([{ held: 1 }])
  })

  test('an endless time ago is forgotten', () => {
    const saved = setUp(limitOf(3))
    exchange(saved.gate, answer({ limit: 3, remaining: 0 }))
    gate.restore(stored(saved.gate.save()), Infinity)
    expect(gate.snapshot().limits).toMatchObject([{ held: 0, foreignUse: 0 }])
  })
})
