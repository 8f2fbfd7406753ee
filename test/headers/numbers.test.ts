import { describe, expect, it } from 'vitest'
import { readDecimal, readInteger, readThousandths, readUnsigned } from '../../src/headers/numbers.ts'

const max = Number.MAX_SAFE_INTEGER

// What Number, parseInt or parseFloat would each make something of.
const junk = [
  ['nothing', ''],
  ['a space', ' '],
  ['spaces around', ' 1 '],
  ['a suffix', '120junk'],
  ['a unit', '30s'],
  ['a plus sign', '+1'],
  ['two signs', '--1'],
  ['a sign alone', '-'],
  ['an exponent', '1e3'],
  ['hexadecimal', '0x10'],
  ['binary', '0b1'],
  ['a separator', '1_000'],
  ['a thousands comma', '1,000'],
  ['Infinity', 'Infinity'],
  ['minus Infinity', '-Infinity'],
  ['NaN', 'NaN'],
  ['no digit before the point', '.5'],
  ['no digit after the point', '5.'],
  ['two points', '1.2.3'],
  ['a point alone', '.'],
  ['a sign after the point', '1.-5'],
  ['digits of another script', '١٢'],
  ['full-width digits', '１２'],
  ['null', 'null'],
  ['one more than is safe', '9007199254740992'],
  ['17 digits', '00000000000000001'],
  ['17 digits before the point', '00000000000000001.5'],
  ['1 000 digits', '1'.repeat(1_000)],
] as const

describe('every reader of numbers', () => {
  for (const [what, text] of junk) {
    it(`refuses ${what}`, () => {
      for (const read of [readInteger, readDecimal, readUnsigned, readThousandths]) expect(read(text)).toBeUndefined()
    })
  }
})

describe('readInteger', () => {
  for (const [text, expected] of [
    ['0', 0],
    ['007', 7],
    ['120', 120],
    [String(max), max],
    ['-1', undefined],
    ['-0', undefined],
    ['1.0', undefined],
  ] as const) {
    it(`reads ${text} as ${expected}`, () => expect(readInteger(text)).toBe(expected))
  }
})

describe('readDecimal', () => {
  for (const [text, expected] of [
    ['0', 0],
    ['-0', 0],
    ['-0.0', 0],
    ['599.0', 599],
    ['-534', -534],
    [`-${max}`, -max],
    ['-9007199254740992', undefined],
    ['0.503', 0.503],
    ['-1.25', -1.25],
    ['292.052427053', 292.052427053],
    [`0.${'1'.repeat(20)}`, 1 / 9],
    [`0.${'1'.repeat(21)}`, undefined],
    ['9007199254740991.9', undefined],
  ] as const) {
    // toBe tells -0 from 0.
    it(`reads ${text} as ${expected}`, () => expect(readDecimal(text)).toBe(expected))
  }
})

describe('readUnsigned', () => {
  for (const [text, expected] of [
    ['0', 0],
    ['0.5', 0.5],
    ['-0.5', undefined],
    ['-0', undefined],
    ['1234567890123456.5', 1234567890123456.5],
  ] as const) {
    it(`reads ${text} as ${expected}`, () => expect(readUnsigned(text)).toBe(expected))
  }
})

describe('readThousandths', () => {
  for (const [text, expected] of [
    ['0', 0],
    ['0.0', 0],
    ['120', 120_000],
    ['0.503', 503],
    ['64.1', 64_100],
    ['4.35', 4_350],
    ['1.0001', 1_001],
    ['1.0000', 1_000],
    ['292.052427053', 292_053],
    ['0.00000000000000000001', 1],
    ['9007199254740.991', max],
    ['9007199254740.9911', undefined],
    ['9007199254741', undefined],
    ['-1', undefined],
    ['-0', undefined],
  ] as const) {
    it(`reads ${text} as ${expected}`, () => expect(readThousandths(text)).toBe(expected))
  }
})
