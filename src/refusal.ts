import type { RateLimitError } from './gate/errors.ts'

export const REFUSED = { status: 503, statusText: 'Service Unavailable' } as const

/**
 * What a refusal is as a response: its headers, with the remaining delay in whole seconds, rounded up, and at least 1, since clients take 0
 * to mean at once. Undefined where there is no delay to tell.
 */
export function refusalHeaders({ retryAfterMs }: RateLimitError): Record<string, string> | undefined {
  if (retryAfterMs === undefined) return undefined
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000))
  return { 'content-type': 'text/plain; charset=utf-8', 'retry-after': String(seconds) }
}

/** The same as a response of fetch. */
export function refusalResponse(error: RateLimitError): Response | undefined {
  const headers = refusalHeaders(error)
  return headers && new Response(error.message, { ...REFUSED, headers })
}
