import { isRateLimitError, type RateLimitError } from '../../../src/index.ts'

/** The refusal behind an error, also where a client has wrapped what its fetch threw. */
export function refusalBehind(error: unknown): RateLimitError | undefined {
  for (let at = error; at instanceof Error; at = at.cause) if (isRateLimitError(at)) return at
  return undefined
}

/** What `Retry-After` says of it: whole seconds, rounded up. */
export function retryAfterOf({ retryAfterMs = 0 }: RateLimitError): string {
  return String(Math.max(1, Math.ceil(retryAfterMs / 1_000)))
}
