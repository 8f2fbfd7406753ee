import type { HeadgateConfig } from '../../../src/index.ts'
import type { SharedBudgetOptions } from '../../../src/shared/index.ts'

/** What one process is to do. All that is said here is plain data. */
export interface CallerSettings {
  url: string
  /** Of another upstream, for calls that nobody counts. */
  rehearsalUrl: string
  /** How many calls it makes at which instants, in ms after it was told to begin. */
  calls: readonly { atMs: number; count: number }[]
  config: Pick<HeadgateConfig, 'default' | 'processes'>
  shared?: SharedSettings
  /** How far both its clocks are ahead, in ms. Default 0. */
  clockAheadMs?: number
  /** How long it goes on at least, in ms after it was told to begin. Default until its calls have ended. */
  stayMs?: number
}

/** One budget over the store that listens on this port of the loopback interface. */
export type SharedSettings = Omit<SharedBudgetOptions, 'engine'> & { port: number; client?: 'ioredis' | 'node-redis' }

/** From a process to the test. */
export type Word = { type: 'ready' } | { type: 'report'; report: CallerReport }

export interface CallerReport {
  /** Of each call, by its number. */
  calls: CallResult[]
  /** By whose word its attempts went, each time that changed, and why. */
  degraded: [via: string, why: string][]
  /** Of calls of the store: the slowest, in ms, and how many it refused since it did not know the script. */
  slowestCallMs: number
  unknownScripts: number
}

export interface CallResult {
  /** A status, or how it failed. */
  outcome: number | string
  /** When it had waited, by `sharedNow`; of a call that failed when it began to. */
  grantedAt: number
}
