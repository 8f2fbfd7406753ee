import type { RefusalReason, RefusedAt } from './errors.ts'
import type { Cause } from './limit.ts'
import type { Reading } from './observation.ts'
import type { OpenShare, Via } from './share.ts'

/** Told what a gate does, as it does it. Must not throw. */
export interface GateObserver {
  /** A caller got its permit after waiting; `cause` is what held it, or the first in its line, last. */
  waited: (waitedMs: number, cause: Cause) => void
  refused: (reason: RefusalReason, retryAfterMs: number | undefined) => void
  /** The gate was shut, or its park lengthened, `forMs` from now. */
  parked: (forMs: number, hinted: boolean) => void
  /** The attempt just let through is the probe. */
  probed: () => void
  /** The probe's answer opened the gate. */
  reopened: () => void
  /** An answer stated limits. */
  read: (limits: readonly Reading[]) => void
  /** By whose word attempts of a shared budget go from now on, and why. */
  degraded: (via: Via, why: string) => void
}

/** What surrounds a gate. */
export interface GateContext {
  /** What refusals say of where they happened. */
  refusedAt?: RefusedAt
  observer?: Partial<GateObserver>
  /** Other processes draw on the same budget. */
  openShare?: OpenShare | undefined
}
