import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { firstly, setUp } from '../fetch/support.ts'

// Tasks that had waited in a queue ran in the async context of whoever made room for them: logs named another request, and the
// abort of one request ended another.

test('p-queue-200: each attempt is made in the context of its caller, queued or tried again', async () => {
  const storage = new AsyncLocalStorage<number>()
  const seen: (number | undefined)[][] = []
  const { upstream, headgate, clock } = setUp(
    { limits: { limit: 2, windowMs: 200 }, retry: { failed: { baseMs: 100 } } },
    firstly(...Array.from({ length: 4 }, () => ({ status: 500 }))),
    {
      fetch: async (input, init) => {
        const before = storage.getStore()
        const response = await upstream.fetch(input, init)
        seen.push([Number(new URL(new Request(input).url).searchParams.get('id')), before, storage.getStore()])
        return response
      },
    },
  )
  const calls = Array.from({ length: 10 }, (_, id) =>
    storage.run(id, async () => {
      await headgate.fetch(`https://api.example/?id=${id}`)
      return storage.getStore()
    }),
  )
  expect(await clock.runUntil(Promise.all(calls))).toEqual(Array.from({ length: 10 }, (_, id) => id))
  expect(seen).toHaveLength(14)
  for (const [id, ...contexts] of seen) expect(contexts).toEqual([id, id])
})
