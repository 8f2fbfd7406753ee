import type { Instant } from './civil.ts'
import { readInstant } from './dates.ts'
import { readThousandths } from './numbers.ts'

/** The longest wait that is believed, in milliseconds: ten years of 365 days. A longer one is taken for malformed. */
export const maxWaitMs = 315_360_000_000

/** From this many seconds on (September 2001) a number is an instant, not a delay: as a delay it would be 31 years. */
const minEpochSeconds = 1_000_000_000
/** From this value on (again September 2001) a number is an instant in milliseconds. */
const minEpochMs = 1_000_000_000_000

/** How long to wait from the response on. */
export interface Wait {
  /** Whole milliseconds, rounded up: 0 (also for an instant that has passed) to `maxWaitMs`. */
  waitMs: number
  /** How coarsely it was told: 1 000 for whole seconds. Absent for fractions of a second. */
  stepMs?: number
}

/**
 * A wait in any of the forms that servers use: seconds (`120`, `0.503`), seconds with their unit (`30s`), seconds or
 * milliseconds since the Unix epoch (told apart by magnitude), or a date. Undefined for anything else, for a negative
 * number, and for more than `maxWaitMs`.
 *
 * @param nowMs when the response was made, by the clock that instants in it are read against, as milliseconds since the
 *   Unix epoch. Undefined: instants cannot be read
 */
export function readWait(text: string, nowMs: number | undefined): Wait | undefined {
  const thousandths = readThousandths(text)
  if (thousandths !== undefined) return readNumber(thousandths, nowMs)
  if (text.endsWith('s')) return inSeconds(readThousandths(text.slice(0, -1)))
  const instant = readInstant(text, nowMs)
  return instant && until(instant, nowMs)
}

/** A wait from milliseconds, fractions rounded up: 0 to `maxWaitMs`, otherwise undefined. */
export function readMilliseconds(text: string): number | undefined {
  const thousandths = readThousandths(text)
  return thousandths === undefined ? undefined : bounded(thousandths / 1_000)
}

function readNumber(thousandths: number, nowMs: number | undefined): Wait | undefined {
  if (thousandths >= minEpochMs * 1_000) return until({ epochMs: thousandths / 1_000 }, nowMs)
  if (thousandths >= minEpochSeconds * 1_000) return until({ epochMs: thousandths, ...stepOf(thousandths) }, nowMs)
  return inSeconds(thousandths)
}

function inSeconds(thousandths: number | undefined): Wait | undefined {
  const waitMs = thousandths === undefined ? undefined : bounded(thousandths)
  return waitMs === undefined ? undefined : { waitMs, ...stepOf(waitMs) }
}

/** `12.0` is whole seconds too: some servers print every integer so. */
function stepOf(ms: number): { stepMs?: number } {
  return ms % 1_000 === 0 ? { stepMs: 1_000 } : {}
}

function until({ epochMs, ...step }: Instant, nowMs: number | undefined): Wait | undefined {
  const waitMs = nowMs === undefined ? undefined : bounded(Math.max(epochMs - nowMs, 0))
  return waitMs === undefined ? undefined : { waitMs, ...step }
}

function bounded(ms: number): number | undefined {
  return ms <= maxWaitMs ? Math.ceil(ms) : undefined
}
