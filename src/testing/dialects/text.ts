import type { MeterReading } from '../meter.ts'

/** Forgives the rounding of a bucket's refill, or a whole step would come out as the next one. */
const STEP_SLACK = 1e-6

/** How many steps of `stepMs` cover `ms`, rounded up. */
function stepsUp(ms: number, stepMs: number): number {
  return Math.ceil(ms / stepMs - STEP_SLACK)
}

/** Whole seconds, rounded up: of a duration, or since the epoch of a wall time. */
export function wholeSeconds(ms: number): number {
  return stepsUp(ms, 1000)
}

/** Seconds with three decimals, rounded up to the ms: of a duration, or since the epoch of a wall time. */
export function decimalSeconds(ms: number): string {
  return (stepsUp(ms, 1) / 1000).toFixed(3)
}

/** An HTTP date, cut to whole seconds as the format has it. */
export function httpDate(wallMs: number): string {
  return new Date(wallMs).toUTCString()
}

/** RFC 3339 in UTC, rounded up to whole seconds: `2026-01-01T00:00:30Z`. */
export function rfc3339(wallMs: number): string {
  return new Date(wholeSeconds(wallMs) * 1000).toISOString().replace('.000Z', 'Z')
}

/** A duration as Go prints it, rounded up to the ms: `0s`, `12ms`, `8.64s`, `6m0s`, `24h0m0s`. */
export function goDuration(ms: number): string {
  const whole = stepsUp(ms, 1)
  if (whole > 0 && whole < 1000) return `${whole}ms`
  const minutes = Math.floor(whole / 60_000)
  const seconds = `${(whole - minutes * 60_000) / 1000}s`
  if (minutes === 0) return seconds
  return minutes < 60 ? `${minutes}m${seconds}` : `${Math.floor(minutes / 60)}h${minutes % 60}m${seconds}`
}

/** What is left in whole units, never below 0. */
export function left({ remaining }: MeterReading): number {
  return Math.max(0, Math.floor(remaining))
}

/** What is used in whole units. Above the limit where refused requests are counted. */
export function spent({ used }: MeterReading): number {
  return Math.ceil(used)
}
