import ky, { HTTPError, type KyInstance } from 'ky'
import { describe, expect } from 'vitest'
import { isRateLimitError } from '../../src/index.ts'
import { conforms } from './conformance.ts'
import { kyThrough } from './recipes/ky.ts'
import { json } from './support.ts'

const ask =
  (client: KyInstance) =>
  (signal: AbortSignal | null = null) =>
    client.get('things', { signal }).json()

describe('ky', () => {
  conforms({
    upstream: json(['a', 'b']),
    paced: (headgate, prefix) => ask(kyThrough(headgate, { prefix })),
    bare: (prefix) => ask(ky.create({ prefix, retry: 0 })),
    gives: ['a', 'b'],
    aborted: expect.objectContaining({ name: 'AbortError' }),
    refused: expect.toSatisfy(isRateLimitError),
    retryAfter: (error) => error instanceof HTTPError && error.response.headers.get('retry-after'),
  })
})
