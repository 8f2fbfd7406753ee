import { expect, test } from 'vitest'
import { fuzz } from './fuzz.ts'

test('nothing throws, and every number is one, whatever the headers', { timeout: 60_000 }, () => {
  expect(fuzz(20_000, 1)).toBeGreaterThan(5_000)
})
