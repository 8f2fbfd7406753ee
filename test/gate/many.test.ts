import { describe, expect, test } from 'vitest'
import { Aborts, type Signal } from '../../src/gate/abort.ts'
import { createRandom } from '../../src/testing/index.ts'
import { isMutated } from '../support/mutated.ts'
import { exchange, follow, type Options, setUpGate, settled } from '../support/set-up-gate.ts'

const [few, many] = [10_000, 100_000]

/** Ten times the callers cost ten times as much if the cost is linear and a hundred times as much if it is quadratic. */
const MOST = 40

const full: Options = { limits: { limit: 1, windowMs: 60_000 }, transitMs: 0 }

function shuffled<T>(values: T[]): T[] {
  const random = createRandom(7)
  for (let last = values.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    ;[values[last], values[other]] = [values[other]!, values[last]!]
  }
  return values
}

async function cost(work: () => Promise<void>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

/** How many times as much `many` callers cost as the median of `few`; measured again where chance may have made it much. */
async function growth(work: (callers: number) => Promise<void>): Promise<number> {
  const runs: number[] = []
  for (let run = 0; run < 5; run++) runs.push(await cost(() => work(few)))
  const base = runs.toSorted((a, b) => a - b)[2]!
  let factor = Infinity
  for (let run = 0; run < 3 && factor >= MOST; run++) factor = (await cost(() => work(many))) / base
  return factor
}

describe.skipIf(isMutated)('100 000 waiters queue and abort in linear time', () => {
  test('each on a signal of its own, in any order', async () => {
    const factor = await growth(async (callers) => {
      const { clock, gate } = setUpGate(full)
      exchange(gate)
      const aborts = Array.from({ length: callers }, () => new AbortController())
      const waiters = aborts.map(({ signal }, index) => follow(gate.acquire({ signal, priority: index % 3 })))
      expect([gate.snapshot().queued, clock.pendingTimers]).toEqual([callers, 1])
      for (const abort of shuffled(aborts)) abort.abort()
      await settled()
      expect([gate.snapshot().queued, clock.pendingTimers]).toEqual([0, 0])
      expect(waiters.every(({ state }) => state === 'refused')).toBe(true)
    })
    expect(factor).toBeLessThan(MOST)
  })

  test('all on one signal', async () => {
    const factor = await growth(async (callers) => {
      const { clock, gate } = setUpGate(full)
      exchange(gate)
      const abort = new AbortController()
      const waiters = Array.from({ length: callers }, () => follow(gate.acquire({ signal: abort.signal })))
      expect(gate.snapshot().queued).toBe(callers)
      abort.abort()
      await settled()
      expect([gate.snapshot().queued, clock.pendingTimers]).toEqual([0, 0])
      expect(waiters.every(({ state }) => state === 'refused')).toBe(true)
    })
    expect(factor).toBeLessThan(MOST)
  })
})

test('100 000 who share a signal cost one listener, whatever order they leave in', () => {
  let [added, removed] = [0, 0]
  const signal: Signal = {
    aborted: false,
    reason: undefined,
    addEventListener: () => void added++,
    removeEventListener: () => void removed++,
  }
  const aborts = new Aborts<number>(() => {})
  const members = Array.from({ length: many }, (_, member) => member)
  for (const member of members) aborts.watch(signal, member)
  expect([added, removed]).toEqual([1, 0])
  for (const member of shuffled(members)) aborts.unwatch(signal, member)
  expect([added, removed]).toEqual([1, 1])
})

test('10 000 waiters set one timer per window, not one each', async () => {
  const { clock, gate } = setUpGate({ limits: { limit: 1_000, windowMs: 1_000 }, transitMs: 0 })
  let timers = 0
  const setTimer = clock.setTimer.bind(clock)
  clock.setTimer = (...timer) => {
    timers++
    return setTimer(...timer)
  }
  const callers = Array.from({ length: few }, () => follow(gate.acquire()))
  await clock.advance(9_000)
  expect(callers.every(({ state }) => state === 'granted')).toBe(true)
  expect(timers).toBeLessThanOrEqual(20)
})
