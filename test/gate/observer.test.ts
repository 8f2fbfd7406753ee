import { describe, expect, test } from 'vitest'
import type { GateObserver } from '../../src/gate/index.ts'
import { Gate } from '../../src/gate/index.ts'
import {
  answer,
  exchange,
  follow,
  limitOf,
  type Options,
  setUpGate,
  takeAll,
  throttle,
} from '../support/set-up-gate.ts'

type Told = { [Name in keyof GateObserver]: [Name, ...Parameters<GateObserver[Name]>] }[keyof GateObserver]

/** A gate whose observer writes down what it is told. */
function observed(options: Options = {}) {
  const told: Told[] = []
  const observer: GateObserver = {
    waited: (...args) => told.push(['waited', ...args]),
    refused: (...args) => told.push(['refused', ...args]),
    parked: (...args) => told.push(['parked', ...args]),
    probed: () => told.push(['probed']),
    reopened: () => told.push(['reopened']),
    read: (...args) => told.push(['read', ...args]),
    degraded: (...args) => told.push(['degraded', ...args]),
  }
  /** What it was told since it was last asked. */
  const news = (): Told[] => told.splice(0)
  return { ...setUpGate(options, Gate, { observer, refusedAt: { host: 'a.test' } }), news }
}

describe('an observer is told', () => {
  test('of a wait when it is over: how long, and what held the caller last', async () => {
    const { clock, gate, news } = observed({ ...limitOf(1), concurrency: 2 })
    takeAll(gate, 1)
    await clock.advance(10_000)
    follow(gate.acquire())
    await clock.advance(20_000)
    gate.park(40_000)
    expect(news()).toEqual([['parked', 40_000, true]])
    await clock.advance(40_000)
    expect(news()).toEqual([['waited', 60_000, 'park'], ['probed']])
  })

  test('of the wait of one that breaks a park, and nothing of one that need not wait', async () => {
    const { clock, gate, news } = observed()
    exchange(gate)
    gate.park(600_000)
    follow(gate.acquire({ allowance: { maxDurationMs: 1_000 } }))
    await clock.advance(1_000)
    expect(news()).toEqual([['parked', 600_000, true], ['waited', 1_000, 'park'], ['probed']])
  })

  test('of every refusal: why, and when to come back', async () => {
    const { clock, gate, news } = observed({ ...limitOf(1), maxQueueSize: 1 })
    const wait = async (options: Parameters<Gate['acquire']>[0]) => {
      follow(gate.acquire(options))
      await clock.advance(0)
    }
    await wait({ weight: 2 })
    expect(() => gate.tryAcquire({ weight: 2 })).toThrow('above the limit')
    exchange(gate)
    await wait({ maxWaitMs: 1 })
    await wait({})
    await wait({})
    gate.park(5_000)
    await wait({ whenParked: 'refuse' })
    await gate.close()
    await wait({})
    expect(news().filter(([what]) => what === 'refused')).toEqual([
      ['refused', 'never', undefined],
      ['refused', 'never', undefined],
      ['refused', 'wait-too-long', 60_000],
      ['refused', 'queue-full', 120_000],
      ['refused', 'parked', 120_000],
      ['refused', 'closed', undefined],
      ['refused', 'closed', undefined],
    ])
  })

  test('of those refused while they wait, and not of those who leave by themselves', async () => {
    const { clock, gate, news } = observed({ concurrency: 1 })
    takeAll(gate)
    const abort = new AbortController()
    follow(gate.acquire({ signal: abort.signal }))
    follow(gate.acquire({ whenParked: 'refuse' }))
    follow(gate.acquire({ allowance: { maxDurationMs: 1_000 } }))
    gate.park(5_000)
    abort.abort()
    await clock.advance(1_000)
    expect(news()).toEqual([
      ['parked', 5_000, true],
      ['refused', 'parked', 5_000],
      ['refused', 'parked', 4_000],
    ])
  })

  test('of a park and each time it is lengthened, for how long from then and whether on a hint', async () => {
    const { clock, gate, news } = observed()
    const [first, second, third] = takeAll(gate, 3)
    first!.settle(throttle())
    await clock.advance(10_000)
    second!.settle(throttle(1_000))
    third!.settle(throttle(70_000))
    gate.park(1)
    expect(news()).toEqual([
      ['parked', 60_000, false],
      ['parked', 70_000, false],
    ])
  })

  test('of the probe and of the reopening, once', async () => {
    const { clock, gate, news } = observed()
    gate.park(100)
    await clock.advance(100)
    const [probe] = takeAll(gate)
    expect(news()).toEqual([['parked', 100, true], ['probed']])
    probe!.settle(throttle(50))
    probe!.release()
    await clock.advance(50)
    expect(news()).toEqual([['parked', 50, true]])
    exchange(gate, answer())
    exchange(gate, answer())
    expect(news()).toEqual([['probed'], ['reopened']])
  })

  test('of what an answer says of the limits, if it says anything', () => {
    const { gate, news } = observed()
    const reading = { limit: 5, remaining: 4 }
    exchange(gate, answer(reading))
    exchange(gate, answer())
    exchange(gate)
    expect(news()).toEqual([['read', [reading]]])
  })

  test('nothing of a late report', async () => {
    const { clock, gate, news } = observed()
    const [late] = takeAll(gate, 1)
    await clock.advance(120_000)
    late!.settle(throttle(5_000, { limit: 5, remaining: 0 }))
    expect(news()).toEqual([])
  })
})

describe('in observe mode it is told what would have been', () => {
  const observe = { ...limitOf(2), mode: 'observe' } as const

  test('of each that would have waited, for how long and for what', async () => {
    const { clock, gate, news } = observed(observe)
    expect(takeAll(gate, 1)).toHaveLength(1)
    await clock.advance(10_000)
    expect(takeAll(gate, 2)).toHaveLength(2)
    expect(news()).toEqual([['waited', 50_000, 'limit']])
  })

  test('of each that would have been refused, and why', async () => {
    const { gate, news } = observed(observe)
    const asked = [{ weight: 3 }, { maxWaitMs: 1 }, {}]
    expect(await Promise.all(asked.map((options) => gate.acquire(options)))).toHaveLength(3)
    expect(news()).toEqual([
      ['refused', 'never', undefined],
      ['refused', 'wait-too-long', 60_000],
      ['waited', 60_000, 'limit'],
    ])
  })

  test.each([{}, { observer: {} }])('nobody is, where nobody wants to know: %j', (context) => {
    const { gate } = setUpGate(observe, Gate, context)
    expect(gate.tryAcquire({ weight: 3 })).toBeDefined()
    expect(gate.tryAcquire()).toBeDefined()
  })
})

test('an observer may leave out what it does not want to know', async () => {
  const { clock, gate } = setUpGate(limitOf(1), Gate, { observer: {} })
  expect(() => gate.tryAcquire({ weight: 2 })).toThrow('above the limit')
  exchange(gate, throttle(5_000, { limit: 1, remaining: 0 }))
  const waiter = follow(gate.acquire())
  await clock.advance(60_000)
  waiter.permit!.settle(answer())
  expect(gate.snapshot().state).toBe('open')
})
