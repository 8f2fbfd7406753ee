import OpenAI, { type ClientOptions } from 'openai'
import type { Headgate } from '../../../src/index.ts'

export function openaiThrough(headgate: Pick<Headgate, 'fetch'>, options: ClientOptions = {}): OpenAI {
  return new OpenAI({ ...options, fetch: headgate.fetch, maxRetries: 0 })
}
