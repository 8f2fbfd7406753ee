import { expect, test } from 'vitest'
import { readDuration } from '../../src/headers/durations.ts'

test.each([
  ['12ms', 12],
  ['1s', 1_000],
  ['6m0s', 360_000],
  ['16m17.764s', 977_764],
  ['1h2m3s', 3_723_000],
  ['1d2h', 93_600_000],
  ['1.5h', 5_400_000],
  ['100us', 1],
  ['100µs', 1],
  ['1ns', 1],
  ['0s', 0],
  ['', undefined],
  ['30', undefined],
  ['s', undefined],
  ['-1s', undefined],
  ['1s2m', undefined],
  ['1s1s', undefined],
  ['1 s', undefined],
  ['1e3s', undefined],
  ['1.2.3s', undefined],
  ['1w', undefined],
  ['1sjunk', undefined],
  ['9'.repeat(40) + 's', undefined],
])('%s is %s ms', (text, ms) => expect(readDuration(text)).toBe(ms))
