import { expect, test } from 'vitest'
import type { UpstreamConfig } from '../../src/index.ts'
import { firstly, outcomeOf, url } from '../fetch/support.ts'
import { between, setScene } from './support.ts'

const body = JSON.stringify({ errors: [{ type: 'RATE_LIMITED' }] })
const answer = firstly({ status: 200, body, headers: { 'retry-after': '1' } })
const inBody: UpstreamConfig = {
  isThrottled: async (response) => (await response.clone().text()).includes('RATE_LIMITED'),
}

// An answer of status 200 said in its body that a limit was reached, and was taken for a result.
test('octokit-throttling-632: a limit that is told in the body parks the gate, by a classifier', async () => {
  const { headgate, run, arrivals } = setScene(inBody, answer)
  const response = await run(headgate.fetch(url))
  expect([response.status, await response.text()]).toEqual([200, 'ok'])
  expect(arrivals()).toEqual([0, between(1_000, 1_300)])
})

test('octokit-throttling-632: without one it is handed on, its body untouched', async () => {
  const { headgate, run, arrivals } = setScene({}, answer)
  const response = await run(headgate.fetch(url))
  expect([response.bodyUsed, await response.text(), arrivals()]).toEqual([false, body, [0]])
})

test('octokit-throttling-632: a classifier that reads the response itself is the error of the call', async () => {
  const { headgate, run } = setScene({ isThrottled: async (response) => (await response.text()) === body }, answer)
  expect(await run(outcomeOf(headgate.fetch(url)))).toBe('HeadgateError')
})
