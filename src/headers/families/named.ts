import { counts } from '../counts.ts'
import { type Family, unitOf } from '../family.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Kong and others call a limit by its window. */
const CALENDAR_MS: Readonly<Record<string, number>> = { second: SECOND, minute: MINUTE, hour: HOUR, day: DAY }

/** Seconds, minutes, hours and days of `10s`, `1m`, `5h`, `7d`. */
const SUFFIXES_MS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY }

/** `minute`, `10s`. */
export function windowMsOf(name: string): number | undefined {
  const count = Number(name.slice(0, -1))
  const unitMs = SUFFIXES_MS[name.slice(-1)]
  if (unitMs !== undefined && Number.isInteger(count) && count > 0 && count < 1_000) return count * unitMs
  return CALENDAR_MS[name]
}

/** `tokens` and `tokens_usage_based` are both tokens; what is called by its window counts requests. */
function calledBy(name: string): { unit?: string; windowMs?: number } {
  const windowMs = windowMsOf(name)
  if (windowMs !== undefined) return { windowMs }
  const unit = name.startsWith('tokens') ? 'tokens' : unitOf(name)
  return unit === undefined ? {} : { unit }
}

const of = calledBy

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
    { of },
  ),
  counts(
    {
      limit: 'x-ratelimit-*-limit',
      remaining: 'x-ratelimit-*-remaining',
      used: 'x-ratelimit-*-used',
      reset: 'x-ratelimit-*-reset',
    },
    { of },
  ),
  counts(
    {
      limit: 'anthropic-ratelimit-*-limit',
      remaining: 'anthropic-ratelimit-*-remaining',
      reset: 'anthropic-ratelimit-*-reset',
    },
    { of },
  ),
  counts(
    {
      limit: '*-ratelimit-limit',
      remaining: '*-ratelimit-remaining',
      used: '*-ratelimit-used',
      reset: '*-ratelimit-reset',
    },
    { of },
  ),
  counts({ remaining: 'x-ms-ratelimit-remaining-*' }),
]
