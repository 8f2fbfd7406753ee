import { expect, test } from 'vitest'
import { arrivalsAfter, between } from './support.ts'

// A date was parsed as an integer, which gave 0, as did what made no sense: the retry came with no pause at all. A day became a timer
// of a day.
test.each([
  'Thu, 01 Jan 2026 00:00:03 GMT',
  'Thursday, 01-Jan-26 00:00:03 GMT',
  'Thu Jan  1 00:00:03 2026',
  '2026-01-01T00:00:03Z',
])('supabase-js-2634: a date is waited for (%s)', async (retryAfter) => {
  for (const status of [429, 503]) expect(await arrivalsAfter(retryAfter, status)).toEqual([0, between(3_000, 3_500)])
})

test.each(['soon', 'NaN', '-3', '1e3', '2 apples', 'Thu, 32 Jan 2026 00:00:03 GMT', ''])(
  'supabase-js-2634: what cannot be read leaves it to the backoff (%j)',
  async (retryAfter) => {
    expect(await arrivalsAfter(retryAfter)).toEqual([0, between(500, 900)])
  },
)

test('supabase-js-2634: a day sets no timer of a day', async () => {
  expect(await arrivalsAfter('86400')).toEqual([0, between(10_000, 10_100)])
})
