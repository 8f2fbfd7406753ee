import type { ForeignUse } from './foreign-use.ts'
import type { LimitSnapshot, LimitState } from './limit.ts'

/** One limit as `snapshot()` shows it. */
export function describeLimit(
  { name, unit, window, effectiveLimit }: LimitState,
  source: LimitSnapshot['source'],
  foreign: ForeignUse,
  now: number,
): LimitSnapshot {
  return {
    ...(name === undefined ? {} : { name }),
    unit,
    source,
    ...(effectiveLimit === undefined ? {} : { limit: effectiveLimit }),
    ...(window.windowMs === Infinity ? {} : { windowMs: window.windowMs }),
    held: window.held,
    foreignUse: foreign.at(now),
    ...(foreign.present ? { readingAgeMs: now - foreign.takenAt } : {}),
  }
}
