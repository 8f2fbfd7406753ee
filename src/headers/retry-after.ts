import type { Fields } from './fields.ts'
import { type Now, readMilliseconds, readWait, type WaitUnit } from './waits.ts'

/** Headers that state milliseconds, and those that state a wait in any form. The first valid one counts. */
const IN_MILLISECONDS = ['retry-after-ms', 'x-ms-retry-after-ms']
const IN_ANY_FORM = ['x-retry-after', 'x-ratelimit-retry-after', 'x-ratelimit-after']

/**
 * Milliseconds that the upstream asked to wait: the first valid one of `retry-after-ms`, `x-ms-retry-after-ms`, `retry-after` (RFC 9110
 * section 10.2.3, and the forms that servers send instead, see `readWait`), `x-retry-after`, `x-ratelimit-retry-after` and `x-ratelimit-after`. 0 for zero and for
 * what has passed, absent for none, malformed, negative, or more than ten years.
 */
export function readRetryAfter(fields: Fields, now: Now, unit?: WaitUnit): number | undefined {
  for (const name of IN_MILLISECONDS) {
    const waitMs = readMilliseconds(fields.get(name))
    if (waitMs !== undefined) return waitMs
  }
  const standard = readWait(fields.get('retry-after'), now, unit)
  if (standard) return standard.waitMs
  for (const name of IN_ANY_FORM) {
    const wait = readWait(fields.get(name), now)
    if (wait) return wait.waitMs
  }
  return undefined
}
