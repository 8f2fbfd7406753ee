import { Octokit } from '@octokit/core'
import type { Headgate } from '../../../src/index.ts'

export function octokitThrough(
  headgate: Pick<Headgate, 'fetch'>,
  options: { auth?: string; baseUrl?: string } = {},
): Octokit {
  return new Octokit({ ...options, request: { fetch: headgate.fetch } })
}
