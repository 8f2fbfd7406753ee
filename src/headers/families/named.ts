import { counts } from '../counts.ts'
import type { Family } from '../family.ts'
import { ownOf } from '../own.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../spans.ts'

/** Kong and others call a limit by its window. */
const CALENDAR_MS: Readonly<Record<string, number>> = {
  second: SECOND,
  minute: MINUTE,
  hour: HOUR,
  day: DAY,
  month: 30 * DAY,
  year: 365 * DAY,
}

/** Seconds, minutes, hours and days of `10s`, `1m`, `5h`, `7d`. */
const SUFFIXES_MS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY }

/** `minute`, `10s`. */
export function windowMsOf(name: string): number | undefined {
  const count = Number(name.slice(0, -1))
  const unitMs = ownOf(SUFFIXES_MS, name.slice(-1))
  if (unitMs !== undefined && Number.isInteger(count) && count > 0 && count < 1_000) return count * unitMs
  return ownOf(CALENDAR_MS, name)
}

/**
 * `tokens` and `tokens_usage_based` are both tokens; what is called by its window counts requests; `tokens-minute` says both. Of any other
 * name the unit is requests too: a limit that nobody charges would bind nobody.
 */
function calledBy(name: string) {
  return {
    windowMs: windowMsOf(name.slice(name.lastIndexOf('-') + 1)),
    unit: UNITS.some((unit) => name.includes(unit)) ? unitIn(name) : undefined,
  }
}

/** What a limit may count besides requests, as far as its name tells. */
const UNITS = ['tokens', 'complexity', 'points', 'credits', 'bytes', 'cost']

/** Of tokens there are several kinds, each with a limit of its own: `input-tokens`. */
function unitIn(name: string): string {
  if (name.startsWith('tokens')) return 'tokens'
  const end = name.lastIndexOf('-')
  return windowMsOf(name.slice(end + 1)) === undefined ? name : name.slice(0, end)
}

/** Limits that are named in the name of the header: OpenAI, Azure and Groq, Kong, Linear, RapidAPI, Anthropic and others. */
export const named: readonly Family[] = [
  counts(
    {
      limit: 'x-ratelimit-limit-*',
      remaining: 'x-ratelimit-remaining-*',
      used: 'x-ratelimit-used-*',
      reset: 'x-ratelimit-reset-*',
      window: 'x-ratelimit-renewalperiod-*',
    },
    { of: calledBy },
  ),
  counts(
    {
      limit: 'x-ratelimit-*-limit',
      remaining: 'x-ratelimit-*-remaining',
      used: 'x-ratelimit-*-used',
      reset: 'x-ratelimit-*-reset',
    },
    { of: calledBy },
  ),
  counts(
    {
      limit: 'anthropic-ratelimit-*-limit',
      remaining: 'anthropic-ratelimit-*-remaining',
      reset: 'anthropic-ratelimit-*-reset',
    },
    { of: calledBy },
  ),
  counts(
    {
      limit: 'anthropic-priority-*-limit',
      remaining: 'anthropic-priority-*-remaining',
      reset: 'anthropic-priority-*-reset',
    },
    { of: (name) => ({ ...calledBy(name), name: `priority-${name}` }) },
  ),
  counts(
    {
      limit: '*-ratelimit-limit',
      remaining: '*-ratelimit-remaining',
      used: '*-ratelimit-used',
      reset: '*-ratelimit-reset',
    },
    { of: calledBy },
  ),
  counts({ remaining: 'x-ms-ratelimit-remaining-*' }),
]
