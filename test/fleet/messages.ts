import type { SharedBudgetOptions } from '../../src/shared/index.ts'

/** One limit of the upstream, as all members know it. */
export const LIMIT = { limit: 150, windowMs: 1_000 }

/** What one member process is to do. */
export interface MemberSettings {
  /** Port of the engine, or of what stands before it. */
  enginePort: number
  upstream: string
  /** Calls arrive at random, on average so many a second. */
  callsPerS: number
  maxWaitMs: number
  shared: Omit<SharedBudgetOptions, 'engine'>
}

/** From the test to a member: begin to call, begin to count anew, stop and report. */
export type Order = 'begin' | 'count' | 'report'

/** From a member to the test. */
export type Word = { type: 'ready' } | { type: 'park'; at: number } | { type: 'report'; report: MemberReport }

/** What a member saw since it was told to count. */
export interface MemberReport {
  calls: number
  served: number
  throttled: number
  failed: number
  refused: Record<string, number>
  /** What it noticed of faults, by kind. */
  faults: Record<string, number>
  sentWithoutEngine: number
  /** How long each call to the engine took, in ms, however it ended. */
  engineCallsMs: number[]
}

/** Milliseconds by a clock that all processes of one machine share. */
export function sharedNow(): number {
  return performance.timeOrigin + performance.now()
}

/** Says when an attempt was sent, by `sharedNow`. */
export const SENT_AT = 'x-sent-at'
