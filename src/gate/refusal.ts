import type { AcquireOptions } from './acquire.ts'
import type { RefusalReason } from './errors.ts'

/** What a caller is told to wait for a probe's answer. */
const PROBE_HINT_MS = 1_000

/** Why a caller may not wait, and when to come back if that helps. */
export interface Refusal {
  readonly reason: RefusalReason
  readonly retryAfterMs?: number
}

/** A gate as a caller finds it who cannot go at once. */
export interface Prospect {
  readonly closing: boolean
  readonly state: 'open' | 'parked' | 'probing'
  /** Projects the wait behind all that goes first. Milliseconds. Most callers do not have to know. */
  readonly projectMs: () => number
  readonly queued: number
  /** The caller's allowance ends before the park does, and it said not to wait then. */
  readonly outlasted: boolean
  readonly maxQueueSize: number
  /** Nobody may go because the engine is away. */
  readonly engineLost: boolean
}

/** Whether a caller is refused as it comes; undefined where it waits. */
export function refusalFor(
  { maxWaitMs = Infinity, whenParked }: AcquireOptions,
  { closing, state, projectMs, queued, outlasted, maxQueueSize, engineLost }: Prospect,
): Refusal | undefined {
  if (closing) return { reason: 'closed' }
  const refusesShut = state !== 'open' && (outlasted || whenParked === 'refuse')
  if (refusesShut && engineLost) return { reason: 'engine-lost', retryAfterMs: projectMs() }
  if (refusesShut) return refusalWhileShut(state, projectMs())
  if (queued >= maxQueueSize) return { reason: 'queue-full', retryAfterMs: projectMs() }
  if (maxWaitMs === Infinity) return undefined
  const waitMs = projectMs()
  return waitMs > maxWaitMs ? { reason: 'wait-too-long', retryAfterMs: waitMs } : undefined
}

/** A park that is over and not yet probed is about to be. */
export function refusalWhileShut(state: 'parked' | 'probing', waitMs: number): Refusal {
  if (state === 'probing' || waitMs === 0) return { reason: 'probing', retryAfterMs: PROBE_HINT_MS }
  return { reason: 'parked', retryAfterMs: waitMs }
}
