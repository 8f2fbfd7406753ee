import { expect, test } from 'vitest'
import { url, used } from '../fetch/support.ts'
import { setScene, times } from './support.ts'

// Polled by HEAD, which was thought to cost nothing; the limit was reached all the same. What a method costs, and what its answers
// tell, may differ.
test('regclient-711: every method is counted here, and what is left is known from the answers that say it', async () => {
  const headers = { 'x-ratelimit-limit': '50', 'x-ratelimit-remaining': '10', 'x-ratelimit-reset': '1' }
  const { headgate, run, at, upstream } = setScene(
    { limits: { limit: 50, windowMs: 1_000 } },
    { faults: ({ request }) => (request.method === 'GET' ? { headers } : undefined) },
  )
  const told: unknown[] = []
  headgate.on('headgate:reading', ({ limits }) => told.push(...limits))
  const slots: (number | undefined)[] = []
  const ages: unknown[] = []
  at(500, () => {
    slots.push(used(headgate))
    ages.push(headgate.snapshot().gates[0]?.limits[0]?.readingAgeMs)
    expect(JSON.stringify([headgate.snapshot(), headgate.explain(url)])).not.toContain('null')
  })
  at(1_500, () => slots.push(used(headgate)))
  await run(headgate.fetch(url))
  await run(Promise.all(times(20, 'HEAD').map((method) => headgate.fetch(url, { method }))))
  await run(new Promise<void>((resolve) => at(1_600, resolve)))
  expect([upstream.log.length, slots.reduce<number>((sum, held = NaN) => sum + held, 0)]).toEqual([21, 21])
  expect(told).toEqual([expect.objectContaining({ limit: 50, remaining: 10 })])
  expect(ages).toEqual([500])
})
