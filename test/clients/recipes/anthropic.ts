import Anthropic, { type ClientOptions } from '@anthropic-ai/sdk'
import type { Headgate } from '../../../src/index.ts'

export function anthropicThrough(headgate: Pick<Headgate, 'fetch'>, options: ClientOptions = {}): Anthropic {
  return new Anthropic({ ...options, fetch: headgate.fetch, maxRetries: 0 })
}
