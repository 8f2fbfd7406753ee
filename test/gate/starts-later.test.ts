import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import type { Gate, Permit } from '../../src/gate/index.ts'
import { answer, exchange, follow, setUpGate, settled, takeAll, throttle } from '../support/set-up-gate.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const windowMs = 60_000
const startsLater = true

/** What is done with a permit, and when. */
type Step = [atMs: number, report: (permit: Permit) => void]

const start = (permit: Permit) => permit.start()
const settle = (permit: Permit) => permit.settle()
const release = (permit: Permit) => permit.release()
const refund = (permit: Permit) => permit.refund()

/** When the weight of one permit of 1 is free again, for `transitMs` of 0, 1 000 and Infinity. */
const table: { name: string; steps: Step[]; until: [zero: number, finite: number, infinite: number] }[] = [
  {
    name: 'started, and answered sooner',
    steps: [
      [5_000, start],
      [5_300, settle],
    ],
    until: [65_000, 65_300, 65_300],
  },
  {
    name: 'started, and answered later',
    steps: [
      [5_000, start],
      [9_000, settle],
    ],
    until: [65_000, 66_000, 69_000],
  },
  {
    name: 'started at once',
    steps: [
      [0, start],
      [300, settle],
    ],
    until: [60_000, 60_300, 60_300],
  },
  {
    name: 'started, and failed',
    steps: [
      [5_000, start],
      [5_300, release],
    ],
    until: [65_000, 66_000, 65_300],
  },
  {
    name: 'started, and failed later',
    steps: [
      [5_000, start],
      [9_000, release],
    ],
    until: [65_000, 66_000, 69_000],
  },
  { name: 'started, and never heard of', steps: [[5_000, start]], until: [65_000, 66_000, 180_000] },
  {
    name: 'started twice',
    steps: [
      [5_000, start],
      [8_000, start],
    ],
    until: [65_000, 66_000, 180_000],
  },
  { name: 'started after a window', steps: [[70_000, start]], until: [130_000, 131_000, 180_000] },
  {
    name: 'started, and refunded',
    steps: [
      [5_000, start],
      [5_300, refund],
    ],
    until: [5_300, 5_300, 5_300],
  },
  { name: 'not started, and released', steps: [[5_000, release]], until: [5_000, 5_000, 5_000] },
  { name: 'not started, and refunded', steps: [[5_000, refund]], until: [5_000, 5_000, 5_000] },
  { name: 'not started, and never heard of', steps: [], until: [180_000, 180_000, 180_000] },
  { name: 'taken back, and started then', steps: [[121_000, start]], until: [180_000, 180_000, 180_000] },
  { name: 'taken back, and released then', steps: [[121_000, release]], until: [180_000, 180_000, 180_000] },
  { name: 'not started, and answered', steps: [[5_000, settle]], until: [65_000, 65_000, 65_000] },
  {
    name: 'answered, and started then',
    steps: [
      [5_000, settle],
      [7_000, start],
    ],
    until: [65_000, 65_000, 65_000],
  },
  {
    name: 'answered, and released',
    steps: [
      [5_000, settle],
      [7_000, release],
    ],
    until: [65_000, 65_000, 65_000],
  },
]

describe('how long weight is held that starts later', () => {
  const cases = table.flatMap(({ name, steps, until }) =>
    [0, 1_000, Infinity].map((transitMs, index) => ({ name, steps, transitMs, until: until[index]! })),
  )
  test.each(cases)('transitMs $transitMs, $name: until $until', async ({ steps, transitMs, until }) => {
    const { clock, gate } = setUpGate({ limits: { limit: 1, windowMs }, transitMs })
    const permit = await gate.acquire({ startsLater })
    const next = follow(gate.acquire())
    for (const [atMs, report] of steps) clock.setTimer(() => report(permit), atMs, { keepAlive: true })
    await clock.advance(until - 1)
    expect(next.state).toBe('waiting')
    await clock.advance(1)
    expect(next.permit?.sentAt).toBe(until)
  })

  test.each([0, 1_000, Infinity])(
    'transitMs %d: a start changes nothing where it was not asked for',
    async (transitMs) => {
      const { clock, gate } = setUpGate({ limits: { limit: 1, windowMs }, transitMs })
      const permit = await gate.acquire()
      await clock.advance(500)
      permit.start()
      await clock.advance(100)
      permit.settle()
      expect(permit.sentAt).toBe(0)
      const free = transitMs === 0 ? 60_000 : 60_600
      await clock.advance(free - 601)
      expect(gate.tryAcquire()).toBeUndefined()
      await clock.advance(1)
      expect(gate.tryAcquire()).toBeDefined()
    },
  )

  test('one that is collected before it starts is held from then: it may have been sent', async () => {
    const { clock, gate } = setUpGate({ limits: { limit: 1, windowMs }, concurrency: 1 })
    await lose(gate)
    await clock.advance(5_000)
    for (let round = 0; round < 100 && gate.snapshot().held > 0; round++) {
      collectGarbage()
      await settled()
    }
    expect(gate.snapshot().held).toBe(0)
    await clock.advance(windowMs - 1)
    expect(gate.tryAcquire()).toBeUndefined()
    await clock.advance(1)
    expect(gate.tryAcquire()).toBeDefined()
  })
})

describe('a permit that starts later', () => {
  test('says when it was sent once it is', async () => {
    const { clock, gate } = setUpGate()
    const permit = await gate.acquire({ startsLater })
    await clock.advance(700)
    expect(permit.sentAt).toBe(0)
    permit.start()
    await clock.advance(700)
    expect(permit.sentAt).toBe(700)
  })

  test('may have waited in line', async () => {
    const { clock, gate } = setUpGate({ limits: { limit: 1, windowMs }, transitMs: 0 })
    takeAll(gate)
    const waiter = follow(gate.acquire({ startsLater }))
    await clock.advance(windowMs)
    expect(waiter.state).toBe('granted')
    const next = follow(gate.acquire())
    await clock.advance(5_000)
    waiter.permit!.start()
    await clock.advance(windowMs - 1)
    expect(next.state).toBe('waiting')
    await clock.advance(1)
    expect(next.state).toBe('granted')
  })

  test('is held for as long as it does not start, and others that start meanwhile leave before it', async () => {
    const { clock, gate } = setUpGate({ limits: { limit: 2, windowMs }, transitMs: 0 })
    const [late, early] = [await gate.acquire({ startsLater }), await gate.acquire({ startsLater })]
    early.start()
    await clock.advance(50_000)
    late.start()
    await clock.advance(10_000)
    expect(takeAll(gate)).toHaveLength(1)
    await clock.advance(49_999)
    expect(takeAll(gate)).toHaveLength(0)
    await clock.advance(1)
    expect(takeAll(gate).length).toBeGreaterThan(0)
  })

  test('weighs what it is corrected to, before it starts and after', async () => {
    const { gate } = setUpGate({ limits: { limit: 5, windowMs } })
    const permit = await gate.acquire({ startsLater, weight: 3 })
    permit.correct(2)
    expect(gate.snapshot().limits[0]?.held).toBe(2)
    permit.start()
    permit.correct(4)
    expect(gate.snapshot().limits[0]?.held).toBe(4)
  })

  test.each([
    ['released', release],
    ['refunded', refund],
  ])('gives all limits of all units back when it is %s unstarted', async (_, report) => {
    const limits = [
      { limit: 5, windowMs },
      { limit: 100, windowMs, unit: 'tokens' },
    ]
    const { gate } = setUpGate({ limits, concurrency: 1 })
    const permit = await gate.acquire({ startsLater, weight: { tokens: 70 } })
    report(permit)
    const { held, inFlight, limits: after } = gate.snapshot()
    expect([held, inFlight, after.map((limit) => limit.held)]).toEqual([0, 0, [0, 0]])
  })

  test('counts against concurrency from its grant', async () => {
    const { gate } = setUpGate({ concurrency: 1 })
    const permit = await gate.acquire({ startsLater })
    expect(gate.explain().boundBy).toBe('concurrency')
    permit.release()
    expect(gate.explain().boundBy).toBe('nothing')
  })

  test('frees the probe when it is released unstarted', async () => {
    const { clock, gate } = setUpGate()
    exchange(gate, throttle(1_000))
    await clock.advance(1_000)
    const probe = await gate.acquire({ startsLater })
    expect([probe.isProbe, gate.snapshot().state]).toEqual([true, 'probing'])
    probe.release()
    const next = await gate.acquire({ startsLater })
    expect([next.isProbe, gate.snapshot().state]).toEqual([true, 'probing'])
    next.start()
    next.settle(answer())
    expect(gate.snapshot().state).toBe('open')
  })

  test('is no lone first attempt when it is released unstarted', async () => {
    const { gate } = setUpGate({ coldStartMs: 1_000 })
    const permit = await gate.acquire({ startsLater })
    expect(gate.explain().boundBy).toBe('cold-start')
    permit.release()
    expect(gate.explain().boundBy).toBe('nothing')
  })

  test('is not taken for foreign use, however late it starts', async () => {
    const { clock, gate } = setUpGate({ limits: { limit: 10, windowMs } })
    const late = await gate.acquire({ startsLater })
    await clock.advance(5_000)
    const other = await gate.acquire({ startsLater })
    other.start()
    other.settle(answer({ limit: 10, used: 1, windowMs }))
    await clock.advance(5_000)
    late.start()
    late.settle(answer({ limit: 10, used: 2, windowMs }))
    expect(takeAll(gate)).toHaveLength(8)
  })
})

describe('save', () => {
  test.each([
    { transitMs: 0, unstarted: 0, started: 1_000 },
    { transitMs: 1_000, unstarted: -1_000, started: 0 },
    { transitMs: 5_000, unstarted: -5_000, started: -4_000 },
    { transitMs: Infinity, unstarted: -120_000, started: -120_000 },
  ])('transitMs $transitMs: what has not started is counted no sooner than if it did now', async (row) => {
    const { transitMs } = row
    const { clock, gate } = setUpGate({ limits: { limit: 9, windowMs }, transitMs })
    await gate.acquire({ startsLater, weight: 2 })
    const started = await gate.acquire({ startsLater, weight: 3 })
    await clock.advance(2_000)
    started.start()
    await clock.advance(1_000)
    const [limit] = gate.save().limits
    expect(limit!.counted).toEqual([
      [row.started, 3],
      [row.unstarted, 2],
    ])
  })

  test.each([
    { transitMs: 0, until: 60_000 },
    { transitMs: 1_000, until: 61_000 },
    { transitMs: Infinity, until: 180_000 },
  ])('transitMs $transitMs: another gate holds it until $until ms after', async ({ transitMs, until }) => {
    const before = setUpGate({ limits: { limit: 1, windowMs }, transitMs })
    await before.gate.acquire({ startsLater })
    await before.clock.advance(3_000)
    const { clock, gate } = setUpGate({ limits: { limit: 1, windowMs }, transitMs })
    gate.restore(before.gate.save())
    const next = follow(gate.acquire())
    await clock.advance(until - 1)
    expect(next.state).toBe('waiting')
    await clock.advance(1)
    expect(next.permit?.sentAt).toBe(until)
  })

  test('what was given back unstarted is not saved', async () => {
    const { gate } = setUpGate({ limits: { limit: 9, windowMs } })
    const permit = await gate.acquire({ startsLater })
    permit.release()
    expect(gate.save().limits[0]?.counted.filter(([, weight]) => weight > 0)).toEqual([])
    expect(gate.save().limits[0]?.counted.filter(([agoMs]) => agoMs < 0)).toEqual([])
  })
})

/** Takes a permit that nobody keeps. */
async function lose(gate: Gate): Promise<void> {
  await gate.acquire({ startsLater })
}
