import { readThousandths } from './numbers.ts'
import { ownOf } from './own.ts'

/** Milliseconds by unit, as Go prints them; days beside, which some servers add. */
const UNITS_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  '\u00b5s': 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/**
 * A duration of numbers and their units, largest first: `30s`, `12ms`, `6m0s`, `16m17.764s`, `1d2h`. Whole milliseconds, rounded up.
 * Undefined for anything else, a sign included.
 */
export function readDuration(text: string): number | undefined {
  let ms = 0
  let at = 0
  let last = Infinity
  while (at < text.length) {
    const unitAt = skip(text, at, isNumeric)
    const end = skip(text, unitAt, isUnit)
    const unitMs = ownOf(UNITS_MS, text.slice(unitAt, end))
    const thousandths = readThousandths(text.slice(at, unitAt))
    if (unitMs === undefined || thousandths === undefined || unitMs >= last) return undefined
    ms += (thousandths * unitMs) / 1_000
    last = unitMs
    at = end
  }
  return text === '' ? undefined : Math.ceil(ms)
}

function skip(text: string, from: number, passes: (char: string) => boolean): number {
  let at = from
  while (at < text.length && passes(text.charAt(at))) at++
  return at
}

function isNumeric(char: string): boolean {
  return (char >= '0' && char <= '9') || char === '.'
}

function isUnit(char: string): boolean {
  return !isNumeric(char)
}
