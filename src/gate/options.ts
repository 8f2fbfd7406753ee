import * as check from './check.ts'
import type { Clock } from './clock.ts'
import type { Limit } from './limit.ts'
import type { Cooldown } from './park.ts'

const DAY_MS = 86_400_000

/** Ranges of the number options. */
const RANGES = {
  limit: { min: Number.MIN_VALUE, max: Number.MAX_SAFE_INTEGER },
  windowMs: { min: 1, max: 366 * DAY_MS },
  concurrency: { min: 1, max: Number.MAX_SAFE_INTEGER, integer: true },
  transitMs: { min: 0, max: Infinity },
  coldStartMs: { min: 0, max: DAY_MS },
  maxHoldMs: { min: 1, max: 366 * DAY_MS },
  maxQueueSize: { min: 0, max: Number.MAX_SAFE_INTEGER, integer: true },
  baseMs: { min: 1, max: DAY_MS },
  maxMs: { min: 1, max: 366 * DAY_MS },
  parkMs: { min: 1, max: DAY_MS },
} as const satisfies Record<string, check.Range>

/** Defaults of a gate, for code, docs and tests alike. Milliseconds. */
export const GATE_DEFAULTS = {
  transitMs: 1_000,
  coldStartMs: 0,
  maxHoldMs: 120_000,
  cooldown: { baseMs: 60_000, maxMs: 600_000, parkMs: 5_000 },
} as const

export interface GateOptions {
  /** Where time and chance come from: `systemClock` of the same entry, or a virtual one. */
  clock: Clock
  /** All of them must hold. Default none: only `concurrency`, parks and what readings tell bound the gate. */
  limits?: Limit | readonly Limit[]
  /** Attempts let through and not released. 1 or more. Default unbounded. */
  concurrency?: number
  /** How long a request takes to be counted, at most. Milliseconds, 0 to Infinity. Default 1 000. */
  transitMs?: number
  /** How long others wait for a lone first attempt. Milliseconds; 0 switches it off. Default 0. */
  coldStartMs?: number
  /** A permit held longer is taken back. Milliseconds, above 0. Default 120 000. */
  maxHoldMs?: number
  /** Callers that may wait. 0 or more. Default unbounded. */
  maxQueueSize?: number
  /** `burst` (default) sends as soon as the limits allow, `even` spreads sends over the window. */
  pace?: 'burst' | 'even'
  /**
   * Makes room for other clients of the same account, where readings of a rolling limit show them: own sends keep to a share that all
   * who do the same come to. Default false: beside a client that does not yield, one that does is left with little.
   */
  fairShare?: boolean
  cooldown?: Cooldown
  /** `observe` lets everyone through at once and tells the observer what would have waited or been refused. Default `enforce`. */
  mode?: 'enforce' | 'observe'
}

/** Options with defaults filled in, but for the clock. */
export interface GateSettings {
  limits: readonly Limit[]
  concurrency: number
  transitMs: number
  coldStartMs: number
  maxHoldMs: number
  maxQueueSize: number
  pace: 'burst' | 'even'
  fairShare: boolean
  cooldown: Required<Cooldown>
  mode: 'enforce' | 'observe'
}

/** Fills in defaults. Throws one `ConfigError` that lists every fault. */
export function resolveGateOptions(options: GateOptions): GateSettings {
  check.assertValid(checkGateOptions, options, '')
  return {
    limits: listOf(options.limits),
    concurrency: options.concurrency ?? Infinity,
    transitMs: options.transitMs ?? GATE_DEFAULTS.transitMs,
    coldStartMs: options.coldStartMs ?? GATE_DEFAULTS.coldStartMs,
    maxHoldMs: options.maxHoldMs ?? GATE_DEFAULTS.maxHoldMs,
    maxQueueSize: options.maxQueueSize ?? Infinity,
    pace: options.pace ?? 'burst',
    fairShare: options.fairShare ?? false,
    cooldown: options.cooldown ? resolveCooldown(options.cooldown) : GATE_DEFAULTS.cooldown,
    mode: options.mode ?? 'enforce',
  }
}

/** A base above the default ceiling raises it, unless a ceiling is given. */
function resolveCooldown({ baseMs, maxMs, parkMs }: Cooldown): Required<Cooldown> {
  const base = baseMs ?? GATE_DEFAULTS.cooldown.baseMs
  return {
    baseMs: base,
    maxMs: maxMs ?? Math.max(GATE_DEFAULTS.cooldown.maxMs, base),
    parkMs: parkMs ?? GATE_DEFAULTS.cooldown.parkMs,
  }
}

/** None, one or several, as a list. */
export function listOf(limits: Limit | readonly Limit[] | undefined): readonly Limit[] {
  if (limits === undefined) return []
  return Array.isArray(limits) ? limits : [limits as Limit]
}

export const checkWindowMs = check.number(RANGES.windowMs)

const checkOneLimit = check.options(
  {
    limit: check.number(RANGES.limit),
    windowMs: checkWindowMs,
    name: check.string,
    unit: check.string,
    kind: check.choice('rolling', 'fixed'),
  },
  ['limit', 'windowMs'],
)

const checkLimitList = check.list(checkOneLimit)

/** One limit or several. */
export const checkLimits: check.Check = (value, path) =>
  typeof value === 'object' && value !== null
    ? (Array.isArray(value) ? checkLimitList : checkOneLimit)(value, path)
    : [{ option: path, value, expected: '{ limit, windowMs }, or an array of them' }]

const checkCooldownNumbers = check.options({
  baseMs: check.number(RANGES.baseMs),
  maxMs: check.number(RANGES.maxMs),
  parkMs: check.number(RANGES.parkMs),
})

const checkCooldown: check.Check = (value, path) => {
  const faults = checkCooldownNumbers(value, path)
  if (faults.length > 0) return faults
  const { baseMs = GATE_DEFAULTS.cooldown.baseMs, maxMs = Infinity } = value as Cooldown
  if (maxMs >= baseMs) return []
  return [{ option: `${path}.maxMs`, value: maxMs, expected: `at least ${path}.baseMs, ${baseMs}` }]
}

/** Checks of the options that a gate and an upstream's configuration have in common. */
export const PACING_CHECKS = {
  limits: checkLimits,
  concurrency: check.number(RANGES.concurrency),
  transitMs: check.number(RANGES.transitMs),
  coldStartMs: check.number(RANGES.coldStartMs),
  maxHoldMs: check.number(RANGES.maxHoldMs),
  maxQueueSize: check.number(RANGES.maxQueueSize),
  pace: check.choice('burst', 'even'),
  fairShare: check.boolean,
  cooldown: checkCooldown,
} as const

const CLOCK_METHODS = ['now', 'wallNow', 'setTimer', 'clearTimer'] as const

export const checkClock = check.expecting('a clock, such as systemClock', (value) =>
  CLOCK_METHODS.every((name) => typeof (value as Clock | undefined)?.[name] === 'function'),
)

export const checkMode = check.choice('enforce', 'observe')

const checkGateOptions = check.options({ ...PACING_CHECKS, clock: checkClock, mode: checkMode }, ['clock'])
