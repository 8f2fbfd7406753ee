import { expect, test } from 'vitest'
import { arrivalsAfter, between } from './support.ts'

// The number went to a sleep in milliseconds as it was: who was asked to wait for a minute was back after 60 ms.
test.each([
  ['2', between(2_000, 2_300)],
  ['02', between(2_000, 2_300)],
  ['1', between(1_000, 1_300)],
])('shopify-app-js-3364: a number is of seconds (%s)', async (retryAfter, arrives) => {
  expect(await arrivalsAfter(retryAfter)).toEqual([0, arrives])
})
