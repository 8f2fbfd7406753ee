import { expect, test } from 'vitest'
import type { UpstreamConfig } from '../../src/index.ts'
import type { Fault } from '../../src/testing/index.ts'
import { firstly, url } from '../fetch/support.ts'
import { between, DEFAULT_PARK, setScene } from './support.ts'

const MUCH = { 'x-ratelimit-remaining': '4990' }
const told: Fault = { status: 403, headers: { ...MUCH, 'retry-after': '2' } }
const plain: Fault = { status: 403, body: 'no access' }
/** What this upstream alone sends. */
const sign = { 'x-github-request-id': 'C0DE' }
const github: UpstreamConfig = { dialect: 'github' }

function play(pacing: UpstreamConfig, fault: Fault) {
  const scene = setScene({ ...DEFAULT_PARK, ...pacing }, firstly(fault))
  return { ...scene, called: scene.run(scene.headgate.fetch(url)) }
}

// A 403 that stood for a limit was taken for a refusal of another kind, and the job failed at once.
test.each<[string, UpstreamConfig, Fault]>([
  ['of a dialect that is named', github, told],
  ['of one that is recognised', {}, { ...told, headers: { ...told.headers, ...sign } }],
])('octokit-throttling-566: a 403 with a hint is a limit, whatever remains (%s)', async (_, pacing, fault) => {
  const { called, arrivals } = play(pacing, fault)
  expect((await called).status).toBe(200)
  expect(arrivals()).toEqual([0, between(2_000, 2_400)])
})

test('octokit-throttling-566: one that says it in its body alone is a limit by a classifier', async () => {
  const body = 'You have exceeded a secondary rate limit.'
  const isThrottled = async (response: Response): Promise<boolean> =>
    response.status === 403 && (await response.clone().text()).includes('secondary rate limit')
  const { called, arrivals } = play({ ...github, isThrottled }, { status: 403, body, headers: MUCH })
  expect((await called).status).toBe(200)
  expect(arrivals()).toEqual([0, between(1_000, 1_400)])
})

test.each<[string, UpstreamConfig, Fault]>([
  ['no header of a limit', github, plain],
  ['much remains', github, { ...plain, headers: MUCH }],
  ['of an upstream that is recognised', {}, { ...plain, headers: sign }],
  ['a hint, of an upstream whose 403 is no limit', {}, { ...plain, headers: { 'retry-after': '2' } }],
])('octokit-throttling-566: a plain 403 is handed back, and parks nobody (%s)', async (_, pacing, fault) => {
  const { called, clock, headgate, arrivals } = play(pacing, fault)
  const response = await called
  expect([response.status, clock.now(), await response.text()]).toEqual([403, between(0, 100), 'no access'])
  expect(headgate.snapshot().gates).toMatchObject([{ state: 'open', parkedForMs: 0 }])
  expect(arrivals()).toEqual([0])
})
