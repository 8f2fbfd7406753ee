import type { ForeignUse } from './foreign-use.ts'
import type { Counted, LimitSnapshot, LimitState } from './limit.ts'
import { ageOf, type SavedLimit } from './saved.ts'

/** One limit as `snapshot()` shows it. */
export function describeLimit(
  { name, unit, window, ownLimit }: LimitState,
  source: LimitSnapshot['source'],
  foreign: ForeignUse,
  now: number,
): LimitSnapshot {
  return {
    ...(name === undefined ? {} : { name }),
    unit,
    source,
    ...(ownLimit === undefined ? {} : { limit: ownLimit }),
    ...(window.windowMs === Infinity ? {} : { windowMs: window.windowMs }),
    held: window.held,
    foreignUse: foreign.at(now),
    ...(foreign.present ? { readingAgeMs: now - foreign.takenAt } : {}),
  }
}

/** What every kind of limit saves. */
export function saveLimit(
  { name, unit, window }: LimitState,
  source: SavedLimit['source'],
  foreign: ForeignUse,
  now: number,
  counted: Counted,
): SavedLimit {
  const foreignUse = foreign.save(now)
  return {
    ...(name !== undefined && { name }),
    unit,
    source,
    ...(window.windowMs < Infinity && { windowMs: window.windowMs }),
    counted: Array.from(counted, ([at, weight]) => [ageOf(at, now), weight]),
    ...(foreignUse && { foreignUse }),
  }
}

/** Takes over what every kind of limit saves. */
export function restoreLimit(
  { window }: LimitState,
  foreign: ForeignUse,
  saved: SavedLimit,
  savedAt: number,
  transitMs: number,
): void {
  window.restore(
    saved.counted.map(([agoMs, weight]) => [savedAt - agoMs, weight]),
    transitMs,
  )
  if (saved.foreignUse) foreign.restore(saved.foreignUse, savedAt)
}
