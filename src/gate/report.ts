import type { Cause, LimitSnapshot } from './limit.ts'
import type { Via } from './share.ts'

/** Why an attempt would have to wait, and how long. */
export interface Explanation {
  /** Milliseconds until it would go, as far as time alone can tell; 0 where only an answer can, Infinity for never. */
  wouldWaitMs: number
  boundBy: Cause | 'nothing'
  /** Callers waiting already. */
  queued: number
}

/** A gate as it stands. */
export interface GateSnapshot {
  queued: number
  /** Attempts whose headers have not arrived. */
  inFlight: number
  /** Permits not released. */
  held: number
  state: 'open' | 'parked' | 'probing'
  /** Milliseconds until the park ends; 0 where there is none. */
  parkedForMs: number
  limits: LimitSnapshot[]
  /** Where other processes draw on the same budget: by whose word attempts go, and how many processes there are, as far as is known. */
  shared?: { via: Via; processes: number }
  /** Bytes of the ledgers behind the limits. */
  ledgerBytes: number
}
