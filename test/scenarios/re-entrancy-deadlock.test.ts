import { expect, test } from 'vitest'
import { held, setUp, url } from '../fetch/support.ts'

// A task waited for another task of its own limiter. The parents held all the places, so nothing moved, and the process ended
// without a word.

test('p-limit-91: a call from within another to the same gate goes through when the place is taken back', async () => {
  const token = 'https://api.example/token'
  const { headgate, upstream, clock, run, sentAt } = setUp(
    { concurrency: 1, maxHoldMs: 500 },
    {},
    {
      fetch: async (input, init) => {
        if (input === url) await headgate.fetch(token).then((response) => response.text())
        return upstream.fetch(input, init)
      },
    },
  )
  const response = await run(headgate.fetch(url))
  expect([response.status, await response.text()]).toEqual([200, 'ok'])
  expect(clock.now()).toBeLessThanOrEqual(1_000)
  expect([upstream.log.map((entry) => entry.url), sentAt()]).toEqual([
    [token, url],
    [500, 500],
  ])
  expect(held(headgate)).toBe(0)
})
