import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { describe, expect, test } from 'vitest'
import { isRateLimitError } from '../../src/index.ts'
import { conforms } from './conformance.ts'
import { s3Through, s3Upstream } from './recipes/aws.ts'
import { headgateFor, listen } from './support.ts'

const configFor = (endpoint: string) => ({
  endpoint,
  region: 'eu-west-1',
  credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
  forcePathStyle: true,
})

const ask = (s3: S3Client) => async (abortSignal?: AbortSignal) => {
  const command = new GetObjectCommand({ Bucket: 'bucket', Key: 'things' })
  const { Body } = await s3.send(command, abortSignal && { abortSignal })
  return Body?.transformToString()
}

const upstream = { throttledStatus: 503, body: 'a thing' }

describe('@aws-sdk/client-s3', () => {
  conforms({
    upstream,
    pacing: s3Upstream,
    paced: (headgate, url) => ask(s3Through(headgate, configFor(url))),
    bare: (url) => ask(new S3Client({ ...configFor(url), maxAttempts: 1 })),
    gives: 'a thing',
    aborted: expect.objectContaining({ name: 'AbortError' }),
    refused: expect.toSatisfy(isRateLimitError),
    retryAfter: (error) =>
      (error as { $response?: { headers: Record<string, string> } }).$response?.headers['retry-after'],
  })

  test('503 Slow Down parks the gate, and the call is made again', async () => {
    const fault = { first: 1, status: 503 }
    const { upstream: server, url } = await listen({ ...upstream, faults: [fault] })
    const headgate = headgateFor({ ...s3Upstream, cooldown: { baseMs: 300, maxMs: 300 } })
    let parks = 0
    headgate.on('headgate:park', () => (parks += 1))
    expect(await ask(s3Through(headgate, configFor(url)))()).toBe('a thing')
    expect(parks).toBe(1)
    expect(server.report().byStatus).toEqual({ 200: 1, 503: 1 })
  })
})
