import { describe, expect, test } from 'vitest'
import type { CalledPark } from '../../../src/shared/protocol.ts'
import { engineUs, heartbeatMs, type LimitOf, setUpEngine, us } from './set-up-engine.ts'

const windowMs = 1_000
const limits: LimitOf[] = [[10, windowMs]]

function park(forMs: number, more: Partial<CalledPark> = {}): CalledPark {
  return { forUs: us(forMs), hinted: false, ceilingUs: us(60_000), broken: false, ...more }
}

/** Members a and b, and what a was told at 0. */
function parked(told = park(5_000)) {
  const engine = setUpEngine(limits)
  for (const member of ['a', 'b', 'a']) engine.hear(0, member)
  engine.call(0, 'a', { park: told })
  return engine
}

/** The park of `parked` is over, and it is b's probe that is out. */
function probing(told?: CalledPark) {
  const engine = parked(told)
  const { starts, reply } = engine.hear(5_000, 'b', { wants: [1, 1] })
  expect([starts, reply.grantsProbe, reply.probing]).toEqual([[5_000], true, 'this'])
  return engine
}

describe('a park', () => {
  test('holds every member until its end', () => {
    const engine = parked()
    const { starts, backAt, reply } = engine.hear(1_000, 'b', { wants: [1] })
    expect([starts, backAt, reply.park, reply.probing]).toEqual([[], 5_000, park(4_000), 'nobody'])
    expect(engine.hear(4_999, 'b', { wants: [1] })).toMatchObject({ starts: [], backAt: 5_004 })
  })

  test('is told to the others at once, and so are its lengthening and its end', () => {
    const engine = parked()
    const isNews = (member: string, at: number, ask: object) => engine.call(at, member, ask).isNews
    expect([
      isNews('a', 1, {}),
      isNews('b', 1, { park: park(4_000) }),
      isNews('b', 1, { park: park(6_000) }),
      isNews('b', 6_100, { wants: [1] }),
      isNews('b', 6_200, { probe: 'reopened' }),
      isNews('b', 6_300, {}),
    ]).toEqual([false, false, true, false, true, false])
  })

  test.each<{ name: string; before?: CalledPark; told: CalledPark; left: CalledPark }>([
    {
      name: 'a lower ceiling does not lower it',
      before: park(5_000, { hinted: true, ceilingUs: us(9e5) }),
      told: park(1_000),
      left: park(5_000, { hinted: true, ceilingUs: us(9e5) }),
    },
    { name: 'a later end lengthens it', told: park(9_000), left: park(9_000) },
    { name: 'an earlier one does not shorten it', told: park(1_000), left: park(5_000, { hinted: true }) },
    {
      name: 'the ceiling is the highest',
      told: park(1_000, { ceilingUs: us(9e5) }),
      left: park(5_000, { hinted: true, ceilingUs: us(9e5) }),
    },
    {
      name: 'a later end says whether it is a hint',
      told: park(9_000, { hinted: true }),
      left: park(9_000, { hinted: true }),
    },
  ])('$name', ({ before = park(5_000, { hinted: true }), told, left }) => {
    const engine = parked(before)
    expect(engine.hear(0, 'b', { park: told }).reply.park).toEqual(left)
  })

  test("ends no member's place in line", () => {
    const engine = setUpEngine([[1, windowMs]])
    engine.starts(0, 'a', [1])
    expect(engine.hear(1, 'b', { wants: [1] }).backAt).toBe(1_000)
    engine.call(2, 'a', { park: park(500) })
    expect(engine.hear(3, 'b', { wants: [1] }).backAt).toBe(502)
    expect(engine.state.turns.map(({ member }) => member)).toEqual(['b'])
  })
})

describe('after a park', () => {
  test('one attempt goes, and whoever else asks comes back half a heartbeat later', () => {
    const engine = probing()
    const { starts, backAt, reply } = engine.hear(5_001, 'a', { wants: [1] })
    expect([starts, backAt, reply.probing, reply.park]).toEqual([[], 5_501, 'another', park(0)])
    expect(engine.hear(5_002, 'b', { wants: [1] })).toMatchObject({
      starts: [],
      backAt: 5_502,
      reply: { probing: 'this' },
    })
  })

  test('the rest of those who asked with it come back half a heartbeat later', () => {
    expect(parked().hear(5_000, 'b', { wants: [1, 1] }).backAt).toBe(5_500)
  })

  test('a probe that finds no room is not out', () => {
    const engine = setUpEngine([[1, 10_000]])
    engine.starts(0, 'a', [1])
    engine.call(0, 'a', { park: park(5_000) })
    expect(engine.hear(5_000, 'a', { wants: [1] })).toMatchObject({
      starts: [],
      reply: { probing: 'nobody', grantsProbe: false },
    })
    expect(engine.hear(10_000, 'a', { wants: [1] })).toMatchObject({ starts: [10_000], reply: { probing: 'this' } })
  })

  test('its probe opens the gate for all', () => {
    const engine = probing()
    expect(engine.hear(5_100, 'b', { probe: 'reopened' }).reply).toMatchObject({ park: undefined, probing: 'nobody' })
    expect(engine.starts(5_101, 'a', [1, 1])).toEqual([5_101, 5_101])
  })

  test('nobody else does', () => {
    const engine = probing()
    expect(engine.hear(5_100, 'a', { probe: 'reopened' }).reply).toMatchObject({ park: park(0), probing: 'another' })
  })

  test('but where nobody probes any more one whose probe was answered does', () => {
    const engine = parked()
    expect(engine.hear(5_100, 'a', { probe: 'reopened' }).reply.park).toBeUndefined()
  })

  test('a failed probe parks again, and another may follow', () => {
    const engine = probing()
    engine.hear(5_100, 'b', { probe: 'lost', park: park(2_000, { ceilingUs: us(120_000) }) })
    expect(engine.hear(5_101, 'a', { wants: [1] })).toMatchObject({ starts: [], backAt: 7_100 })
    expect(engine.hear(7_100, 'a', { wants: [1] })).toMatchObject({ starts: [7_100], reply: { probing: 'this' } })
    expect(engine.state.park!.ceilingUs).toBe(us(120_000))
  })

  test.each([
    { name: 'lost', ask: { probe: 'lost' as const } },
    { name: 'of one that leaves', ask: { leaves: true } },
  ])('a probe that is $name frees it for another', ({ ask }) => {
    const engine = probing()
    engine.hear(5_100, 'b', ask)
    expect(engine.hear(5_101, 'a', { wants: [1] })).toMatchObject({ starts: [5_101], reply: { grantsProbe: true } })
  })

  test('only its own member loses a probe', () => {
    const engine = probing()
    expect(engine.hear(5_100, 'a', { probe: 'lost' }).reply.probing).toBe('another')
  })

  test('the probe of one that is gone is free', () => {
    const engine = probing()
    const at = 5_000 + 3 * heartbeatMs
    expect(engine.hear(at, 'a', { wants: [1] })).toMatchObject({ starts: [], reply: { probing: 'another' } })
    expect(engine.hear(at + 1, 'a', { wants: [1] })).toMatchObject({ starts: [at + 1], reply: { probing: 'this' } })
  })

  test('a hinted one lets its probe past readings, and another does not', () => {
    const of = (hinted: boolean) => {
      const engine = parked(park(500, { hinted }))
      const use = { index: 0, stated: 10, used: 10, transitUs: 0, possiblySinceAt: 0, surelySinceAt: 0 }
      const times = { sentAt: engineUs(1), takenAt: engineUs(2), until: engineUs(2_000) }
      engine.hear(100, 'a', { readings: [{ ...use, ...times }] })
      return engine.starts(500, 'a', [1])
    }
    expect([of(true), of(false)]).toEqual([[500], []])
  })
})

describe('a park that is broken by a probe before its end', () => {
  const broken = () => {
    const engine = parked()
    engine.hear(1_000, 'a', { park: park(4_000, { broken: true }) })
    return engine
  }

  test('stands, is known as broken, and has its probe out', () => {
    const { reply } = broken().hear(1_001, 'b', { wants: [1] })
    expect([reply.park, reply.probing]).toEqual([park(3_999, { broken: true }), 'another'])
  })

  test('stays broken whatever others say of it', () => {
    const engine = broken()
    expect(engine.hear(1_000, 'b', { park: park(1_000) }).reply.park!.broken).toBe(true)
  })

  test('is opened by that probe', () => {
    expect(broken().hear(1_100, 'a', { probe: 'reopened' }).reply.park).toBeUndefined()
  })

  test('is another one once it is lengthened', () => {
    expect(broken().hear(1_000, 'b', { park: park(9_000) }).reply.park!.broken).toBe(false)
  })
})
