import type { Instant } from './civil.ts'
import { readHttpDate } from './http-date.ts'
import { readIsoDate } from './iso-date.ts'

/**
 * A date in any of the forms of `readHttpDate` and `readIsoDate`; undefined for anything else, and for a day that does
 * not exist.
 *
 * @param nearMs what two-digit years are judged from, as milliseconds since the Unix epoch
 */
export function readInstant(text: string, nearMs?: number): Instant | undefined {
  const epochMs = readHttpDate(text, nearMs)
  return epochMs === undefined ? readIsoDate(text) : { epochMs, stepMs: 1_000 }
}

/** As `readInstant`, as milliseconds since the Unix epoch alone. */
export function readDate(text: string, nearMs?: number): number | undefined {
  return readInstant(text, nearMs)?.epochMs
}
