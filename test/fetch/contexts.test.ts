import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { createHeadgate, type UpstreamConfig } from '../../src/index.ts'
import { settled } from '../support/set-up-gate.ts'
import type { Inner } from './support.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** An inner fetch that keeps the async context of each call, as a connection does that is opened for one. */
function connecting(): Inner {
  const timers: NodeJS.Timeout[] = []
  onTestFinished(() => timers.forEach(clearInterval))
  return () => {
    timers.push(setInterval(() => {}, 60_000))
    return Promise.resolve(new Response('ok'))
  }
}

/** Sends a request, of which nobody else keeps anything. */
async function send(upstream: UpstreamConfig | false): Promise<WeakRef<Request>> {
  const request = new Request('http://api.example/', { method: 'POST', body: 'text' })
  await createHeadgate({ fetch: connecting(), default: upstream }).fetch(request)
  return new WeakRef(request)
}

test.each<[string, UpstreamConfig | false]>([
  ['is paced', {}],
  ['passes through', false],
])('a connection keeps nothing of a call that %s and is over', async (_, upstream) => {
  const request = await send(upstream)
  for (let round = 0; round < 10; round++) {
    collectGarbage()
    await settled()
  }
  expect(request.deref()).toBeUndefined()
})
