import { describe, expect, test } from 'vitest'
import * as check from '../../src/gate/check.ts'

const whole = check.number({ min: 1, max: 5, integer: true })
const named = check.options({ a: whole, b: check.string }, ['a'])

describe('what an option should have been', () => {
  test.each<{ check: check.Check; takes: unknown[]; refuses: unknown[]; expected: string }>([
    {
      check: check.number({ min: 0.5, max: 5 }),
      takes: [0.5, 5],
      refuses: [0, 6, '1'],
      expected: 'a number from 0.5 to 5',
    },
    { check: whole, takes: [1, 5], refuses: [0, 1.5, NaN], expected: 'a whole number from 1 to 5' },
    {
      check: check.number({ min: Number.MIN_VALUE, max: 5 }),
      takes: [1e-9, 5],
      refuses: [0],
      expected: 'a number above 0, at most 5',
    },
    { check: check.choice('wait', 'refuse'), takes: ['wait'], refuses: ['', 5], expected: "'wait' or 'refuse'" },
    { check: check.string, takes: [''], refuses: [5, null], expected: 'a string' },
    { check: check.boolean, takes: [true, false], refuses: [0, null], expected: 'true or false' },
    { check: check.aFunction, takes: [() => 0], refuses: [{}, undefined], expected: 'a function' },
    { check: check.list(whole, 2), takes: [[], [1, 5]], refuses: [{}, null], expected: 'an array' },
    { check: check.list(whole, 2), takes: [[1, 2]], refuses: [[1, 2, 3]], expected: 'at most 2 members' },
    { check: check.recordOf(whole), takes: [{}, { x: 1 }], refuses: [[], null, 5], expected: 'an object' },
    { check: named, takes: [{ a: 1 }, { a: 1, b: undefined }], refuses: [[], null, 5], expected: 'an object' },
  ])('$expected', ({ check: checks, takes, refuses, expected }) => {
    for (const value of takes) expect(checks(value, 'x')).toEqual([])
    for (const value of refuses) expect(checks(value, 'x')).toEqual([{ option: 'x', value, expected }])
  })

  test.each<{ check: check.Check; value: unknown; option: string; of: unknown; expected?: string }>([
    { check: check.list(whole), value: [1, 9], option: 'x[1]', of: 9 },
    { check: check.recordOf(whole), value: { y: 9 }, option: "x['y']", of: 9 },
    { check: named, value: {}, option: 'x.a', of: undefined },
    { check: named, value: { a: 9 }, option: 'x.a', of: 9 },
    { check: named, value: { a: 1, c: 5 }, option: 'x.c', of: 5, expected: 'no other option than a, b' },
  ])('is told by its path: $option of $value', ({ check: checks, value, option, of, expected }) => {
    expect(checks(value, 'x')).toEqual([{ option, value: of, expected: expected ?? 'a whole number from 1 to 5' }])
  })

  test('at the top there is no path', () => {
    const expected = ['a whole number from 1 to 5', 'no other option than a, b', 'an object']
    expect(named({ a: 9, c: 5 }, '').map((fault) => [fault.option, fault.expected])).toEqual([
      ['a', expected[0]],
      ['c', expected[1]],
    ])
    expect(named(5, '')).toEqual([{ option: 'options', value: 5, expected: expected[2] }])
  })
})

describe('one thing or else another', () => {
  const either = check.orElse((value) => value === false, 'false', named)
  test.each<{ name: string; value: unknown; faults: [option: string, expected: string][] }>([
    { name: 'the one', value: false, faults: [] },
    { name: 'the other', value: { a: 1 }, faults: [] },
    { name: 'neither: both are named', value: 5, faults: [['x', 'false or an object']] },
    { name: 'a fault in the other', value: { a: 9 }, faults: [['x.a', 'a whole number from 1 to 5']] },
  ])('$name', ({ value, faults }) => {
    expect(either(value, 'x').map(({ option, expected }) => [option, expected])).toEqual(faults)
  })
})
