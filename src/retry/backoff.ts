/** Exponential backoff with full jitter: anywhere from 0 to a ceiling that doubles with each failure. */
export interface Backoff {
  baseMs: number
  maxMs: number
}

/** The wait after the `failures`-th failure in a row, 1 for the first. `random` is in [0, 1). */
export function backoffMs({ baseMs, maxMs }: Backoff, failures: number, random: number): number {
  return random * backoffCeilingMs({ baseMs, maxMs }, failures)
}

/** The longest that `backoffMs` gives. */
export function backoffCeilingMs({ baseMs, maxMs }: Backoff, failures: number): number {
  return Math.min(maxMs, baseMs * 2 ** (failures - 1))
}
