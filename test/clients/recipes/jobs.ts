import { type CallOptions, type Headgate, RateLimitError } from '../../../src/index.ts'

/** A worker is not to wait behind a park, nor long for room. */
const FOR_JOBS: CallOptions = { whenParked: 'refuse', maxWaitMs: 5_000, retry: false }

/** Rejects with a `RateLimitError` where the job is to come back later: refused here, or throttled by the upstream. */
export async function fetchForJob(headgate: Headgate, url: string, init: RequestInit = {}): Promise<Response> {
  const response = await headgate.fetch(url, { ...init, headgate: FOR_JOBS })
  if (response.status !== 429) return response
  await response.body?.cancel()
  throw new RateLimitError('parked', { retryAfterMs: headgate.explain(url).wouldWaitMs })
}
