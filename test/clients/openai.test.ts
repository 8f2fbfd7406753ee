import OpenAI, { APIConnectionError, APIUserAbortError, InternalServerError } from 'openai'
import { describe, expect, test } from 'vitest'
import { conforms } from './conformance.ts'
import { openaiThrough } from './recipes/openai.ts'
import { headgateFor, json, listen, LONG_LIMIT } from './support.ts'

const completion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-5',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'hello' } }],
}

const optionsFor = (url: string) => ({ apiKey: 'key', baseURL: `${url}/v1` })

const ask = (client: OpenAI) => async (signal?: AbortSignal) => {
  const messages = [{ role: 'user' as const, content: 'hi' }]
  const answer = await client.chat.completions.create({ model: 'gpt-5', messages }, signal && { signal })
  return answer.choices[0]?.message.content
}

describe('openai', () => {
  conforms({
    upstream: json(completion),
    paced: (headgate, url) => ask(openaiThrough(headgate, optionsFor(url))),
    bare: (url) => ask(new OpenAI({ ...optionsFor(url), maxRetries: 0 })),
    gives: 'hello',
    aborted: expect.any(APIUserAbortError),
    refused: expect.any(APIConnectionError),
    retryAfter: (error) => error instanceof InternalServerError && error.headers.get('retry-after'),
  })

  test('a client for each tenant, and each has its own gate', async () => {
    const { url } = await listen(json(completion))
    const headgate = headgateFor({ limits: LONG_LIMIT })
    for (const partition of ['a', 'b']) await ask(openaiThrough(headgate.with({ partition }), optionsFor(url)))()
    expect(headgate.snapshot().gates).toHaveLength(2)
  })
})
