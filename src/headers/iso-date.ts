import { type Instant, toEpochMs } from './civil.ts'
import { fits, isDigits } from './text.ts'

const maxFractionDigits = 9

/**
 * A date of RFC 3339 (`2025-01-20T00:00:00Z`, `2025-01-20 01:00:00.5+01:00`), and with ISO 8601 also one without
 * seconds (`2024-05-05T18:02Z`) or with an offset without a colon (`+0100`). Up to nine digits of a second's fraction,
 * cut to milliseconds. Undefined for anything else, and for a date without a zone: nobody can tell whose local time it
 * is.
 */
export function readIsoDate(text: string): Instant | undefined {
  const zoneAt = findZone(text)
  const offsetMs = readOffset(text.slice(zoneAt))
  const wall = readWall(text.slice(0, zoneAt))
  return wall && offsetMs !== undefined ? { ...wall, epochMs: wall.epochMs - offsetMs } : undefined
}

/** The zone begins at the first letter or sign after `YYYY-MM-DDThh:mm`. */
function findZone(text: string): number {
  let at = 16
  // The nothing beyond the end is in every text.
  while (!'Zz+-'.includes(text.charAt(at))) at++
  return at
}

/** Milliseconds east of UTC. */
function readOffset(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0
  const [sign, digits] = [zone.charAt(0), zone.slice(1).replace(':', '')]
  if (!(fits(zone, `${sign}99:99`) || fits(zone, `${sign}9999`)) || (sign !== '+' && sign !== '-')) return undefined
  const [hour, minute] = [Number(digits.slice(0, 2)), Number(digits.slice(2))]
  if (hour > 23 || minute > 59) return undefined
  return (sign === '-' ? -1 : 1) * (hour * 60 + minute) * 60_000
}

/** `YYYY-MM-DDThh:mm`, then nothing, `:ss`, or `:ss` with a fraction. */
function readWall(text: string): Instant | undefined {
  const seconds = text.slice(16)
  const ms = readSeconds(seconds)
  if (ms === undefined || !fits(text.slice(0, 10), '9999-99-99') || !fits(text.slice(11, 16), '99:99')) return undefined
  const epochMs = 'Tt '.includes(text.charAt(10)) ? minuteOf(text) : undefined
  if (epochMs === undefined) return undefined
  const stepMs = seconds === '' ? 60_000 : seconds.length === 3 ? 1_000 : undefined
  return { epochMs: epochMs + ms, ...(stepMs && { stepMs }) }
}

function minuteOf(text: string): number | undefined {
  const part = (from: number, to: number) => Number(text.slice(from, to))
  const day = { year: part(0, 4), month: part(5, 7), day: part(8, 10) }
  return toEpochMs({ ...day, hour: part(11, 13), minute: part(14, 16), second: 0 })
}

/** `:ss` or `:ss.fraction` as whole milliseconds; 0 for nothing. */
function readSeconds(text: string): number | undefined {
  if (text === '') return 0
  const fraction = text.length > 3 ? text.slice(4) : '0'
  // As above: the nothing beyond the end is in every text.
  if (!fits(text.slice(0, 3), ':99') || !'.,'.includes(text.charAt(3)) || !isDigits(fraction)) return undefined
  const seconds = Number(text.slice(1, 3))
  if (seconds > 60 || fraction.length > maxFractionDigits) return undefined
  return seconds * 1_000 + Number(fraction.slice(0, 3).padEnd(3, '0'))
}
