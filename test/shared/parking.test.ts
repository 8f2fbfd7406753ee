import { describe, expect, test } from 'vitest'
import type { Observation } from '../../src/gate/index.ts'
import { answer, throttle } from '../support/set-up-gate.ts'
import { type Process, setUpFleet } from './fleet.ts'

type Fleet = ReturnType<typeof setUpFleet>

/** Sends one attempt of a process and answers it so. */
async function exchange({ clock }: Fleet, { gate }: Process, observation?: Observation, answerMs = 0): Promise<void> {
  const permit = await clock.runUntil(gate.acquire())
  await clock.advance(answerMs)
  permit.settle(observation)
  permit.release()
}

/** Processes in touch with each other. */
async function inTouch(processes = 3, more: Parameters<typeof setUpFleet>[0] = {}): Promise<Fleet> {
  const fleet = setUpFleet({ processes, ...more })
  for (const process of fleet.all) process.burst(1)
  await fleet.clock.advance(1_200)
  for (const { sent } of fleet.all) sent.length = 0
  return fleet
}

/** The first process was told to come back in 5 s. */
async function parked(processes = 3): Promise<Fleet & { at: number }> {
  const fleet = await inTouch(processes)
  await exchange(fleet, fleet.first, throttle(5_000))
  return { ...fleet, at: fleet.clock.now() }
}

const states = ({ all }: Fleet) => all.map(({ gate }) => gate.snapshot().state)
const sent = ({ all }: Fleet): number => all.reduce((sum, process) => sum + process.sent.length, 0)

describe('a park', () => {
  test('of one process parks all of them as the news goes round', async () => {
    const fleet = await parked()
    await fleet.clock.advance(5)
    expect(states(fleet)).toEqual(['parked', 'parked', 'parked'])
    const left = fleet.all.map(({ gate }) => gate.snapshot().parkedForMs)
    expect(left.every((ms) => Math.abs(ms - 4_995) <= 5)).toBe(true)
  })

  test('reaches one that does not hear the news with its next call, half a heartbeat later at most', async () => {
    const { clock, all, first, ...fleet } = await inTouch()
    for (const { wire } of all) wire.downMs = 1
    const [, , third] = all
    third!.wire.loses = 'answers'
    await exchange({ clock, all, first, ...fleet }, first, throttle(5_000))
    await clock.advance(10)
    third!.wire.loses = 'nothing'
    expect(third!.gate.snapshot().state).toBe('open')
    await clock.advance(500)
    expect(third!.gate.snapshot().state).toBe('parked')
  })

  test('has nobody send until its end', async () => {
    const fleet = await parked()
    for (const process of fleet.all) process.burst(3)
    await fleet.clock.advance(4_990)
    expect(sent(fleet)).toBe(0)
    expect(fleet.second.gate.explain()).toMatchObject({ boundBy: 'park', queued: 3 })
  })

  test('is lengthened by what another is told, and not shortened', async () => {
    const fleet = await inTouch()
    const { clock, first, second } = fleet
    const late = await clock.runUntil(Promise.all([second.gate.acquire(), second.gate.acquire()]))
    await exchange(fleet, first, throttle(5_000))
    await clock.advance(100)
    late[0].settle(throttle(1_000))
    await clock.advance(10)
    expect(first.gate.snapshot().parkedForMs).toBeGreaterThan(4_800)
    late[1].settle(throttle(20_000))
    await clock.advance(10)
    for (const permit of late) permit.release()
    const left = fleet.all.map(({ gate }) => gate.snapshot().parkedForMs)
    expect(left.every((ms) => ms > 19_900 && ms <= 20_000)).toBe(true)
  })

  test('is that of a process which joins while it lasts, before that sends anything', async () => {
    const fleet = await parked()
    await fleet.clock.advance(1_000)
    const joining = fleet.start(7)
    joining.burst(3)
    await fleet.clock.advance(100)
    expect([joining.sent, joining.gate.snapshot().state]).toEqual([[], 'parked'])
  })

  test('is known again to an engine that has forgotten it', async () => {
    const fleet = await parked()
    await fleet.clock.advance(500)
    fleet.engine.flush()
    await fleet.clock.advance(600)
    const joining = fleet.start(7)
    joining.burst(3)
    await fleet.clock.advance(2_000)
    expect([joining.sent, joining.gate.snapshot().state]).toEqual([[], 'parked'])
  })

  test('made without an answer, by park(), is that of all', async () => {
    const fleet = await inTouch()
    fleet.second.gate.park(3_000)
    await fleet.clock.advance(5)
    expect(states(fleet)).toEqual(['parked', 'parked', 'parked'])
  })
})

describe('the probe', () => {
  test('is answered before anybody else goes, and then all go', async () => {
    const fleet = await parked()
    for (const process of fleet.all) for (let sends = 0; sends < 3; sends += 1) void process.send({}, 400)
    await fleet.clock.advance(5_390)
    expect(sent(fleet)).toBe(1)
    const waiting = fleet.all.filter((process) => process.sent.length === 0)
    expect(waiting.map(({ gate }) => gate.explain().boundBy)).toEqual(['probe', 'probe'])
    await fleet.clock.advance(100)
    expect([states(fleet), sent(fleet) > 6]).toEqual([['open', 'open', 'open'], true])
    await fleet.clock.advance(1_000)
    expect(sent(fleet)).toBe(9)
  })

  test('that fails parks all again', async () => {
    const fleet = await parked()
    for (const { gate } of fleet.all) void gate.acquire().then((permit) => permit.settle(throttle(7_000)))
    await fleet.clock.advance(5_100)
    const left = fleet.all.map(({ gate }) => gate.snapshot().parkedForMs)
    expect(left.every((ms) => ms > 6_800 && ms <= 7_000)).toBe(true)
    expect(fleet.all.reduce((held, { gate }) => held + gate.snapshot().held, 0)).toBe(1)
  })

  test("of a process that dies is another's after three heartbeats", async () => {
    const fleet = await parked()
    const [, second, third] = fleet.all
    void fleet.first.send({}, 100_000)
    await fleet.clock.advance(5_100)
    expect(fleet.first.sent).toHaveLength(1)
    fleet.first.wire.loses = 'calls'
    second!.burst(2)
    third!.burst(2)
    await fleet.clock.advance(2_500)
    expect(sent(fleet)).toBe(1)
    await fleet.clock.advance(2_000)
    expect([sent(fleet), states(fleet).slice(1)]).toEqual([5, ['open', 'open']])
  })

  test("that its caller gives up is another's", async () => {
    const fleet = await parked()
    const abort = new AbortController()
    const granted = fleet.first.gate.acquire({ signal: abort.signal })
    await fleet.clock.advance(5_050)
    const permit = await granted
    fleet.second.burst(2)
    await fleet.clock.advance(100)
    expect(fleet.second.sent).toHaveLength(0)
    permit.release()
    await fleet.clock.advance(600)
    expect(fleet.second.sent).toHaveLength(2)
  })

  test("whose grant is not used is another's", async () => {
    const fleet = await parked()
    const abort = new AbortController()
    fleet.first.burst(1, { signal: abort.signal })
    fleet.first.wire.downMs = 30
    await fleet.clock.advance(5_020)
    abort.abort()
    fleet.second.burst(1)
    await fleet.clock.advance(1_500)
    expect([fleet.first.sent, fleet.second.sent.length]).toEqual([[], 1])
  })

  test('whose grant was lost on its way is not waited for', async () => {
    const fleet = await parked(2)
    const { clock, first, second } = fleet
    await clock.advance(4_990)
    first.wire.loses = 'answers'
    first.burst(1)
    await clock.advance(200)
    first.wire.loses = 'nothing'
    first.burst(2)
    second.burst(3)
    await clock.advance(4_000)
    expect([sent(fleet), states(fleet)]).toEqual([6, ['open', 'open']])
  })

  test('goes by itself where the engine is away, and all are told when it is back', async () => {
    const fleet = await parked(2)
    await fleet.clock.advance(100)
    for (const { wire } of fleet.all) wire.fault = new Error('down')
    for (const process of fleet.all) process.burst(1)
    await fleet.clock.advance(8_000)
    expect(states(fleet)).toEqual(['open', 'open'])
    for (const { wire } of fleet.all) wire.fault = undefined
    await fleet.clock.advance(3_000)
    for (const process of fleet.all) process.burst(1)
    await fleet.clock.advance(1_000)
    expect([states(fleet), sent(fleet)]).toEqual([['open', 'open'], 4])
  })

  test('of one that breaks its park is known to all', async () => {
    const fleet = await parked()
    await fleet.clock.advance(10)
    const allowance = { maxDurationMs: 1_000, whenTooLong: 'clamp' as const }
    const early = fleet.second.gate.acquire({ allowance })
    await fleet.clock.advance(1_010)
    const permit = await early
    fleet.all[2]!.burst(1, { allowance, maxWaitMs: 2_000 })
    await fleet.clock.advance(1_500)
    expect(fleet.all[2]!.sent).toHaveLength(0)
    permit.settle(answer())
    permit.release()
    await fleet.clock.advance(20)
    expect(states(fleet)).toEqual(['open', 'open', 'open'])
  })
})
