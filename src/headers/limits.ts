import type { Reading } from '../gate/observation.ts'
import type { Context, Family } from './family.ts'
import type { Fields } from './fields.ts'
import { rateLimitFamily } from './rate-limit.ts'

/**
 * The spellings of one convention, the more telling first: Zendesk sends `x-rate-limit-remaining` beside a complete
 * `ratelimit-*`. A response that uses two of them states the same limit twice, so one family is believed.
 */
const families: readonly Family[] = [
  rateLimitFamily('x-ratelimit-'),
  rateLimitFamily('ratelimit-'),
  rateLimitFamily('x-rate-limit-'),
  rateLimitFamily('rate-limit-'),
]

/**
 * The readings of the first family that states what is left or used; failing that, of the first that states a limit, or
 * a reset.
 */
export function readLimits(fields: Fields, context: Context): readonly Reading[] {
  let best: readonly Reading[] = []
  for (const family of families) {
    const readings = family(fields, context)
    if (worth(readings) > worth(best)) best = readings
  }
  return best
}

function worth(readings: readonly Reading[]): number {
  if (readings.some(({ remaining, used }) => remaining !== undefined || used !== undefined)) return 3
  if (readings.some(({ limit }) => limit !== undefined)) return 2
  return readings.length > 0 ? 1 : 0
}
