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
  /** The attempt says itself when it goes on its way (`permit.start()`); until then its time does not run. Default false. */
  startsLater?: boolean | undefined
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
export const checkDuration = check.number({ min: 0, max: Infinity })
const checkWhenParked = check.choice('wait', 'refuse')
const checkAllowance = check.options(
  {
    maxDurationMs: checkDuration,
    startedAt: checkPriority,
    whenTooLong: check.choice('clamp', 'return'),
  },
  ['maxDurationMs'],
)

const checkSignal = check.expecting(
  'an AbortSignal',
  (value) => value === null || typeof (value as Signal).addEventListener === 'function',
)

const checkAcquire = check.options({
  signal: checkSignal,
  weight: checkWeight,
  priority: checkPriority,
  arrival: checkPriority,
  maxWaitMs: checkDuration,
  whenParked: checkWhenParked,
  startsLater: check.boolean,
  allowance: checkAllowance,
})

/** Refuses what is not a number of milliseconds from 0 to Infinity. */
export function assertDuration(value: number, option: string): void {
  check.assertValid(checkDuration, value, option)
}

const checkClose = check.options({ drainMs: checkDuration })

/** Refuses what is no option of a close. */
export function assertCloseOptions(options: { drainMs?: number }): void {
  check.assertValid(checkClose, options, '')
}

/** Refuses what is no option of an acquire, or has a value that makes no sense. Nothing given costs nothing. */
export function assertAcquireOptions(options: AcquireOptions): void {
  for (const _ in options) return check.assertValid(checkAcquire, options, '')
}
