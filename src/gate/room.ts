import type { ForeignUse } from './foreign-use.ts'
import type { Demand } from './limit.ts'
import type { Window } from './window.ts'

/** Sums of fractional weights may be off by this part of the limit. */
const ROUNDING = Number.EPSILON * 1024

/** Units too many if `weight` went now. Weight above the limit goes alone: it fits an empty window. */
export function excessOf(window: Window, foreign: number, weight: number, limit: number): number {
  return above(limit, window.held + foreign + Math.min(weight, limit))
}

/** Units above `limit`. */
export function above(limit: number, units: number): number {
  return Math.max(0, units - limit - limit * ROUNDING)
}

/** When own weight and foreign use together leave room in `limit`; undefined where they do now. */
export function roomAt(
  window: Window,
  foreign: ForeignUse,
  limit: number,
  weight: number,
  demand: Demand,
): number | undefined {
  const { now, uncountedUntil } = demand
  const others = foreign.at(now)
  const excess = excessOf(window, others, weight, limit)
  if (excess === 0) return undefined
  const agedAt = window.freeAt(excess, uncountedUntil)
  // As a rule nobody else draws on it: then this is all there is to look for.
  if (others === 0) return agedAt
  const ownExcess = excessOf(window, 0, weight, limit)
  const ownAt = ownExcess > 0 ? window.freeAt(ownExcess, uncountedUntil) : now
  return Math.max(ownAt, Math.min(agedAt, foreign.nextChange(now)))
}

/** When `weight` more units, all that is queued included, will fit in `limit`. */
export function projectedRoomAt(
  window: Window,
  foreign: ForeignUse,
  limit: number,
  weight: number,
  now: number,
): number {
  const project = (others: number): number => {
    const excess = above(limit, window.held + others + weight)
    return excess > 0 ? window.projectAt(excess, limit, now) : now
  }
  const others = foreign.at(now)
  if (others === 0) return project(0)
  return Math.max(project(0), Math.min(project(others), foreign.nextChange(now)))
}
