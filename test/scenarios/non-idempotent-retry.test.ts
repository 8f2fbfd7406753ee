import { expect, test } from 'vitest'
import { createHeadgate } from '../../src/index.ts'
import type { Fault } from '../../src/testing/index.ts'
import { firstly, listen, outcomeOf, url } from '../fetch/support.ts'
import { setScene, throttled, times } from './support.ts'

const reset: Fault = { error: 'reset' }
const post = { method: 'POST', body: 'order' }

// The answer to a POST was lost after the server had carried it out; sent again, it made a duplicate.
test.each<Fault>([reset, { status: 500 }, { status: 502, headers: { 'retry-after': '1' } }])(
  'apify-990: a POST that may have been carried out is not sent again: %j',
  async (fault) => {
    const { headgate, upstream, run } = setScene({}, { faults: [fault] })
    const outcome = await run(outcomeOf(headgate.fetch(url, post)))
    expect([outcome, upstream.log.length]).toEqual([fault.status ?? 'TypeError', 1])
  },
)

test('apify-990: nor over a socket', async () => {
  const { upstream, url } = await listen({ faults: [reset] })
  const headgate = createHeadgate()
  expect([await outcomeOf(headgate.fetch(url, post)), upstream.log.length]).toEqual(['TypeError', 1])
})

test('apify-990: one that is said to be idempotent is', async () => {
  const { headgate, upstream, run } = setScene({}, firstly(reset))
  const response = await run(headgate.fetch(url, { ...post, headgate: { idempotent: true } }))
  expect([response.status, upstream.log.length]).toEqual([200, 2])
})

test('apify-990: one that was refused for its rate is', async () => {
  const { headgate, upstream, run } = setScene({}, firstly(throttled('1')))
  const response = await run(headgate.fetch(url, post))
  expect([response.status, upstream.log.map(({ method, body }) => [method, body])]).toEqual([
    200,
    times(2, ['POST', 'order']),
  ])
})
