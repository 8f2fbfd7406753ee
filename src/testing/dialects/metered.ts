import type { HeaderState } from '../header-state.ts'
import type { MeterReading } from '../meter.ts'
import { goDuration, left, rfc3339 } from './text.ts'

export function openai({ readings }: HeaderState): Record<string, string> {
  return perMetric(readings, (metric, reading) => ({
    [`x-ratelimit-limit-${metric}`]: String(reading.limit),
    [`x-ratelimit-remaining-${metric}`]: String(left(reading)),
    [`x-ratelimit-reset-${metric}`]: goDuration(reading.resetInMs),
  }))
}

/** What is left of tokens is rounded to the nearest thousand, up or down. */
export function anthropic({ readings, wallMs }: HeaderState): Record<string, string> {
  return perMetric(readings, (metric, reading) => ({
    [`anthropic-ratelimit-${metric}-limit`]: String(reading.limit),
    [`anthropic-ratelimit-${metric}-remaining`]: String(metric.endsWith('tokens') ? thousands(reading) : left(reading)),
    [`anthropic-ratelimit-${metric}-reset`]: rfc3339(wallMs + reading.resetInMs),
  }))
}

function thousands(reading: MeterReading): number {
  return Math.round(left(reading) / 1000) * 1000
}

/** What `write` says of each metric: a limit's name, else its unit. Of several limits of one, the tightest is stated. */
function perMetric(
  readings: MeterReading[],
  write: (metric: string, reading: MeterReading) => Record<string, string>,
): Record<string, string> {
  const byRoom = readings.toSorted((a, b) => b.remaining - a.remaining)
  const written = byRoom.map((reading) => write(reading.name ?? reading.unit ?? 'requests', reading))
  return Object.assign({}, ...written) as Record<string, string>
}
