import { describe, expect, test } from 'vitest'
import { heartbeatMs, type LimitOf, setUpEngine } from './set-up-engine.ts'

const windowMs = 10_000
const limits: LimitOf[] = [[10, windowMs]]

describe('members', () => {
  test('are told how many there are', () => {
    const engine = setUpEngine(limits)
    expect(['a', 'b', 'c', 'b'].map((member) => engine.hear(0, member).reply.members)).toEqual([1, 2, 3, 3])
  })

  test('are gone after three heartbeats', () => {
    const engine = setUpEngine(limits)
    engine.hear(0, 'a')
    const seenAt = (at: number) => engine.hear(at, 'b').reply.members
    expect([seenAt(3 * heartbeatMs), seenAt(3 * heartbeatMs + 1)]).toEqual([2, 1])
  })

  test('are gone at once when they leave', () => {
    const engine = setUpEngine(limits)
    engine.hear(0, 'a')
    engine.hear(0, 'b')
    engine.hear(1, 'a', { leaves: true })
    expect(engine.hear(1, 'b').reply.members).toBe(1)
  })

  test('what one was charged is remembered for two windows after it was gone, and then forgotten', () => {
    const engine = setUpEngine(limits)
    engine.starts(0, 'a', [1])
    const { accounts } = engine.state.limits.get('l0')!
    const goneAt = 2 * windowMs + 3 * heartbeatMs
    engine.hear(goneAt, 'b')
    expect([accounts.has('a'), engine.state.members.has('a')]).toEqual([true, true])
    engine.hear(goneAt + 1, 'b')
    expect([accounts.has('a'), engine.state.members.has('a'), accounts.has('b')]).toEqual([false, false, true])
  })

  test('one that comes back after that is taken for what it says', () => {
    const engine = setUpEngine(limits)
    engine.starts(0, 'a', [4])
    engine.hear(100_000, 'b')
    expect(engine.hear(100_001, 'a', { recent: [0] })).toMatchObject({
      reply: { learning: false, limits: [{ granted: 4 }] },
    })
    expect(engine.starts(100_002, 'a', [10])).toEqual([100_002])
  })
})

describe('what was sent without a grant is charged', () => {
  test('once, as of when it is told', () => {
    const engine = setUpEngine(limits)
    engine.hear(0, 'a')
    for (const at of [100, 101]) engine.hear(at, 'a', { extra: [3], recent: [3] })
    expect(engine.room(102, 'z')).toBe(7)
    expect([engine.starts(10_099, 'a', [3]), engine.starts(10_110, 'z', [10])]).toEqual([[], [10_110]])
  })

  test('and more of it as there is more', () => {
    const engine = setUpEngine(limits)
    engine.hear(0, 'a')
    for (const extra of [3, 5, 5]) engine.hear(100, 'a', { extra: [extra], recent: [extra] })
    expect(engine.room(102, 'z')).toBe(5)
  })

  test('but no more than can be in the window', () => {
    const engine = setUpEngine(limits)
    engine.hear(0, 'a')
    engine.hear(100, 'a', { extra: [30], recent: [2] })
    expect(engine.room(102, 'z')).toBe(8)
  })

  test('also where the clock was set back to when what has left the window was sent', () => {
    const engine = setUpEngine([[1, 1_000]])
    engine.hear(0, 'a', { extra: [1], recent: [1] })
    engine.hear(1_000, 'a')
    engine.hear(1_000, 'a', { extra: [2], recent: [1], clockOffMs: -1_000 })
    const startAt = (at: number) => engine.starts(at, 'z', [1], { clockOffMs: -1_000 })
    expect([startAt(1_999), startAt(2_000)]).toEqual([[], [1_000]])
  })

  test('beyond the limit if it was, and nobody goes until it has left', () => {
    const engine = setUpEngine(limits)
    engine.hear(0, 'a')
    engine.hear(100, 'a', { extra: [30], recent: [30] })
    expect([engine.room(10_099, 'z'), engine.room(10_100, 'z')]).toEqual([0, 10])
  })

  test('and so is what was granted and the engine has lost', () => {
    const engine = setUpEngine(limits)
    engine.starts(0, 'a', [1, 1, 1])
    engine.state.limits.get('l0')!.accounts.clear()
    engine.state.limits.clear()
    const { reply } = engine.hear(1, 'a')
    expect([reply.limits[0]!.granted, engine.room(2, 'z')]).toEqual([3, 7])
  })
})

describe('an engine that has lost its memory waits', () => {
  /** Three members that have spent 3 of 10 each, and an engine that knows nothing of it from 100 on. */
  function lost() {
    const engine = setUpEngine(limits)
    for (const member of ['a', 'b', 'c']) engine.hear(0, member)
    for (const member of ['a', 'b', 'c']) expect(engine.starts(1, member, [3])).toEqual([1])
    engine.flush()
    return engine
  }

  test('until all members have told what they have sent', () => {
    const engine = lost()
    const ask = (at: number, member: string) => {
      const { starts, backAt, reply } = engine.hear(at, member, { wants: [1, 1] })
      return [starts, backAt, reply.learning, reply.members]
    }
    expect(ask(100, 'a')).toEqual([[], 150, true, 3])
    expect(ask(110, 'b')).toEqual([[], 160, true, 3])
    expect(ask(150, 'a')).toEqual([[], 200, true, 3])
    expect(ask(160, 'c')).toEqual([[160], 10_100, false, 3])
    expect(ask(200, 'a')).toEqual([[], 10_100, false, 3])
  })

  test('or two heartbeats: one may be gone', () => {
    const engine = lost()
    expect(engine.hear(100, 'a', { wants: [1] }).reply.learning).toBe(true)
    expect(engine.hear(110, 'b').reply.learning).toBe(true)
    expect(engine.hear(100 + 2 * heartbeatMs - 1, 'a', { wants: [1] })).toMatchObject({ starts: [] })
    expect(engine.hear(100 + 2 * heartbeatMs, 'a', { wants: [1] })).toMatchObject({ starts: [2_100] })
  })

  test('once, although each of them has lost it', () => {
    const engine = lost()
    engine.hear(100, 'a')
    engine.hear(2_000, 'b')
    expect(engine.hear(2_101, 'c', { wants: [1] })).toMatchObject({ starts: [2_101], reply: { learning: false } })
  })

  test('and anew when it loses it again', () => {
    const engine = lost()
    for (const member of ['a', 'b', 'c']) engine.hear(100, member)
    engine.flush()
    expect(engine.hear(200, 'a', { wants: [1] }).reply.learning).toBe(true)
  })

  test('not for a member that is new and alone', () => {
    expect(setUpEngine(limits).hear(0, 'a', { wants: [1] })).toMatchObject({ starts: [0], reply: { learning: false } })
  })

  test('not for members that come to an engine that is new to all of them', () => {
    const engine = setUpEngine(limits)
    for (const member of ['a', 'b']) expect(engine.hear(0, member, { wants: [1], members: 2 }).starts).toEqual([0])
  })

  test('tells the others at once', () => {
    const engine = lost()
    expect(['a', 'b', 'c', 'a'].map((member) => engine.call(100, member).isNews)).toEqual([true, false, false, false])
  })

  test('also where only what was charged is lost', () => {
    const engine = setUpEngine(limits)
    for (const member of ['a', 'b']) engine.hear(0, member)
    engine.starts(1, 'a', [3])
    engine.hear(2, 'b')
    engine.state.limits.clear()
    expect(engine.hear(3, 'a', { wants: [1] })).toMatchObject({ starts: [], reply: { learning: true } })
    expect(engine.hear(4, 'b', { wants: [1] })).toMatchObject({ starts: [4], reply: { learning: false } })
  })

  test('not where nothing of what is lost can be in the window any more', () => {
    const engine = setUpEngine(limits)
    for (const member of ['a', 'b']) engine.hear(0, member)
    engine.starts(1, 'a', [3])
    engine.state.limits.clear()
    expect(engine.hear(2, 'a', { wants: [1], recent: [0] })).toMatchObject({ starts: [2], reply: { learning: false } })
  })

  test('for one that was away, until who is not in touch has come', () => {
    const engine = setUpEngine(limits)
    for (const member of ['a', 'b', 'c', 'a', 'b', 'c']) engine.hear(0, member)
    engine.hear(1_400, 'b')
    expect(engine.hear(1_500, 'a', { wants: [1], away: true }).reply.learning).toBe(true)
    expect(engine.hear(1_501, 'a', { wants: [1], back: true }).reply.learning).toBe(true)
    expect(engine.hear(1_600, 'c', { wants: [1], away: true }).starts).toEqual([])
    expect(engine.hear(1_601, 'c', { wants: [1], back: true })).toMatchObject({ starts: [1_601] })
    expect(engine.hear(1_650, 'a', { wants: [1] })).toMatchObject({ starts: [1_650] })
  })

  test.each([
    { name: 'longer ago than an answer is waited for', heardAt: 1_249, learning: true },
    { name: 'no longer ago than that', heardAt: 1_250, learning: false },
  ])('for one that is back, where another was heard of $name: $learning', ({ heardAt, learning }) => {
    const engine = setUpEngine(limits)
    for (const member of ['b', 'a']) engine.hear(0, member)
    engine.hear(heardAt, 'b')
    expect(engine.hear(1_500, 'a', { away: true }).reply.learning).toBe(true)
    expect(engine.hear(1_501, 'a', { back: true }).reply.learning).toBe(learning)
  })

  test('anew for one that comes back when that was long ago: the others may have gone by themselves again', () => {
    const engine = lost()
    engine.hear(100, 'a')
    engine.hear(110, 'b')
    expect(engine.hear(2_100, 'a').reply.learning).toBe(false)
    expect(engine.hear(2_600, 'c', { away: true }).reply.learning).toBe(true)
    expect(engine.hear(2_601, 'c', { back: true }).reply.learning).toBe(true)
    expect(engine.hear(2_700, 'b').reply.learning).toBe(true)
    expect(engine.hear(2_710, 'a').reply.learning).toBe(false)
  })

  test('for as many as any of them knows of', () => {
    const engine = lost()
    engine.hear(100, 'a')
    expect(engine.hear(1_300, 'b', { members: 1 }).reply.learning).toBe(true)
  })

  test('not for one that was away alone', () => {
    const engine = setUpEngine(limits)
    engine.hear(0, 'a')
    expect(engine.hear(5_000, 'a', { away: true }).reply.learning).toBe(true)
    expect(engine.hear(5_001, 'a', { wants: [1], back: true })).toMatchObject({ starts: [5_001] })
  })
})

describe('of members that configure different limits', () => {
  const small: LimitOf[] = [[2, windowMs]]

  test('the smallest holds for all, and all are told', () => {
    const engine = setUpEngine(limits)
    engine.starts(0, 'small', [1], { limits: small })
    const { starts, reply } = engine.hear(1, 'large', { wants: [1, 1, 1] })
    expect([starts, reply.limits]).toEqual([[1], [{ granted: 1, limit: 2 }]])
  })

  test('as long as one configures it, whether it has anything to send or not', () => {
    const engine = setUpEngine(limits)
    engine.starts(0, 'small', [1], { limits: small })
    for (let at = 500; at <= 8_000; at += 500) engine.hear(at, 'small', { limits: small })
    expect(engine.starts(8_001, 'large', [1, 1, 1])).toEqual([8_001])
  })

  test('and for three heartbeats more', () => {
    const engine = setUpEngine(limits)
    engine.starts(0, 'small', [1], { limits: small })
    expect([engine.starts(3_000, 'large', [1, 1]), engine.starts(3_001, 'large', [1, 1])]).toEqual([
      [3_000],
      [3_001, 3_001],
    ])
  })

  test('one that leaves configures nothing any more', () => {
    const engine = setUpEngine(limits)
    engine.starts(0, 'small', [1], { limits: small })
    engine.hear(2_000, 'small', { limits: small, leaves: true })
    expect(engine.starts(3_001, 'large', [1, 1])).toEqual([3_001, 3_001])
  })
})
