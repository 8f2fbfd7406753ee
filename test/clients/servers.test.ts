import type { AddressInfo } from 'node:net'
import express, { type ErrorRequestHandler, type Response as ExpressResponse } from 'express'
import { describe, expect, onTestFinished, test } from 'vitest'
import { goneSignal, refusalAs503 } from './recipes/express.ts'
import { RefusalFilter } from './recipes/nestjs.ts'
import { errorOf, headgateFor, listen, LONG_LIMIT, untilQueued, useUp } from './support.ts'

const UPSTREAM_FAILED = 'the upstream failed'

/** As Nest hands an error to a global filter. The filter's base class and its host are stand-ins in the shape of Nest's. */
const throughFilter: ErrorRequestHandler = (error, _request, response, _next) => {
  new RefusalFilter().catch(error, { switchToHttp: () => ({ getResponse: <T>() => response as T }) })
}

/** Says nothing on stderr, as Express's own handler does. */
const quietly: ErrorRequestHandler = (_error, _request, response, _next) => void response.status(500).end()

/** A service on a real socket whose one route calls an upstream. `whole` settles with the response of the last request. */
async function serve(onError: ErrorRequestHandler, maxWaitMs: number) {
  const { upstream, url } = await listen({
    faults: ({ request }) => (request.url.endsWith('/bad') ? { status: 404 } : undefined),
  })
  const headgate = headgateFor({ limits: LONG_LIMIT, maxWaitMs })
  const app = express()
  app.get('/{*path}', async ({ path }, response: ExpressResponse) => {
    const answer = await headgate.fetch(url + path, { signal: goneSignal(response) })
    if (!answer.ok) throw new Error(UPSTREAM_FAILED)
    response.send(await answer.text())
  })
  app.use(onError, quietly)
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { upstream, url, headgate, service: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

describe.each([
  ['Express', refusalAs503],
  ['NestJS', throughFilter],
])('%s', (_, onError) => {
  test('a refusal becomes a 503 that says when to come back', async () => {
    const { url, headgate, service } = await serve(onError, 1_000)
    useUp(headgate, url)
    const response = await fetch(`${service}/`)
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toMatch(/^\d{2}$/)
    expect(await response.json()).toEqual({ error: 'HEADGATE_WAIT_TOO_LONG' })
  })

  test('what works and what fails otherwise stay as they are', async () => {
    const { service } = await serve(onError, 1_000)
    const statuses = await Promise.all(['/good', '/bad'].map(async (path) => (await fetch(service + path)).status))
    expect(statuses).toEqual([200, 500])
  })

  test('a client that goes away leaves the queue', async () => {
    const { upstream, url, headgate, service } = await serve(onError, Infinity)
    useUp(headgate, url)
    const controller = new AbortController()
    const error = errorOf(fetch(`${service}/`, { signal: controller.signal }))
    await untilQueued(headgate, url, 1)
    controller.abort()
    expect(await error).toMatchObject({ name: 'AbortError' })
    await untilQueued(headgate, url, 0)
    expect(upstream.log).toHaveLength(0)
  })
})
