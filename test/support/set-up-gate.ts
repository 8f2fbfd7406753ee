import {
  type AcquireOptions,
  Gate,
  type GateContext,
  type GateOptions,
  type Observation,
  type Permit,
  RateLimitError,
  type Reading,
} from '../../src/gate/index.ts'
import { VirtualClock } from '../../src/testing/index.ts'

export type Options = Omit<GateOptions, 'clock'>

export const windowMs = 60_000

/** Of which each unit comes back `windowMs` after it was sent. */
export const limitOf = (limit: number): Options => ({ limits: { limit, windowMs }, transitMs: 0 })

/** A gate on a clock that stands at 0. `GateClass` may be one with a rule removed. */
export function setUpGate(options: Options = {}, GateClass: typeof Gate = Gate, context: GateContext = {}) {
  const clock = new VirtualClock()
  return { clock, gate: new GateClass({ clock, ...options }, context) }
}

/** What became of a caller that asked for a permit. */
export interface Caller {
  state: 'waiting' | 'granted' | 'refused'
  permit?: Permit
  error?: unknown
}

/** Follows a promise without waiting for it. */
export function follow(promise: Promise<Permit>): Caller {
  const caller: Caller = { state: 'waiting' }
  promise.then(
    (permit) => Object.assign(caller, { state: 'granted', permit }),
    (error: unknown) => Object.assign(caller, { state: 'refused', error }),
  )
  return caller
}

/** Why a caller was refused, and when it may come back; undefined while it was not. */
export function refusedWith({ error }: Caller): [reason: string, retryAfterMs: number | undefined] | undefined {
  return error instanceof RateLimitError ? [error.reason, error.retryAfterMs] : undefined
}

/** How a gate refuses this caller: reason and hint. */
export async function refusal(gate: Gate, options: AcquireOptions): Promise<unknown> {
  const error: unknown = await gate.acquire(options).then(
    () => 'granted',
    (reason: unknown) => reason,
  )
  return error instanceof RateLimitError ? [error.reason, error.retryAfterMs] : error
}

/** How many permits are to be had at this very instant. None is settled or released. */
export function takeAll(gate: Gate, most = 10_000): Permit[] {
  const permits: Permit[] = []
  while (permits.length < most) {
    const permit = gate.tryAcquire()
    if (permit === undefined) break
    permits.push(permit)
  }
  return permits
}

/** An answer that does not throttle and says this of the limits. */
export function answer(...limits: Reading[]): Observation {
  return { limits, throttled: false, scope: 'partition' }
}

/** An answer that throttles; `retryAfterMs` is its hint. */
export function throttle(retryAfterMs?: number, ...limits: Reading[]): Observation {
  return { limits, throttled: true, scope: 'partition', ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
}

/** Sends one attempt and answers it at once. */
export function exchange(gate: Gate, observation?: Observation): void {
  const permit = gate.tryAcquire()
  if (permit === undefined) throw new Error('the gate is shut')
  permit.settle(observation)
  permit.release()
}

/** Lets all promise work that is due run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
