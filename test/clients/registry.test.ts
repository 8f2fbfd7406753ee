import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isRateLimitError } from '../../src/index.ts'
import {
  createUpstream,
  type Arrival,
  type Fault,
  type HeaderState,
  type UpstreamOptions,
  type UpstreamServer,
} from '../../src/testing/index.ts'
import { conforms } from './conformance.ts'
import { registryThrough } from './recipes/registry.ts'
import { headgateFor, listen } from './support.ts'

const DIGEST = 'sha256:0123'

/** As Docker Hub's registry says it: the limit with its window in seconds. */
function registryHeaders({ limit, remaining, windowMs }: HeaderState): Record<string, string> {
  const within = `;w=${windowMs / 1_000}`
  return {
    'ratelimit-limit': limit + within,
    'ratelimit-remaining': Math.max(0, remaining) + within,
    'docker-ratelimit-source': '203.0.113.7',
    'docker-content-digest': DIGEST,
  }
}

/** Gives tokens, from a server of its own as Docker Hub does. */
const tokens = createUpstream({
  headers: 'none',
  body: ({ request }) => JSON.stringify({ token: new URL(request.url).searchParams.get('scope') }),
})
let tokenServer: UpstreamServer
beforeAll(async () => {
  tokenServer = await tokens.listen()
})
afterAll(() => tokenServer.close())

/** Asks for a token, and does not count those who have none. */
function challenge({ request }: Arrival): Fault | undefined {
  if (request.headers.get('authorization') === 'Bearer repository:library/node:pull') return undefined
  const realm = `Bearer realm="${tokenServer.url}/token",service="registry.docker.io"`
  return { counted: false, status: 401, headers: { 'www-authenticate': realm } }
}

const upstream: UpstreamOptions = { headers: registryHeaders, faults: challenge }

const ask = (fetch: typeof globalThis.fetch, url: string) => {
  const digestOf = registryThrough(fetch, url)
  return (signal?: AbortSignal) => digestOf('library/node', 'latest', signal)
}

describe('a Docker registry', () => {
  conforms({
    upstream,
    paced: (headgate, url) => ask(headgate.fetch, url),
    bare: (url) => ask(globalThis.fetch, url),
    gives: DIGEST,
    extra: 1,
    aborted: expect.objectContaining({ name: 'AbortError' }),
    refused: expect.toSatisfy(isRateLimitError),
    retryAfter: (error) =>
      error instanceof Error && error.cause instanceof Response && error.cause.headers.get('retry-after'),
  })

  test('with nothing configured it is paced by what its first answer says', async () => {
    const { upstream: server, url } = await listen({ ...upstream, limits: { limit: 10, windowMs: 1_000 } })
    const call = ask(headgateFor({}).fetch, url)
    await call()
    await Promise.all(Array.from({ length: 14 }, () => call()))
    expect(server.report()).toMatchObject({ requests: 16, throttled: 0 })
  })
})
