import { expect } from 'vitest'
import type { Observation } from '../../src/gate/observation.ts'

const tenYearsMs = 315_360_000_000

/** A sum of two counts. */
const MOST = 2 * Number.MAX_SAFE_INTEGER

/** What holds of any observation, whatever the headers. Throws an `Error` that says what does not. */
export function assertSane(observation: Observation): void {
  const fault = faultOf(observation)
  if (fault !== undefined) throw new Error(`${fault}: ${JSON.stringify(observation)}`)
}

export function expectSane(observation: Observation): void {
  expect(faultOf(observation)).toBeUndefined()
}

function faultOf({ limits, retryAfterMs, throttled, scope, tellsNothing, cost = {} }: Observation): string | undefined {
  if (typeof throttled !== 'boolean') return 'throttled'
  if (scope !== 'partition' && scope !== 'authority') return 'scope'
  if (retryAfterMs !== undefined && !isWait(retryAfterMs)) return 'retryAfterMs'
  if (tellsNothing && limits.length > 0) return 'tellsNothing'
  if (limits.length > 16) return 'limits'
  if (Object.values(cost).some((each) => !isCount(each))) return 'cost'
  return limits.map(faultInReading).find((fault) => fault !== undefined)
}

function faultInReading(reading: Observation['limits'][number]): string | undefined {
  const { name, limit, remaining, used, windowMs, resetInMs, resetStepMs, kind, unit, ...rest } = reading
  if (Object.keys(rest).length > 0 || Object.values(reading).includes(undefined)) return 'fields'
  if ([limit, remaining, used, resetInMs].every((field) => field === undefined)) return 'nothing'
  if ([name, unit].some((text) => text !== undefined && (text.length === 0 || text.length > 64))) return 'name'
  if (kind !== undefined && kind !== 'fixed' && kind !== 'rolling') return 'kind'
  if ([limit, used].some((count) => count !== undefined && !isCount(count))) return 'count'
  if (remaining !== undefined && !isWithin(remaining, -MOST, MOST)) return 'remaining'
  if (windowMs !== undefined && !isWithin(windowMs, 0.001, tenYearsMs)) return 'windowMs'
  if (resetInMs !== undefined && !isWait(resetInMs)) return 'resetInMs'
  return resetStepMs === undefined || resetStepMs === 1_000 || resetStepMs === 60_000 ? undefined : 'resetStepMs'
}

function isWait(ms: number): boolean {
  return Number.isInteger(ms) && isWithin(ms, 0, tenYearsMs)
}

function isCount(count: number): boolean {
  return isWithin(count, 0, MOST)
}

function isWithin(value: number, min: number, max: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0) && value >= min && value <= max
}
