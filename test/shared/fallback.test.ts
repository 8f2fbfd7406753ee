import { describe, expect, test } from 'vitest'
import type { SharedBudgetOptions } from '../../src/shared/index.ts'
import type { VirtualClock } from '../../src/testing/index.ts'
import { peak, type Process, setUpFleet } from './fleet.ts'

const windowMs = 1_000
const down = () => new Error('connect ECONNREFUSED 10.0.0.1:6379')

/** Processes in touch with each other, of which the first sent `own` and the second `other` units just before 1 000. */
async function inTouch(own: number, other: number, shared: Partial<SharedBudgetOptions> = {}, processes = 2) {
  const fleet = setUpFleet({ processes, shared })
  for (const process of fleet.all) process.burst(1)
  await fleet.clock.advance(3_000)
  for (const { sent } of fleet.all) sent.length = 0
  fleet.first.burst(own)
  fleet.second.burst(other)
  await fleet.clock.advance(20)
  return fleet
}

async function keepSending(clock: VirtualClock, process: Process, forMs: number): Promise<void> {
  for (let at = 0; at < forMs; at += 500) clock.setTimer(() => process.burst(1), at, { keepAlive: false })
  await clock.advance(forMs)
}

const lose = (all: readonly Process[]): void => all.forEach(({ wire }) => (wire.fault = down()))

describe('an engine that does not answer in time', () => {
  test.each(['calls', 'answers'] as const)('is given up on after 250 ms, where %s are lost', async (loses) => {
    const { clock, first } = await inTouch(0, 0)
    first.wire.loses = loses
    await clock.advance(480)
    first.burst(1)
    const { at } = first.wire.calls.at(-1)!
    await clock.advance(at + 249 - clock.now())
    expect(first.told).toEqual([])
    await clock.advance(1)
    expect(first.told).toEqual([['share', 'timeout']])
  })

  test('is asked again every 300 ms, and what it answers late is not heeded', async () => {
    const { clock, first } = await inTouch(0, 0)
    Object.assign(first.wire, { upMs: 150, downMs: 150 })
    first.burst(3)
    await clock.advance(5_000)
    const calls = first.wire.calls.filter(({ call }) => call.away).map(({ at }) => at)
    expect(calls.length).toBeGreaterThan(5)
    expect(calls.slice(1).every((at, index) => at - calls[index]! === 550)).toBe(true)
    expect(first.gate.snapshot().shared!.via).toBe('share')
  })

  test('and grants that nobody heard of are counted, and cost no more than what they were', async () => {
    const { clock, first, second } = await inTouch(0, 0)
    first.wire.loses = 'answers'
    first.burst(4)
    await clock.advance(400)
    first.wire.loses = 'nothing'
    second.burst(10)
    await clock.advance(100)
    const sent = [...first.sent, ...second.sent]
    expect(peak(sent, windowMs)).toBeLessThanOrEqual(10)
    await clock.advance(10_000)
    expect(first.sent.length + second.sent.length).toBe(14)
  })

  test('calls that a client keeps are no more than 16 at a time', async () => {
    const { clock, first } = await inTouch(0, 0)
    first.wire.loses = 'calls'
    const { length } = first.wire.calls
    await keepSending(clock, first, 30_000)
    expect(first.wire.calls.length - length).toBe(16)
    expect(first.gate.snapshot().shared!.via).toBe('share')
  })
})

describe('an engine that refuses', () => {
  test('is left at once and asked again every 300 ms', async () => {
    const { clock, first } = await inTouch(0, 0)
    first.wire.fault = down()
    const { length } = first.wire.calls
    first.burst(1)
    await clock.advance(3_000)
    const calls = first.wire.calls.slice(length).map(({ at }) => at)
    expect(first.told).toEqual([['share', 'unreachable']])
    expect(calls.slice(1).every((at, index) => at - calls[index]! === 300)).toBe(true)
    expect(calls.length).toBe(11)
  })

  test("for want of rights is told once, by the server's word, and asked every 5 s", async () => {
    const { clock, first } = await inTouch(0, 0)
    first.wire.fault = new Error("NOPERM this user has no permissions to run the 'evalsha' command")
    const { length } = first.wire.calls
    await keepSending(clock, first, 21_000)
    const calls = first.wire.calls.slice(length).map(({ at }) => at)
    expect(first.told).toEqual([['share', 'NOPERM']])
    expect(calls.slice(1).every((at, index) => at - calls[index]! === 5_000)).toBe(true)
    first.wire.fault = undefined
    first.burst(1)
    await clock.advance(5_000)
    expect(first.told.at(-1)).toEqual(['engine', 'answered'])
  })
})

test('an engine that did not answer, and then says that it has to be mended, is told of once more', async () => {
  const { clock, first } = await inTouch(0, 0)
  first.wire.loses = 'calls'
  await keepSending(clock, first, 2_000)
  first.wire.fault = new Error('WRONGPASS invalid username-password pair')
  await keepSending(clock, first, 30_000)
  expect(first.told).toEqual([
    ['share', 'timeout'],
    ['share', 'WRONGPASS'],
  ])
})

describe('a process that has lost the engine', () => {
  test.each([
    { own: 0, others: 10, name: 'nothing at first where it had sent nothing', first: 0 },
    { own: 2, others: 8, name: 'what it had sent at first', first: 0 },
    { own: 9, others: 1, name: 'its part where it had sent more', first: 0 },
  ])('sends $name, and its part after a window', async ({ own, others, first }) => {
    const { clock, all, first: process } = await inTouch(own, others)
    lose(all)
    process.burst(40)
    await clock.advance(600)
    const before = process.sent.length - own
    await clock.advance(8_000)
    expect(before).toBe(first)
    const since = process.sent.slice(own)
    expect([peak(since, windowMs), since.length > 30]).toEqual([5, true])
  })

  test('sends no more in the first window than it had in the last one', async () => {
    const { clock, all, first, second } = await inTouch(2, 8)
    lose(all)
    first.burst(40)
    second.burst(40)
    await clock.advance(1_090)
    expect(first.sent.length).toBe(4)
    await clock.advance(20_000)
    expect(peak([...first.sent, ...second.sent], windowMs)).toBe(10)
  })

  test('has its part a window after the last start that another may have been granted', async () => {
    const { clock, all, first, second } = await inTouch(10, 0)
    await clock.advance(850)
    void second.send({ weight: 8 })
    await clock.advance(20)
    lose(all)
    first.burst(40)
    await clock.advance(3_000)
    const [heavyAt] = second.sent
    expect(heavyAt).toBeGreaterThan(4_100)
    expect(first.sent.length).toBeGreaterThan(10)
    expect(first.sent.slice(10).every((at) => at >= heavyAt! + windowMs)).toBe(true)
  })

  test('has an equal part rounded down, of as many as there last were', async () => {
    const { clock, all, first } = await inTouch(0, 0, {}, 3)
    lose(all)
    first.burst(40)
    await clock.advance(5_000)
    expect([first.gate.snapshot().shared, peak(first.sent, windowMs)]).toEqual([{ via: 'share', processes: 3 }, 3])
  })

  test('closed: sends nothing until it is back, and then all', async () => {
    const { clock, all, first } = await inTouch(1, 0, { onEngineLoss: 'closed' })
    lose(all)
    first.burst(3)
    first.burst(1, { maxWaitMs: 700 })
    await clock.advance(600)
    first.burst(1, { whenParked: 'refuse' })
    await clock.advance(0)
    expect(first.refused).toEqual(['engine-lost'])
    await clock.advance(200)
    expect([first.refused, first.sent.length]).toEqual([['engine-lost', 'engine-lost'], 1])
    expect(first.gate.explain()).toMatchObject({ boundBy: 'engine', queued: 3 })
    expect(first.gate.snapshot().shared!.via).toBe('closed')
    await clock.advance(60_000)
    expect(first.sent.length).toBe(1)
    for (const { wire } of all) wire.fault = undefined
    await clock.advance(3_000)
    expect([first.sent.length, first.told]).toEqual([
      4,
      [
        ['closed', 'unreachable'],
        ['engine', 'answered'],
      ],
    ])
  })

  test('closed: a caller that will not wait is refused at once, with when to come back', async () => {
    const { clock, all, first } = await inTouch(1, 0, { onEngineLoss: 'closed' })
    lose(all)
    await clock.advance(700)
    const error = await first.gate.acquire({ whenParked: 'refuse' }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ reason: 'engine-lost' })
    const { retryAfterMs } = error as { retryAfterMs: number }
    expect([retryAfterMs >= 0, retryAfterMs <= 300]).toEqual([true, true])
  })

  test('open: sends the whole limit by itself', async () => {
    const { clock, all, first, second } = await inTouch(1, 1, { onEngineLoss: 'open' })
    lose(all)
    first.burst(40)
    second.burst(40)
    await clock.advance(5_000)
    expect([peak(first.sent, windowMs), peak(second.sent, windowMs)]).toEqual([10, 10])
    expect(first.told).toEqual([['open', 'unreachable']])
  })

  test.each([
    { shared: {}, fromMs: 3_500 + 250 + 250 + 1_100 },
    { shared: { heartbeatMs: 400, deadlineMs: 900 }, fromMs: 1_400 + 900 + 250 + 1_100 },
  ])('strictPartition: sends nothing for $fromMs ms, until its part is held back, and then that', async (row) => {
    const { clock, first, second } = await inTouch(0, 0, { strictPartition: true, ...row.shared })
    const from = first.wire.calls.at(-1)!.at + 2 + row.fromMs
    first.wire.fault = down()
    first.burst(40)
    for (let at = 0; at < 20_000; at += 50) clock.setTimer(() => second.burst(1), at, { keepAlive: false })
    await clock.advance(20_000)
    expect(first.sent[0]).toBeGreaterThanOrEqual(from)
    expect(first.sent[0]).toBeLessThanOrEqual(from + 300)
    expect(first.told.slice(0, 2).map(([via]) => via)).toEqual(['closed', 'share'])
    expect(peak([...first.sent, ...second.sent], windowMs)).toBe(10)
    expect(peak(first.sent, windowMs)).toBe(5)
  })

  test('strictPartition: sends nothing any more once its part is not held back', async () => {
    const { clock, first } = await inTouch(0, 0, { strictPartition: true })
    first.wire.fault = down()
    const stillAt = clock.now() + 600_000
    for (let at = 0; at < 700_000; at += 1_000) clock.setTimer(() => first.burst(1), at, { keepAlive: false })
    await clock.advance(700_000)
    expect(first.sent.some((at) => at > stillAt - 5_000)).toBe(true)
    expect(first.sent.some((at) => at > stillAt + 400)).toBe(false)
  })

  test('strictPartition: has sent its last a window before its part goes to others', async () => {
    const longMs = 60_000
    const gate = { limits: { limit: 10, windowMs: longMs } }
    const { clock, first, second } = setUpFleet({ gate, shared: { strictPartition: true } })
    for (const process of [first, second]) process.burst(1)
    await clock.advance(3_000)
    first.wire.fault = down()
    for (let at = 0; at < 800_000; at += 1_000)
      clock.setTimer(() => [first, second].forEach((process) => process.burst(1)), at, { keepAlive: false })
    await clock.advance(800_000)
    expect(first.sent.at(-1)).toBeGreaterThan(450_000)
    expect(peak([...first.sent, ...second.sent], longMs)).toBe(10)
  })

  test('strictPartition: sends nothing where it has left, since nothing is held back for it', async () => {
    const { clock, first, second } = await inTouch(1, 1, { strictPartition: true })
    for (let at = 0; at < 15_000; at += 1_000) clock.setTimer(() => second.burst(1), at, { keepAlive: false })
    await clock.advance(9_000)
    first.wire.loses = 'answers'
    await clock.advance(6_000)
    expect(first.wire.calls.at(-1)!.call.leaves).toBe(true)
    first.wire.fault = down()
    first.burst(1)
    await clock.advance(30_000)
    expect(first.sent).toHaveLength(1)
  })

  test('without strictPartition those cut off add their parts to what the others send', async () => {
    const { clock, first, second } = await inTouch(0, 0)
    first.wire.fault = down()
    first.burst(40)
    second.burst(80)
    await clock.advance(6_000)
    expect(peak([...first.sent, ...second.sent], windowMs)).toBe(15)
  })
})

describe('an engine that was never reached', () => {
  test('has nothing sent', async () => {
    const { clock, first } = setUpFleet()
    first.wire.fault = down()
    first.burst(1)
    await clock.advance(5_000)
    expect([first.sent, first.told]).toEqual([[], [['closed', 'unreachable']]])
    first.wire.fault = undefined
    await clock.advance(400)
    expect(first.sent).toHaveLength(1)
  })

  test('has the part of one of `assumeProcesses` sent, from the first on', async () => {
    const { clock, first } = setUpFleet({ shared: { assumeProcesses: 3 } })
    first.wire.fault = down()
    first.burst(20)
    await clock.advance(10)
    expect([first.sent.length, first.gate.snapshot().shared]).toEqual([3, { via: 'share', processes: 3 }])
    await clock.advance(5_000)
    expect(peak(first.sent, windowMs)).toBe(3)
  })
})

describe('when the engine is back', () => {
  test('what was sent meanwhile is counted', async () => {
    const { clock, all, first, second } = await inTouch(0, 0)
    lose(all)
    first.burst(5)
    await clock.advance(2_000)
    first.sent.length = 0
    first.burst(5)
    await clock.advance(900)
    for (const { wire } of all) wire.fault = undefined
    await clock.advance(400)
    second.burst(30)
    await clock.advance(8_000)
    expect(peak([...first.sent, ...second.sent], windowMs)).toBe(10)
    expect(first.told.at(-1)).toEqual(['engine', 'answered'])
  })

  test('empty, those who wait come a little later, and the limit holds', async () => {
    const { clock, engine, all } = await inTouch(0, 0, {}, 4)
    for (const process of all) process.burst(40)
    await clock.advance(2_500)
    lose(all)
    engine.flush()
    await clock.advance(3_000)
    for (const { wire } of all) wire.fault = undefined
    await clock.advance(10_000)
    const sent = all.flatMap((process) => process.sent)
    expect([peak(sent, windowMs), sent.length > 90]).toEqual([10, true])
  })

  test('also behind another connection, though no call was lost', async () => {
    const { clock, engine, first, second } = await inTouch(0, 0)
    second.burst(10)
    await clock.advance(480)
    engine.flush()
    first.wire.connections += 1
    first.burst(10)
    await clock.advance(5_000)
    expect(peak([...first.sent, ...second.sent], windowMs)).toBe(10)
    expect(first.told).toEqual([])
    expect(first.wire.calls.some(({ call }) => call.away)).toBe(true)
  })

  test('attempts that weighed less than their grants make up for none that went without', async () => {
    const fleet = setUpFleet({ gate: { limits: { limit: 100, windowMs } } })
    const { clock, first, second, all } = fleet
    first.burst(1)
    second.burst(1)
    await clock.advance(1_500)
    for (let sends = 0; sends < 5; sends += 1) {
      const permit = first.gate.acquire({ weight: 20 })
      await clock.advance(20)
      const { correct, settle, release } = bound(await permit)
      correct(1)
      settle()
      release()
      await clock.advance(1_200)
    }
    lose(all)
    await clock.advance(2_500)
    first.sent.length = 0
    second.sent.length = 0
    first.burst(50)
    await clock.advance(100)
    expect(first.sent).toHaveLength(50)
    for (const { wire } of all) wire.fault = undefined
    await clock.advance(400)
    second.burst(100)
    await clock.advance(400)
    expect(peak([...first.sent, ...second.sent], windowMs)).toBe(100)
  })
})

function bound(permit: { correct(weight: number): void; settle(): void; release(): void }) {
  return {
    correct: (weight: number) => permit.correct(weight),
    settle: () => permit.settle(),
    release: () => permit.release(),
  }
}
