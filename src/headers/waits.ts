import { readInstant } from './dates.ts'
import { readDuration } from './durations.ts'
import { readThousandths } from './numbers.ts'

/** The longest wait that is believed, in milliseconds: ten years of 365 days. A longer one is taken for malformed. */
export const maxWaitMs = 315_360_000_000

/** From this many seconds on (September 2001) a number is an instant, not a delay: as a delay it would be 31 years. */
export const minEpochSeconds = 1_000_000_000
/** From this value on (again September 2001) a number is an instant in milliseconds. */
const minEpochMs = 1_000_000_000_000

/** How long to wait from the response on. */
export interface Wait {
  /** Whole milliseconds, rounded up: 0 (also for an instant that has passed) to `maxWaitMs`. */
  waitMs: number
  /** How coarsely it was told: 1 000 for whole seconds. Undefined for fractions of a second. */
  stepMs: number | undefined
}

/** When the response was made, as milliseconds since the Unix epoch; undefined where instants cannot be read. */
export interface Now {
  readonly nowMs: number | undefined
}

/** What a bare number counts, where that is not seconds. */
export type WaitUnit = 'seconds' | 'milliseconds'

/**
 * A wait in any of the forms that servers use: seconds (`120`, `0.503`) or with `unit` milliseconds, a duration with units (`30s`,
 * `12ms`, `1h6m0s`), seconds or milliseconds since the Unix epoch (told apart by magnitude), or a date. Undefined for anything else, for a
 * negative number, and for more than `maxWaitMs`.
 *
 * @param now the clock that instants in it are read against
 */
export function readWait(text = '', now: Now, unit?: WaitUnit): Wait | undefined {
  const thousandths = readThousandths(text)
  if (thousandths !== undefined) return readNumber(thousandths, now, unit)
  const durationMs = readDuration(text)
  if (durationMs !== undefined) return inThousandths(durationMs)
  const instant = readInstant(text, now.nowMs)
  return instant && until(instant.epochMs, instant.stepMs, now)
}

/** A wait from milliseconds, fractions rounded up: 0 to `maxWaitMs`, otherwise undefined. */
export function readMilliseconds(text: string | undefined): number | undefined {
  const thousandths = readThousandths(text)
  return thousandths === undefined ? undefined : bounded(thousandths / 1_000)
}

function readNumber(thousandths: number, now: Now, unit: WaitUnit | undefined): Wait | undefined {
  if (thousandths >= minEpochMs * 1_000) return until(thousandths / 1_000, undefined, now)
  if (thousandths >= minEpochSeconds * 1_000) return until(thousandths, stepOf(thousandths), now)
  return unit === 'milliseconds' ? wait(thousandths / 1_000, undefined) : inThousandths(thousandths)
}

function inThousandths(thousandths: number): Wait | undefined {
  return wait(thousandths, stepOf(thousandths))
}

/** `12.0` is whole seconds too: some servers print every integer so. */
function stepOf(ms: number): number | undefined {
  return ms % 1_000 === 0 ? 1_000 : undefined
}

function until(epochMs: number, stepMs: number | undefined, { nowMs }: Now): Wait | undefined {
  return nowMs === undefined ? undefined : wait(Math.max(epochMs - nowMs, 0), stepMs)
}

function wait(ms: number, stepMs: number | undefined): Wait | undefined {
  const waitMs = bounded(ms)
  return waitMs === undefined ? undefined : { waitMs, stepMs }
}

function bounded(ms: number): number | undefined {
  return ms <= maxWaitMs ? Math.ceil(ms) : undefined
}
