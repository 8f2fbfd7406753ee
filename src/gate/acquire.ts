import type { Signal } from './abort.ts'
import { ConfigError } from './errors.ts'
import { numberFaults, RANGES } from './options.ts'
import type { Permit } from './permit.ts'
import type { Place } from './queue.ts'
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
}

/** A caller in the queue. */
export interface Waiter {
  readonly weight: Weight
  readonly priority: number
  readonly signal: Signal | undefined
  readonly resolve: (permit: Permit) => void
  readonly reject: (reason: unknown) => void
  place?: Place<Waiter>
}

/** Refuses what is not a weight, a priority or a wait. */
export function checkAcquireOptions({ weight, priority, maxWaitMs }: AcquireOptions): void {
  if (weight !== undefined) checkWeight(weight)
  if (priority !== undefined && !Number.isFinite(priority)) {
    throw new ConfigError([{ option: 'priority', value: priority, expected: 'a finite number' }])
  }
  if (maxWaitMs === undefined) return
  const faults = numberFaults('maxWaitMs', maxWaitMs, RANGES.maxWaitMs)
  if (faults.length > 0) throw new ConfigError(faults)
}
