import Anthropic, { APIConnectionError, APIUserAbortError, InternalServerError } from '@anthropic-ai/sdk'
import { describe, expect } from 'vitest'
import { conforms } from './conformance.ts'
import { anthropicThrough } from './recipes/anthropic.ts'
import { json } from './support.ts'

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  content: [{ type: 'text', text: 'hello' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 1, output_tokens: 1 },
}

const optionsFor = (url: string) => ({ apiKey: 'key', baseURL: url })

const ask = (client: Anthropic) => async (signal?: AbortSignal) => {
  const messages = [{ role: 'user' as const, content: 'hi' }]
  const answer = await client.messages.create({ model: 'claude', max_tokens: 9, messages }, signal && { signal })
  return answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
}

describe('@anthropic-ai/sdk', () => {
  conforms({
    upstream: json(message),
    paced: (headgate, url) => ask(anthropicThrough(headgate, optionsFor(url))),
    bare: (url) => ask(new Anthropic({ ...optionsFor(url), maxRetries: 0 })),
    gives: 'hello',
    aborted: expect.any(APIUserAbortError),
    refused: expect.any(APIConnectionError),
    retryAfter: (error) => error instanceof InternalServerError && error.headers.get('retry-after'),
  })
})
