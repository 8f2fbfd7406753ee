import {
  conditionalMean,
  expectedRejections,
  overshootProbability,
  rollingRejections,
  waitingRejections,
} from '../../src/planning/index.ts'
import { FixedWindow, RollingWindow } from './limiters.ts'
import { shared, split } from './schemes.ts'
import { countSeconds, type Estimate, type Fleet, simulate } from './simulate.ts'

/** What is computed, beside what a simulation finds. */
export interface Comparison {
  figure: string
  computed: number
  simulated: number
  /** Of the difference. */
  standardError: number
  /** In standard errors. */
  distance: number
  calls: number
}

/** The article's: all attempts that it saw, and the calls that made them with one retry each. */
export const RATE = 136.28
export const CALLS = 132.645
export const LIMIT = 150
export const PROCESSES = 6
export const EVENLY: readonly number[] = Array<number>(PROCESSES).fill(1 / PROCESSES)

const SHARE = LIMIT / PROCESSES
const one = { rate: RATE, limit: LIMIT }
const part = { rate: RATE / PROCESSES, limit: SHARE }

/** Each figure from a stream of its own, so that one unlucky stream shows in one figure. */
export function compare(seconds: number, seed: number): Comparison[] {
  const counted = countSeconds(RATE, LIMIT, seconds, seed)
  const calls = RATE * seconds
  return [
    comparison('P(X > 150)', overshootProbability(one), counted.overshoot, calls),
    comparison('E[X | X >= 151]', conditionalMean({ rate: RATE, atLeast: 151 }), counted.conditional, calls),
    ...FLEETS.map(({ figure, computed, fleet }, index) => {
      const { refused, calls } = simulate(fleet(), seconds, seed + index + 1)
      const { value, standardError = 0 } = computed()
      return comparison(figure, value, refused, calls, standardError)
    }),
  ]
}

function comparison(figure: string, computed: number, found: Estimate, calls: number, ownError = 0): Comparison {
  const standardError = Math.hypot(found.standardError, ownError)
  return {
    figure,
    computed,
    simulated: found.mean,
    standardError,
    distance: (found.mean - computed) / standardError,
    calls,
  }
}

interface FleetFigure {
  figure: string
  computed: () => { value: number; standardError?: number }
  fleet: () => Fleet
}

const whole = (limiter: FixedWindow | RollingWindow): Fleet => fleetOf(shared(limiter))
const parts = (limiterOf: () => FixedWindow | RollingWindow): Fleet => fleetOf(split(PROCESSES, limiterOf))

function fleetOf(scheme: Fleet['scheme']): Fleet {
  return { rate: RATE, traffic: EVENLY, scheme, limit: LIMIT }
}

const retried = (fleet: Fleet): Fleet => ({ ...fleet, rate: CALLS, retry: 'same' })

function waiting(
  rate: number,
  limit: number,
  maxWaitMs: number,
  limiters: number,
): ReturnType<FleetFigure['computed']> {
  const { rejections, standardError } = waitingRejections({ rate, limit, maxWaitMs })
  return { value: rejections * limiters, standardError: standardError * limiters }
}

const FLEETS: readonly FleetFigure[] = [
  {
    figure: 'refused: one limiter, fixed window',
    computed: () => ({ value: expectedRejections(one) }),
    fleet: () => whole(new FixedWindow(LIMIT)),
  },
  {
    figure: 'refused: 6 shares of 25, fixed window',
    computed: () => ({ value: PROCESSES * expectedRejections(part) }),
    fleet: () => parts(() => new FixedWindow(SHARE)),
  },
  {
    figure: 'refused: one limiter, fixed window, one retry',
    computed: () => ({ value: 2 * expectedRejections({ rate: CALLS, limit: LIMIT }) }),
    fleet: () => retried(whole(new FixedWindow(LIMIT))),
  },
  {
    figure: 'refused: 6 shares of 25, fixed window, one retry',
    computed: () => ({ value: 2 * PROCESSES * expectedRejections({ rate: CALLS / PROCESSES, limit: SHARE }) }),
    fleet: () => retried(parts(() => new FixedWindow(SHARE))),
  },
  {
    figure: 'refused: 6 shares of 26, fixed window, one retry',
    computed: () => ({ value: 2 * PROCESSES * expectedRejections({ rate: CALLS / PROCESSES, limit: SHARE + 1 }) }),
    fleet: () => retried(parts(() => new FixedWindow(SHARE + 1))),
  },
  {
    figure: 'refused: one limiter, rolling window',
    computed: () => ({ value: rollingRejections(one) }),
    fleet: () => whole(new RollingWindow(LIMIT)),
  },
  {
    figure: 'refused: 6 shares of 25, rolling window',
    computed: () => ({ value: PROCESSES * rollingRejections(part) }),
    fleet: () => parts(() => new RollingWindow(SHARE)),
  },
  {
    figure: 'refused: one limiter, rolling window, waits up to 50 ms',
    computed: () => waiting(RATE, LIMIT, 50, 1),
    fleet: () => whole(new RollingWindow(LIMIT, { maxWait: 0.05 })),
  },
  {
    figure: 'refused: 6 shares of 25, rolling window, waits up to 250 ms',
    computed: () => waiting(RATE / PROCESSES, SHARE, 250, PROCESSES),
    fleet: () => parts(() => new RollingWindow(SHARE, { maxWait: 0.25 })),
  },
]
