import type { LimitState } from './limit.ts'
import type { Reading } from './observation.ts'
import type { SavedLimit } from './saved.ts'
import { REQUESTS } from './weight.ts'

/** A reset this much beyond a window still belongs to it: resets are told in whole seconds. */
const WINDOW_SLACK_MS = 2_000

/**
 * The limit that a reading speaks of: the one of its name, else of its stated window, else of the same number, else any; of several the
 * longest one that its reset fits in. Undefined where it speaks of a limit that is not known yet.
 */
export function limitOf(reading: Reading, limits: readonly LimitState[]): LimitState | undefined {
  const sameUnit = limits.filter(({ unit }) => unit === (reading.unit ?? REQUESTS))
  return byName(reading, sameUnit) ?? byWindow(reading, sameUnit) ?? byNumber(reading, sameUnit)
}

function byName({ name, windowMs }: Reading, limits: readonly LimitState[]): LimitState | undefined {
  if (name === undefined) return undefined
  return limits.find((limit) => limit.name === name && fitsWindow(limit, windowMs))
}

function fitsWindow({ window }: LimitState, windowMs: number | undefined): boolean {
  return windowMs === undefined || window.windowMs === windowMs
}

function byWindow({ windowMs, name }: Reading, limits: readonly LimitState[]): LimitState | undefined {
  return limits.find((limit) => limit.window.windowMs === windowMs && isOpenTo(limit, name) && !limit.guessed)
}

function byNumber(reading: Reading, limits: readonly LimitState[]): LimitState | undefined {
  if (reading.windowMs !== undefined) return undefined
  const candidates = limits.filter((limit) => isOpenTo(limit, reading.name))
  const known = candidates.filter((limit) => !limit.guessed)
  const fitting = known.filter((limit) => fitsReset(limit, reading))
  const isSame = ({ effectiveLimit }: LimitState): boolean => effectiveLimit === reading.limit
  return (
    longest(fitting.filter(isSame)) ??
    known.find(isSame) ??
    longest(fitting) ??
    candidates.find((limit) => limit.guessed && limit.name === reading.name)
  )
}

/** Where none has the reading's name: a limit without a name takes readings of any, and one with a name those without. */
function isOpenTo(limit: LimitState, name: string | undefined): boolean {
  return limit.name === undefined || name === undefined
}

function fitsReset({ window }: LimitState, { resetInMs }: Reading): boolean {
  return resetInMs === undefined || resetInMs <= window.windowMs + WINDOW_SLACK_MS
}

function longest(limits: readonly LimitState[]): LimitState | undefined {
  return limits.reduce<LimitState | undefined>(
    (best, limit) => (best === undefined || limit.window.windowMs > best.window.windowMs ? limit : best),
    undefined,
  )
}

/** Whether a saved limit is this one. A guessed window is guessed anew from each reset. */
export function isLike({ unit, window, guessed }: LimitState, saved: SavedLimit): boolean {
  if (saved.unit !== unit || guessed !== (saved.guessed ?? false)) return false
  return guessed || saved.windowMs === window.windowMs
}

/**
 * What was saved of this limit. Where its window is another one now, what was spent in the longest one that was kept, and nothing of
 * its readings.
 */
export function savedLike(limit: LimitState, saved: readonly SavedLimit[]): SavedLimit | undefined {
  const alike = saved.filter((each) => isLike(limit, each))
  const same = alike.find(({ name }) => name === limit.name) ?? alike[0]
  if (same) return same
  const sameUnit = saved.filter(({ unit }) => unit === limit.unit)
  if (sameUnit.length === 0) return undefined
  const { unit, source, counted } = sameUnit.reduce((one, other) => (lengthOf(other) > lengthOf(one) ? other : one))
  return { unit, source, counted }
}

function lengthOf({ windowMs = Infinity }: SavedLimit): number {
  return windowMs
}
