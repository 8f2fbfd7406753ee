import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Deadlines, type Due } from '../../src/gate/deadlines.ts'
import { examples } from '../support/examples.ts'

function due(giveUpAt: number, arrival = 0, priority = 0): Due & { left: boolean } {
  return { giveUpAt, priority, arrival, left: false }
}

describe('deadlines', () => {
  test('none: the next one never comes', () => {
    const deadlines = new Deadlines()
    expect([deadlines.nextAt, deadlines.take(Infinity)]).toEqual([Infinity, undefined])
  })

  test('are taken once, earliest first, not before their instant', () => {
    const deadlines = new Deadlines()
    const [late, early] = [due(20), due(10)]
    deadlines.add(late)
    deadlines.add(early)
    expect([deadlines.nextAt, deadlines.take(9)]).toEqual([10, undefined])
    expect([deadlines.take(10), deadlines.take(19), deadlines.take(20), deadlines.take(20)]).toEqual([
      early,
      undefined,
      late,
      undefined,
    ])
  })

  test('of one instant are taken in the order of the line', () => {
    const deadlines = new Deadlines()
    const [urgent, first, second, third] = [due(10, 9, 1), due(10, 1), due(10, 2), due(10, 3)]
    for (const each of [third, second, urgent, first]) deadlines.add(each)
    expect([1, 2, 3, 4].map(() => deadlines.take(10))).toEqual([urgent, first, second, third])
  })

  test('those who left are skipped, wherever they stand', () => {
    const deadlines = new Deadlines()
    const all = [10, 20, 30, 40].map((at) => due(at))
    for (const each of all) deadlines.add(each)
    all[0]!.left = true
    all[2]!.left = true
    expect(deadlines.nextAt).toBe(20)
    expect([1, 2, 3].map(() => deadlines.take(100))).toEqual([all[1], all[3], undefined])
  })

  test('those who left are let go when they are most of all, and the others keep their order', () => {
    const deadlines = new Deadlines<Due & { left: boolean }>()
    const all = Array.from({ length: 1_000 }, (_, index) => due(10 + ((index * 7) % 1_000)))
    for (const each of all) deadlines.add(each)
    for (const each of all.slice(0, 900)) {
      each.left = true
      deadlines.leave(each)
    }
    expect(deadlines.size).toBeLessThan(250)
    const taken = Array.from({ length: 101 }, () => deadlines.take(Infinity))
    expect(taken).toEqual([...all.slice(900).toSorted((one, other) => one.giveUpAt - other.giveUpAt), undefined])
  })

  test.each([
    { of: 200, leave: 99, kept: 200 },
    { of: 200, leave: 100, kept: 100 },
    { of: 63, leave: 63, kept: 63 },
    { of: 64, leave: 64, kept: 0 },
    { of: 200, leave: 163, kept: 100 },
    { of: 200, leave: 164, kept: 36 },
  ])('of $of after $leave have left $kept are kept', ({ of, leave, kept }) => {
    const deadlines = new Deadlines()
    const all = Array.from({ length: of }, (_, index) => due(index))
    for (const each of all) deadlines.add(each)
    for (const each of all.toReversed().slice(0, leave)) {
      each.left = true
      deadlines.leave(each)
    }
    expect(deadlines.size).toBe(kept)
  })

  test('neither those that are gone nor those without an instant count as having left', () => {
    const deadlines = new Deadlines()
    const all = Array.from({ length: 200 }, (_, index) => due(index))
    const leave = (leaving: ReturnType<typeof due>[]) => {
      for (const each of leaving) {
        each.left = true
        deadlines.leave(each)
      }
    }
    for (const each of all) deadlines.add(each)
    leave(all.slice(0, 60))
    expect([deadlines.nextAt, deadlines.size]).toEqual([60, 140])
    leave(all.slice(140))
    leave(Array.from({ length: 100 }, () => due(Infinity)))
    expect(deadlines.size).toBe(140)
  })

  test('one that has no instant is not kept', () => {
    const deadlines = new Deadlines()
    deadlines.add(due(Infinity))
    expect(deadlines.take(Infinity)).toBeUndefined()
  })

  test('come in order whatever was added, taken and left in between', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('add' as const), at: fc.nat(50) }),
      fc.record({ kind: fc.constant('take' as const), at: fc.nat(50) }),
      fc.record({ kind: fc.constant('leave' as const), at: fc.nat(50) }),
    )
    const property = fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
      const deadlines = new Deadlines<ReturnType<typeof due>>()
      let plain: ReturnType<typeof due>[] = []
      let wrong = false
      for (const { kind, at } of steps) {
        const earliest = Math.min(Infinity, ...plain.map(({ giveUpAt }) => giveUpAt))
        if (kind === 'add') {
          const added = due(at)
          plain.push(added)
          deadlines.add(added)
        } else if (kind === 'take') {
          const taken = deadlines.take(at)
          wrong ||= taken?.giveUpAt !== (earliest <= at ? earliest : undefined)
          plain = plain.filter((each) => each !== taken)
        } else if (plain.length > 0) {
          const [leaving] = plain.splice(at % plain.length, 1)
          leaving!.left = true
        }
        wrong ||= deadlines.nextAt !== Math.min(Infinity, ...plain.map(({ giveUpAt }) => giveUpAt))
      }
      expect(wrong).toBe(false)
    })
    fc.assert(property, { numRuns: examples(500) })
  })
})
