import { expect, test } from 'vitest'
import { ResetUnit } from '../../src/headers/reset-unit.ts'

/** Whether milliseconds are counted, after these readings at 5 000 and `afterMs` later. */
function seen(first: number, second: number, afterMs: number, of = 'a'): boolean {
  const unit = new ResetUnit()
  unit.sees(first, 5_000, 'a')
  unit.sees(second, 5_000 + afterMs, of)
  return unit.inMilliseconds
}

test.each([
  { fall: 249, inMilliseconds: false },
  { fall: 250, inMilliseconds: true },
  { fall: 1_500, inMilliseconds: true },
  { fall: 1_501, inMilliseconds: false },
])('that falls by $fall in a second: $inMilliseconds', ({ fall, inMilliseconds }) => {
  expect(seen(60_000, 60_000 - fall, 1_000)).toBe(inMilliseconds)
  expect(seen(60_000, 60_000 - 2 * fall, 2_000)).toBe(inMilliseconds)
  expect(seen(60_000, 60_000 - fall, 1_000, 'b')).toBe(false)
})

test('one that stays tells nothing', () => {
  const unit = new ResetUnit()
  for (const [value, at] of [
    [60_000, 0],
    [59_000, 1_000],
    [59_000, 2_000],
  ] as const)
    unit.sees(value, at, 'a')
  expect(unit.inMilliseconds).toBe(true)
})

test('readings are compared a second apart', () => {
  const unit = new ResetUnit()
  expect(unit.asks(5_000)).toBe(true)
  unit.sees(60_000, 5_000, 'a')
  expect([unit.asks(5_999), unit.asks(6_000)]).toEqual([false, true])
})
