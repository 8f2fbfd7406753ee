import { CALLS, EVENLY, LIMIT, PROCESSES, RATE } from './comparisons.ts'
import { FixedWindow, LeakyBucket, type Limiter, RollingWindow } from './limiters.ts'
import { divided, type Scheme, shared, split } from './schemes.ts'
import { type Fleet, type Result, simulate } from './simulate.ts'

export interface SchemeRow {
  name: string
  result: Result
}

const SHARE = LIMIT / PROCESSES
const SKEWED = [0.3, 0.25, 0.2, 0.12, 0.08, 0.05]

/** How much of a process's demand is what the last second showed. */
const SMOOTHED = 0.3
const LAST_SECOND = 1

interface Row extends Partial<Omit<Fleet, 'scheme'>> {
  scheme: () => Scheme
}

const fixed = (): Limiter => new FixedWindow(SHARE)
const rolling = (): Limiter => new RollingWindow(SHARE, { mostLimit: LIMIT })
const dividing = (limiterOf: () => Limiter, weight: number) => (): Scheme =>
  divided(Array.from({ length: PROCESSES }, limiterOf), LIMIT, weight)

/** What each scheme refuses, and what the upstream refuses of the rest: by the limiter, by how it is shared, and by what callers do then. */
const ROWS: Record<string, Row> = {
  'leaky bucket of 150, one': { scheme: () => shared(new LeakyBucket(LIMIT, LIMIT)) },
  'leaky bucket of 15, one': { scheme: () => shared(new LeakyBucket(LIMIT, LIMIT / 10)) },
  'leaky bucket of 1, one': { scheme: () => shared(new LeakyBucket(LIMIT, 1)) },
  'leaky bucket of 25, 6 shares': { scheme: () => split(PROCESSES, () => new LeakyBucket(SHARE, SHARE)) },
  'reset each second, one': { scheme: () => shared(new FixedWindow(LIMIT)) },
  'reset each second, 6 shares': { scheme: () => split(PROCESSES, fixed) },
  'reset each second, shares by demand, smoothed': { scheme: dividing(fixed, SMOOTHED) },
  'reset each second, shares by demand, last second': { scheme: dividing(fixed, LAST_SECOND) },
  'rolling, one or shared': { scheme: () => shared(new RollingWindow(LIMIT)) },
  'rolling, 6 shares': { scheme: () => split(PROCESSES, rolling) },
  'rolling, shares by demand, smoothed': { scheme: dividing(rolling, SMOOTHED) },
  'rolling, shares by demand, last second': { scheme: dividing(rolling, LAST_SECOND) },
  'reset each second, 6 shares, retry at once on the same': {
    scheme: () => split(PROCESSES, fixed),
    rate: CALLS,
    retry: 'same',
  },
  'reset each second, 6 shares, retry at once on another': {
    scheme: () => split(PROCESSES, fixed),
    rate: CALLS,
    retry: 'other',
  },
  'reset each second, 6 shares, retry 1.5 s later on another': {
    scheme: () => split(PROCESSES, fixed),
    rate: CALLS,
    retry: 'later',
  },
  'uneven traffic: reset each second, 6 shares': { scheme: () => split(PROCESSES, fixed), traffic: SKEWED },
  'uneven traffic: reset each second, shares by demand, smoothed': {
    scheme: dividing(fixed, SMOOTHED),
    traffic: SKEWED,
  },
  'uneven traffic: rolling, 6 shares': { scheme: () => split(PROCESSES, rolling), traffic: SKEWED },
  'uneven traffic: rolling, shares by demand, smoothed': { scheme: dividing(rolling, SMOOTHED), traffic: SKEWED },
  'uneven traffic: rolling, shared': { scheme: () => shared(new RollingWindow(LIMIT)), traffic: SKEWED },
  'rolling, one or shared, waits up to 250 ms': {
    scheme: () => shared(new RollingWindow(LIMIT, { maxWait: 0.25 })),
  },
}

/** Every scheme meets the same calls, but for the rows with retries, whose calls are fewer. */
export function simulateSchemes(seconds: number, seed: number): SchemeRow[] {
  return Object.entries(ROWS).map(([name, { scheme, ...rest }]) => {
    const fleet: Fleet = { rate: RATE, traffic: EVENLY, limit: LIMIT, ...rest, scheme: scheme() }
    return { name, result: simulate(fleet, seconds, seed) }
  })
}
