import { describe, expect, test } from 'vitest'
import { engineUs, setUpEngine, us } from './set-up-engine.ts'

const windowMs = 1_000

describe('a call that comes after its time', () => {
  test.each([
    { name: 'in time', at: 250, late: false },
    { name: 'too late', at: 251, late: true },
  ])('$name', ({ at, late }) => {
    const engine = setUpEngine([[1, windowMs]])
    expect(engine.call(at, 'a', { calledAt: 0, wants: [1] }).reply).toMatchObject({ late, now: engineUs(at) })
  })

  test('does nothing', () => {
    const engine = setUpEngine([[1, windowMs]])
    engine.hear(0, 'b')
    engine.call(300, 'a', { calledAt: 0, wants: [1], extra: [1], recent: [1], park: PARK, leaves: true })
    expect(engine.hear(301, 'b', { wants: [1] })).toMatchObject({
      starts: [301],
      reply: { park: undefined, members: 1, probing: 'nobody' },
    })
  })

  test('is heeded where whoever called cannot tell the time', () => {
    const engine = setUpEngine([[1, windowMs]])
    expect(engine.call(300, 'a', { calledAt: -1_764_000_000_000, wants: [1] }).reply.late).toBe(false)
  })
})

const PARK = { forUs: us(5_000), hinted: true, ceilingUs: us(60_000), broken: false }

describe('the engine has another clock than before', () => {
  const setUp = (limit = 2) => {
    const engine = setUpEngine([[limit, windowMs]], { horizonMs: 250 })
    expect(engine.starts(0, 'a', [1, 1])).toEqual([0, 0])
    return engine
  }

  /** When a window is free again after `clockOffMs` came over the engine at 500. Instants are true ones. */
  function freeAt(clockOffMs: number, jumped: boolean): number {
    const engine = setUp()
    for (let at = 500; at < 200_000; at += 10) {
      const how = { clockOffMs, jumped: jumped && at === 500, calledAt: at }
      const { reply } = engine.call(at, 'a', { ...how, wants: [1] })
      if (!reply.late && reply.starts.length > 0) return at + reply.starts[0]! / 1000
    }
    return Infinity
  }

  test.each([
    { name: 'a little behind', clockOffMs: -50, from: 1_050, to: 1_050 },
    { name: 'a minute behind', clockOffMs: -60_000, from: 1_000, to: 1_760 },
    { name: 'years behind', clockOffMs: -1e11, from: 1_000, to: 1_760 },
    { name: 'a little ahead', clockOffMs: 50, from: 950, to: 950 },
  ])('$name: the window is no shorter than it has to be', ({ clockOffMs, from, to }) => {
    const at = freeAt(clockOffMs, false)
    expect([at >= from, at <= to, at]).toEqual([true, true, at])
  })

  test.each([1_000, 60_000, 1e11])('%d ms ahead, by the word of one that had its answer in time', (clockOffMs) => {
    const at = freeAt(clockOffMs, true)
    expect([at >= 1_000, at <= 1_010, at]).toEqual([true, true, at])
  })

  test('ahead, and nobody has said so: calls are late until one does, and change nothing', () => {
    const engine = setUp()
    expect(engine.call(500, 'a', { clockOffMs: 60_000, wants: [1] }).reply.late).toBe(true)
    expect(engine.call(501, 'a', { clockOffMs: 60_000, wants: [1], jumped: true }).reply).toMatchObject({
      late: false,
      now: engineUs(501),
      starts: [],
    })
    expect(engine.call(502, 'a', { clockOffMs: 60_000 }).reply).toMatchObject({ late: false, now: engineUs(502) })
  })

  test('one that says that it has jumped, of a clock that is right, does not move it', () => {
    const engine = setUp()
    engine.call(500, 'a', { jumped: true })
    expect(engine.call(501, 'a').reply.now).toBe(engineUs(501))
  })

  test('time goes on at its own pace after a step back', () => {
    const engine = setUp()
    const [first, second] = [500, 600].map((at) => engine.call(at, 'a', { clockOffMs: -60_000 }).reply.now)
    expect(second! - first!).toBe(us(100))
  })
})
