import type { Signal } from './abort.ts'
import * as check from './check.ts'
import { checkWeight, type Weight } from './weight.ts'

/** How one attempt asks for its permit. */
export interface AcquireOptions {
  /** Gives up waiting; the promise rejects with the signal's reason. */
  signal?: Signal | null | undefined
  /** What the attempt spends. Default 1. */
  weight?: Weight | undefined
  /** Higher goes first. Default 0. */
  priority?: number | undefined
  /** Refused at once if the projected wait is longer. Milliseconds. Default unbounded. */
  maxWaitMs?: number | undefined
  /** What to do while the gate is parked or probing. Default `wait`. */
  whenParked?: 'wait' | 'refuse' | undefined
  /** `arrival` of an earlier permit of this gate: one who tries again goes before those who asked later. Default last. */
  arrival?: number | undefined
  /** How long to go on waiting once a limit has held the caller up: behind a park, or since `startedAt`. Default unbounded. */
  allowance?: Allowance | undefined
}

/** What a caller allows itself once a limit has held it up, and what it does when that is not enough. */
export interface Allowance {
  /** Milliseconds since `startedAt`, or where it is not set since the gate was parked or the caller came behind a park. */
  maxDurationMs: number
  /** Since when the caller has been retrying, by the gate's clock. */
  startedAt?: number | undefined
  /**
   * `clamp` waits to the end of the allowance, and then breaks the park with one early probe if no other caller has broken it;
   * `return` is refused as soon as the park is known to outlast the allowance. Default `clamp`.
   */
  whenTooLong?: 'clamp' | 'return' | undefined
}

export const checkPriority = check.expecting('a finite number', Number.isFinite)
export const checkMaxWait = check.number({ min: 0, max: Infinity })
const checkWhenParked = check.choice('wait', 'refuse')
const checkAllowance = check.options(
  {
    maxDurationMs: checkMaxWait,
    startedAt: checkPriority,
    whenTooLong: check.choice('clamp', 'return'),
  },
  ['maxDurationMs'],
)

const checkAcquire: check.Check = (value) => {
  const { weight, priority, arrival, maxWaitMs, whenParked, allowance } = value as AcquireOptions
  return [
    ...(weight === undefined ? [] : checkWeight(weight, 'weight')),
    ...(priority === undefined ? [] : checkPriority(priority, 'priority')),
    ...(arrival === undefined ? [] : checkPriority(arrival, 'arrival')),
    ...(maxWaitMs === undefined ? [] : checkMaxWait(maxWaitMs, 'maxWaitMs')),
    ...(whenParked === undefined ? [] : checkWhenParked(whenParked, 'whenParked')),
    ...(allowance === undefined ? [] : checkAllowance(allowance, 'allowance')),
  ]
}

/** Refuses what is not a number of milliseconds from 0 to Infinity. */
export function assertDuration(value: number, option: string): void {
  check.assertValid(checkMaxWait, value, option)
}

/** Refuses what is not a weight, a priority, a wait, a way to wait or an allowance. */
export function assertAcquireOptions(options: AcquireOptions): void {
  const { weight, priority, arrival, maxWaitMs, whenParked, allowance } = options
  const given = weight !== undefined || priority !== undefined || maxWaitMs !== undefined || arrival !== undefined
  if (!given && whenParked === undefined && allowance === undefined) return
  check.assertValid(checkAcquire, options, '')
}
