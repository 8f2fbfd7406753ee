import type { HeaderState } from '../header-state.ts'
import type { MeterReading } from '../meter.ts'
import { spent, wholeSeconds } from './text.ts'

/** The kind of the limit that refused is stated on throttled answers alone. */
export function riot(state: HeaderState): Record<string, string> {
  const { readings, throttled } = state
  const type = isOfMethod(state) ? 'method' : 'application'
  return {
    ...family(
      'x-app-rate-limit',
      readings.filter((reading) => !isOfMethod(reading)),
    ),
    ...family('x-method-rate-limit', readings.filter(isOfMethod)),
    ...(throttled ? { 'x-rate-limit-type': type } : {}),
  }
}

function isOfMethod({ name = '' }: MeterReading): boolean {
  return name.startsWith('method')
}

function family(header: string, readings: MeterReading[]): Record<string, string> {
  if (readings.length === 0) return {}
  return {
    [header]: perWindow(readings, ({ limit }) => limit),
    [`${header}-count`]: perWindow(readings, spent),
  }
}

function perWindow(readings: MeterReading[], amount: (reading: MeterReading) => number): string {
  return readings.map((reading) => `${amount(reading)}:${wholeSeconds(reading.windowMs)}`).join(',')
}
