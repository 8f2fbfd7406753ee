import type { Random } from '../random.ts'

/**
 * How long something takes, in ms: always the same, log-normal about a median, even between two bounds, or drawn by a
 * function. `sigma` is that of the logarithm: 0.5 puts the 95th percentile at 2.3 medians, 1 at 5.2.
 */
export type Latency =
  | number
  | { medianMs: number; sigma: number }
  | { minMs: number; maxMs: number }
  | ((random: Random) => number)

/** Steps per ms. A power of two, so that sums of drawn times are exact and instants compare as they should. */
const STEPS_PER_MS = 1024

/**
 * Draws one time in ms, rounded to 1/1024 ms.
 * @throws RangeError if it comes out negative or not finite.
 */
export function sample(latency: Latency, random: Random): number {
  const ms = draw(latency, random)
  if (!(ms >= 0 && ms < Infinity)) throw new RangeError(`a latency must be a finite number of ms >= 0, is ${ms}`)
  return Math.round(ms * STEPS_PER_MS) / STEPS_PER_MS
}

function draw(latency: Latency, random: Random): number {
  if (typeof latency === 'number') return latency
  if (typeof latency === 'function') return latency(random)
  if ('medianMs' in latency) return latency.medianMs * Math.exp(latency.sigma * standardNormal(random))
  return latency.minMs + (latency.maxMs - latency.minMs) * random()
}

/** Box and Muller's transform. `1 - random()` lies in (0, 1], whose logarithm is finite. */
function standardNormal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random()))
  return radius * Math.cos(2 * Math.PI * random())
}
