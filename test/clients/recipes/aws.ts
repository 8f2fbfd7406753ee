import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { FetchHttpHandler } from '@smithy/fetch-http-handler'
import type { Headgate, UpstreamConfig } from '../../../src/index.ts'

/** S3 says `503 Slow Down`, without Retry-After. */
export const s3Upstream: UpstreamConfig = {
  isThrottled: ({ status }) => status === 503,
  maxWaitMs: 600_000, // a request is signed before it waits, and its signature is good for 15 minutes
}

export function s3Through(headgate: Pick<Headgate, 'fetch'>, config: S3ClientConfig = {}): S3Client {
  const requestHandler = new FetchHttpHandler({ customFetch: headgate.fetch })
  return new S3Client({ ...config, requestHandler, maxAttempts: 1 })
}
