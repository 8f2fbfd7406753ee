import type { Fields } from './fields.ts'
import { readMilliseconds, readWait } from './waits.ts'

/**
 * Milliseconds that the upstream asked to wait: the first valid one of `retry-after-ms`, `retry-after` (RFC 9110
 * section 10.2.3, and the forms that servers send instead, see `readWait`) and `x-retry-after`. 0 for zero and for what
 * has passed, absent for none, malformed, negative, or more than ten years.
 *
 * @param nowMs when the response was made, as milliseconds since the Unix epoch. Undefined: instants cannot be read
 */
export function readRetryAfter(fields: Fields, nowMs: number | undefined): number | undefined {
  const read = (name: string) => readWait(fields.get(name) ?? '', nowMs)?.waitMs
  return readMilliseconds(fields.get('retry-after-ms') ?? '') ?? read('retry-after') ?? read('x-retry-after')
}
