import type { RateLimitError } from './gate/errors.ts'

/**
 * A refusal as a response: 503, and in `Retry-After` the remaining delay in whole seconds, rounded up. At least 1: clients take 0 to
 * mean at once.
 */
export function refusalResponse(error: RateLimitError): Response {
  const headers = new Headers({ 'content-type': 'text/plain; charset=utf-8' })
  if (error.retryAfterMs !== undefined) {
    headers.set('retry-after', String(Math.max(1, Math.ceil(error.retryAfterMs / 1_000))))
  }
  return new Response(error.message, { status: 503, statusText: 'Service Unavailable', headers })
}
