import { describe, expect, test } from 'vitest'
import { Recovery } from '../../src/gate/recovery.ts'

const cooldown = { baseMs: 60_000, maxMs: 600_000, parkMs: 5_000 }

function setUp() {
  const told: unknown[][] = []
  const recovery = new Recovery(cooldown, {
    parked: (...args) => told.push(['parked', ...args]),
    reopened: () => told.push(['reopened']),
  })
  /** The attempt of this place was refused at 0 without a word on what is left. */
  const refused = (order: number): void => {
    recovery.throttled({ now: 0, order, retryAfterMs: undefined, readingUntil: undefined, random: 0 }, false, order)
  }
  return { recovery, told, refused }
}

describe('the mark "spent"', () => {
  test.each([
    { name: 'a later answer that tells what is left', order: 6, tellsLeft: true, spent: undefined },
    { name: 'an earlier one', order: 4, tellsLeft: true, spent: true },
    { name: 'one that does not tell', order: 6, tellsLeft: false, spent: true },
  ])('after $name: $spent', ({ order, tellsLeft, spent }) => {
    const { recovery, refused } = setUp()
    refused(5)
    recovery.answered(order, tellsLeft)
    expect(recovery.save(0).spent).toBe(spent)
  })

  test('of another process is cleared by the first answer that tells', () => {
    const { recovery } = setUp()
    recovery.restore({ spent: true }, 0, -1, 0)
    expect(recovery.save(0)).toEqual({ spent: true })
    recovery.answered(0, true)
    expect(recovery.save(0)).toEqual({})
  })

  test('is not there where another process had none', () => {
    const { recovery } = setUp()
    recovery.restore({}, 0, -1, 0)
    expect(recovery.save(0)).toEqual({})
  })
})

describe('another process', () => {
  test('that was told to park parks this one, which tells of it', () => {
    const { recovery, told } = setUp()
    recovery.take({ until: 5_000, hinted: true, ceilingMs: 60_000, broken: false }, -1, 1_000)
    expect([recovery.park.state, told]).toEqual(['parked', [['parked', 4_000, true]]])
  })

  test.each([
    { knows: 'something', allowed: Infinity },
    { knows: 'nothing', allowed: 1 },
  ])('that has seen the upstream recover opens it; with a ramp where it knows $knows', ({ knows, allowed }) => {
    const { recovery, told, refused } = setUp()
    if (knows === 'nothing') refused(0)
    else recovery.extend(60_000, 0, 0)
    recovery.reopen()
    expect([recovery.park.state, recovery.allowed, recovery.save(0), told[1]]).toEqual([
      'open',
      allowed,
      {},
      ['reopened'],
    ])
  })

  test('need not tell anybody', () => {
    const recovery = new Recovery(cooldown, {})
    recovery.extend(60_000, 0, 0)
    recovery.reopen()
    expect(recovery.park.state).toBe('open')
  })
})
