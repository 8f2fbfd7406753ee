import { expect, test } from 'vitest'
import { backoffCeilingMs, backoffMs } from '../../src/retry/backoff.ts'

const backoff = { baseMs: 500, maxMs: 3_000 }

test.each([
  [1, 500],
  [2, 1_000],
  [3, 2_000],
  [4, 3_000],
  [5, 3_000],
  [2_000, 3_000],
])('after failure %d the ceiling is %d', (failures, ceilingMs) => {
  expect(backoffCeilingMs(backoff, failures)).toBe(ceilingMs)
  expect(backoffMs(backoff, failures, 0)).toBe(0)
  expect(backoffMs(backoff, failures, 0.5)).toBe(ceilingMs / 2)
  expect(backoffMs(backoff, failures, 1 - 2 ** -53)).toBeLessThan(ceilingMs)
})

test('no ceiling above the first is below it', () => {
  expect(backoffCeilingMs({ baseMs: 500, maxMs: 100 }, 1)).toBe(100)
  expect(backoffCeilingMs({ baseMs: 0, maxMs: 100 }, 9)).toBe(0)
})
