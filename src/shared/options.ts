import * as check from '../gate/check.ts'
import type { Engine } from './engine/engine.ts'

/** Defaults of a shared budget, for code, docs and tests alike. Milliseconds. */
export const SHARED_DEFAULTS = {
  transitMs: 100,
  deadlineMs: 250,
  heartbeatMs: 1_000,
  horizonMs: 250,
  holdBackMs: 600_000,
  onEngineLoss: 'share',
} as const

export interface SharedBudgetOptions {
  /** `fromIoredis(client)`, `fromNodeRedis(client)`, `fromIovalkey(client)`, `fromGlide(client)`, or `memoryEngine({ clock })` in tests. */
  engine: Engine
  /** Processes that name the same budget on the same engine share it: an account, as a rule. It is only ever stored as a digest. */
  name: string
  /**
   * How long an attempt takes from its start, as the engine knows it, to being counted by the upstream: the engine's windows are longer
   * by this. Milliseconds, 1 to 60 000. Default 100.
   */
  transitMs?: number
  /** How long an answer of the engine is waited for. Milliseconds, 10 to 60 000. Default 250. */
  deadlineMs?: number
  /** A process that the engine has not heard of for three of these is gone. Milliseconds, 100 to 60 000. Default 1 000. */
  heartbeatMs?: number
  /**
   * What a process does while the engine is away. `share` (default): its equal part of every limit, and at first nothing (250 ms at most) and
   * then for a window no more than it had sent in the last one. `closed`: it sends nothing. `open`: it goes by the whole limit alone, and
   * the fleet may send as many times the limit as there are processes.
   */
  onEngineLoss?: 'share' | 'closed' | 'open'
  /**
   * Keeps a fleet within its limits when the engine is lost to some of its processes only: the engine holds back the part of each process
   * that went silent, for ten minutes, and a process that has lost the engine sends nothing until that has begun. Default false: those
   * cut off add their parts to what the others send.
   */
  strictPartition?: boolean
  /** How many processes to assume where the engine has never been reached. 1 or more. Default none: nothing is sent until it is. */
  assumeProcesses?: number
}

/** Options with defaults filled in. */
export type SharedSettings = Required<Omit<SharedBudgetOptions, 'assumeProcesses'>> & {
  horizonMs: number
  holdBackMs: number
  assumeProcesses: number | undefined
}

const checkEngine = check.expecting(
  'an engine, such as fromIoredis(client)',
  (value) => typeof (value as Engine | undefined)?.call === 'function',
)

const checkShared = check.options(
  {
    engine: checkEngine,
    name: check.expecting('a string that is not empty', (value) => typeof value === 'string' && value !== ''),
    transitMs: check.number({ min: 1, max: 60_000 }),
    deadlineMs: check.number({ min: 10, max: 60_000 }),
    heartbeatMs: check.number({ min: 100, max: 60_000 }),
    onEngineLoss: check.choice('share', 'closed', 'open'),
    strictPartition: check.boolean,
    assumeProcesses: check.number({ min: 1, max: 1_000_000, integer: true }),
  },
  ['engine', 'name'],
)

/** How far ahead of its start an attempt may be granted, among limits with these windows: in ms, as they are. */
export function horizonAmong(settings: Pick<SharedSettings, 'horizonMs'>, windowsMs: readonly number[]): number {
  return Math.min(settings.horizonMs, Math.min(...windowsMs) / 4)
}

/** Fills in defaults. Throws one `ConfigError` that lists every fault. */
export function resolveShared(options: SharedBudgetOptions): SharedSettings {
  check.assertValid(checkShared, options, '')
  const { engine, name, strictPartition = false, assumeProcesses } = options
  return {
    engine,
    name,
    transitMs: options.transitMs ?? SHARED_DEFAULTS.transitMs,
    deadlineMs: options.deadlineMs ?? SHARED_DEFAULTS.deadlineMs,
    heartbeatMs: options.heartbeatMs ?? SHARED_DEFAULTS.heartbeatMs,
    horizonMs: SHARED_DEFAULTS.horizonMs,
    onEngineLoss: options.onEngineLoss ?? SHARED_DEFAULTS.onEngineLoss,
    assumeProcesses,
    strictPartition,
    holdBackMs: strictPartition ? SHARED_DEFAULTS.holdBackMs : 0,
  }
}
