import { type Random, sample } from '../built.ts'
import type { Trip } from './scenario.ts'

/** How long a request takes until it is counted, and from there until its headers arrive: whole ms, as timers keep them. */
export function tripLatency(trip: Trip): Record<'upMs' | 'downMs', (random: Random) => number> {
  const whole = (random: Random): number =>
    Math.min(trip.maxMs ?? Infinity, Math.max(trip.minMs ?? 0, sample(trip, random)))
  if (trip.sigma === 0) return { upMs: () => trip.medianMs / 2, downMs: () => trip.medianMs / 2 }
  return {
    upMs: (random) => Math.min(trip.maxUpMs ?? Infinity, Math.round(whole(random) * random())),
    downMs: (random) => Math.round(whole(random) * (1 - random())),
  }
}
