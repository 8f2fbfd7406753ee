import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Gate, type Limit, type Reading } from '../../src/gate/index.ts'
import { WindowLimit } from '../../src/gate/window-limit.ts'
import { VirtualClock } from '../../src/testing/index.ts'
import { drive } from '../support/drive-limit.ts'
import { otherProcess, stored } from '../support/other-process.ts'
import { answer, exchange, setUpGate } from '../support/set-up-gate.ts'
import { examples } from '../support/examples.ts'

const windowMs = 60_000

describe('a gate', () => {
  const contested: Reading = { limit: 100, remaining: 10 }

  /** Sent one attempt at 0, whose answer shows 90 used. */
  function contestedLimit(fairShare: boolean, more: Partial<Limit> = {}) {
    const state = new WindowLimit({ windowMs, ...more }, 100, fairShare)
    const gate = drive(state)
    gate.exchange(0, contested)
    return { state, ...gate }
  }

  test('without fairShare readings leave all that is free', () => {
    const { state, ...gate } = contestedLimit(false)
    expect([gate.room(0), state.snapshot(0).share]).toEqual([9, undefined])
  })

  test('with it own weight stays within the share, which the snapshot shows', () => {
    const { state, ...gate } = contestedLimit(true)
    expect([gate.block(0)?.cause, state.snapshot(0).share]).toEqual(['reading', 1])
    expect(state.snapshot(2 * windowMs).share).toBeUndefined()
  })

  test('nothing changes where no reading proves foreign use', () => {
    const state = new WindowLimit({ windowMs }, 100, true)
    const gate = drive(state)
    gate.exchange(0, { limit: 100, remaining: 99 })
    expect([gate.room(0), state.snapshot(0).share]).toEqual([99, undefined])
  })

  test('a learned limit is shared too', () => {
    const { clock, gate } = setUpGate({ fairShare: true, transitMs: 0 })
    exchange(gate, answer({ ...contested, windowMs }))
    expect(gate.snapshot().limits[0]).toMatchObject({ source: 'learned', share: 1 })
    const later = new Gate({ clock: otherProcess(clock), fairShare: true, transitMs: 0 })
    later.restore(stored(gate.save()))
    exchange(later, answer({ ...contested, windowMs }))
    expect(later.snapshot().limits[0]).toMatchObject({ source: 'learned', share: 1 })
  })

  test('a restored gate has no share until it reads one', () => {
    const { clock, gate } = setUpGate({ fairShare: true, transitMs: 0, limits: { limit: 100, windowMs } })
    exchange(gate, answer(contested))
    const later = new Gate({ clock: otherProcess(clock), fairShare: true, limits: { limit: 100, windowMs } })
    later.restore(stored(gate.save()))
    expect([later.snapshot().limits[0]?.share, later.explain().wouldWaitMs]).toEqual([undefined, 0])
  })

  test('a fixed limit is not shared, configured or as a reading says', () => {
    const { state, ...gate } = contestedLimit(true, { kind: 'fixed' })
    expect([gate.room(0), state.snapshot(0).share]).toEqual([10, undefined])
    const told = new WindowLimit({ windowMs }, 100, true)
    drive(told).exchange(0, { ...contested, kind: 'fixed', resetInMs: 30_000 })
    expect(told.snapshot(0).share).toBeUndefined()
  })

  test('a probe that goes on a hint is not held by it', () => {
    expect(contestedLimit(true).block(0, 1, { ignoreReadings: true })).toBeUndefined()
  })

  test('a limit of 0 is told by no one who means it', () => {
    const { gate } = setUpGate({ fairShare: true, limits: { limit: 100, windowMs } })
    exchange(gate, answer({ limit: 0, used: 50 }))
    expect(gate.snapshot().limits[0]?.share).toBeUndefined()
    expect(gate.explain().wouldWaitMs).toBeLessThanOrEqual(windowMs + 1_000)
  })

  test('each limit has a share in its own unit', () => {
    const tokens = { limit: 1_000, windowMs, unit: 'tokens' }
    const { gate } = setUpGate({ fairShare: true, transitMs: 0, limits: [{ limit: 100, windowMs }, tokens] })
    const permit = gate.tryAcquire({ weight: { requests: 1, tokens: 40 } })
    permit?.settle(answer({ limit: 100, remaining: 99 }, { limit: 1_000, remaining: 500, unit: 'tokens' }))
    permit?.release()
    expect(gate.snapshot().limits.map(({ share }) => share)).toEqual([undefined, 40])
    expect(gate.explain({ weight: { requests: 1, tokens: 0 } }).boundBy).toBe('nothing')
    expect(gate.explain({ weight: { requests: 1, tokens: 1 } }).boundBy).toBe('reading')
  })
})

describe('a reading', () => {
  /** The share is above what is held, and the last reading, at 6 000, leaves 2 of 100. */
  function blocked(remaining = 2) {
    const state = new WindowLimit({ windowMs }, 100, true)
    const gate = drive(state)
    gate.exchange(0, { limit: 100, remaining: 60 }, 10)
    gate.exchange(6_000, { limit: 100, remaining: 50 }, 0)
    gate.exchange(6_000, { limit: 100, remaining }, 0)
    expect(state.snapshot(6_000).share).toBeGreaterThan(12)
    return { state, ...gate }
  }

  test.each([
    { remaining: 3, cause: undefined },
    { remaining: 2, cause: 'reading' },
  ])('leaves a fiftieth of the limit free ($remaining left)', ({ remaining, cause }) => {
    expect(blocked(remaining).block(6_000)?.cause).toBe(cause)
  })

  test('that is a tenth of its window old does not hold one attempt of a gate below its share', () => {
    const gate = blocked()
    expect([gate.block(11_999), gate.block(12_000)]).toEqual([{ at: 12_000, cause: 'reading' }, undefined])
  })

  test('holds it as long as something is in flight', () => {
    const gate = blocked()
    expect(gate.block(12_000, 1, { idle: false })).toEqual({ at: windowMs, cause: 'reading' })
  })

  test('holds a gate that has its share', () => {
    const gate = blocked()
    expect(gate.block(12_000, 10)).toEqual({ at: windowMs, cause: 'reading' })
  })

  test('holds no longer than it lasts', () => {
    const gate = blocked()
    const early = gate.block(59_000, 1, { idle: false })
    expect(early).toEqual({ at: windowMs, cause: 'reading' })
  })
})

describe('a projection', () => {
  test('takes the share to stay as it is', () => {
    const state = new WindowLimit({ windowMs }, 100, true)
    const gate = drive(state)
    gate.exchange(0, { limit: 100, remaining: 60 }, 10)
    gate.exchange(12_000, { limit: 100, remaining: 60 }, 0)
    const share = state.snapshot(12_000).share!
    expect(share).toBeCloseTo(18, 9)
    gate.send(12_000)
    const spacingMs = windowMs / share
    expect(state.projectAt(1, 0, 12_000)).toBeCloseTo(12_000 + spacingMs, 6)
    expect(state.projectAt(1, 3, 12_000)).toBeCloseTo(12_000 + 4 * spacingMs, 6)
    const without = new WindowLimit({ windowMs }, 100)
    drive(without).exchange(0, { limit: 100, remaining: 60 }, 10)
    expect(without.projectAt(1, 3, 0)).toBe(0)
  })
})

/** Whatever the headers say, an attempt that waits is let through in the end. */
test('no reading makes an attempt wait for longer than the window', async () => {
  const units = fc.oneof(fc.double({ min: 0, max: 1e300, noNaN: true }), fc.nat(20))
  const reading = fc.record({ limit: units, used: units, windowMs: fc.constant(1_000) }, { requiredKeys: ['windowMs'] })
  const property = fc.asyncProperty(fc.array(reading, { minLength: 1, maxLength: 6 }), async (readings) => {
    const clock = new VirtualClock()
    const gate = new Gate({ clock, fairShare: true, transitMs: 0, limits: { limit: 10, windowMs: 1_000 } })
    for (const each of readings) {
      const waiting = gate.acquire()
      const permit = await clock.runUntil(waiting, { maxMs: 3_000 })
      permit.settle(answer(each))
      permit.release()
    }
  })
  await fc.assert(property, { numRuns: examples(500) })
})
