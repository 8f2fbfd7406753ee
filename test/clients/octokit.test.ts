import { Octokit } from '@octokit/core'
import { describe, expect } from 'vitest'
import { conforms } from './conformance.ts'
import { octokitThrough } from './recipes/octokit.ts'
import { json } from './support.ts'

/** What its errors have, from a package that it does not export again. */
interface RequestError {
  response?: { headers: Record<string, string> }
}

const ask =
  (octokit: Octokit) =>
  async (signal: AbortSignal = new AbortController().signal) => {
    const { data } = await octokit.request('GET /repos/{owner}/{repo}', {
      owner: 'octocat',
      repo: 'hello-world',
      request: { signal },
    })
    return data.full_name
  }

describe('@octokit/core', () => {
  conforms({
    upstream: json({ full_name: 'octocat/hello-world' }),
    paced: (headgate, baseUrl) => ask(octokitThrough(headgate, { baseUrl })),
    bare: (baseUrl) => ask(new Octokit({ baseUrl })),
    gives: 'octocat/hello-world',
    aborted: expect.objectContaining({ name: 'AbortError' }),
    refused: expect.objectContaining({ name: 'HttpError', status: 500 }),
    retryAfter: (error) => (error as RequestError).response?.headers['retry-after'],
  })
})
