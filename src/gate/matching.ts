import type { LimitState } from './limit.ts'
import type { Reading } from './observation.ts'
import type { SavedLimit } from './saved.ts'
import { REQUESTS } from './weight.ts'

/** A reset this much beyond a window still belongs to it: resets are told in whole seconds. */
const WINDOW_SLACK_MS = 2_000

/** Whether a limit, of those that count the reading's unit, may be the one that the reading speaks of. */
type Fits = (limit: LimitState, reading: Reading) => boolean

/**
 * The limit that a reading speaks of: the one of its name, else of its stated window, else of the same number, else any; of several the
 * longest one that its reset fits in. Undefined where it speaks of a limit that is not known yet.
 */
export function limitOf(reading: Reading, limits: readonly LimitState[]): LimitState | undefined {
  return (
    first(hasItsName, reading, limits) ??
    first(hasItsWindow, reading, limits) ??
    longest(hasItsNumberAndReset, reading, limits) ??
    first(hasItsNumber, reading, limits) ??
    longest(hasItsReset, reading, limits) ??
    first(isGuessed, reading, limits)
  )
}

function first(fits: Fits, reading: Reading, limits: readonly LimitState[]): LimitState | undefined {
  for (const limit of limits) if (countsItsUnit(limit, reading) && fits(limit, reading)) return limit
  return undefined
}

function longest(fits: Fits, reading: Reading, limits: readonly LimitState[]): LimitState | undefined {
  let best: LimitState | undefined
  for (const limit of limits) {
    if (!countsItsUnit(limit, reading) || !fits(limit, reading)) continue
    if (best === undefined || limit.window.windowMs > best.window.windowMs) best = limit
  }
  return best
}

const countsItsUnit: Fits = ({ unit }, reading) => unit === (reading.unit ?? REQUESTS)

const hasItsName: Fits = (limit, { name, windowMs }) =>
  name !== undefined && limit.name === name && (windowMs === undefined || limit.window.windowMs === windowMs)

/** Where none has the reading's name: a limit without a name takes readings of any, and one with a name those without. */
const isOpenTo: Fits = (limit, { name }) => limit.name === undefined || name === undefined

const hasItsWindow: Fits = (limit, reading) =>
  limit.window.windowMs === reading.windowMs && isOpenTo(limit, reading) && !limit.guessed

/** The reading states no window, and that of the limit is known. */
const isKnown: Fits = (limit, reading) => reading.windowMs === undefined && isOpenTo(limit, reading) && !limit.guessed

const hasItsNumber: Fits = (limit, reading) => limit.effectiveLimit === reading.limit && isKnown(limit, reading)

const hasItsReset: Fits = (limit, reading) =>
  isKnown(limit, reading) && (reading.resetInMs ?? 0) <= limit.window.windowMs + WINDOW_SLACK_MS

const hasItsNumberAndReset: Fits = (limit, reading) => hasItsNumber(limit, reading) && hasItsReset(limit, reading)

const isGuessed: Fits = (limit, { name, windowMs }) => windowMs === undefined && limit.guessed && limit.name === name

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
