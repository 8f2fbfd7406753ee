import { expect, test } from 'vitest'
import { arrivalsAfter, between } from './support.ts'

// A hint of 299.997 did not parse as an integer and was dropped; short backoffs spent the whole allowance in seconds.
test.each([
  ['1.5', between(1_500, 1_900)],
  ['0.4', between(400, 800)],
  ['1.0004', between(1_001, 1_400)],
])('data-prepper-6927: fractions of a second are read, and rounded up (%s)', async (retryAfter, arrives) => {
  expect(await arrivalsAfter(retryAfter)).toEqual([0, arrives])
})
