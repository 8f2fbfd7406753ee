import type { HeaderState } from '../header-state.ts'
import type { MeterReading } from '../meter.ts'
import { left, wholeSeconds } from './text.ts'

export function ietf06(state: HeaderState): Record<string, string> {
  return {
    'ratelimit-limit': String(state.limit),
    'ratelimit-remaining': String(left(state)),
    'ratelimit-reset': String(wholeSeconds(state.resetInMs)),
    'ratelimit-policy': `${state.limit};w=${wholeSeconds(state.windowMs)}`,
  }
}

export function ietf08({ readings }: HeaderState): Record<string, string> {
  return {
    'ratelimit-policy': readings.map(policy).join(', '),
    ratelimit: readings.map(serviceLimit).join(', '),
  }
}

/** The quota unit is left out where it is `requests`, which is what its absence means. */
function policy(reading: MeterReading): string {
  const { limit, windowMs, unit = 'requests' } = reading
  const quotaUnit = unit === 'requests' ? '' : `;qu=${quoted(unit)}`
  return `${title(reading)};q=${limit}${quotaUnit};w=${wholeSeconds(windowMs)}`
}

function serviceLimit(reading: MeterReading): string {
  return `${title(reading)};r=${left(reading)};t=${wholeSeconds(reading.resetInMs)}`
}

function title({ name = 'default' }: MeterReading): string {
  return quoted(name)
}

/** A string of a structured field. */
function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
