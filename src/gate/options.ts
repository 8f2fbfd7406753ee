import type { Clock } from './clock.ts'
import { ConfigError, type Fault } from './errors.ts'
import type { Limit } from './limit.ts'
import type { Cooldown } from './park.ts'

const DAY_MS = 86_400_000

/** What a number option may be. `Infinity` is written as `max`. */
export interface Range {
  min: number
  max: number
  integer?: true
}

/** Ranges of the number options, for every place that checks them. */
export const RANGES = {
  limit: { min: Number.MIN_VALUE, max: Number.MAX_SAFE_INTEGER },
  windowMs: { min: 1, max: 366 * DAY_MS },
  concurrency: { min: 1, max: Number.MAX_SAFE_INTEGER, integer: true },
  transitMs: { min: 0, max: Infinity },
  coldStartMs: { min: 0, max: DAY_MS },
  maxHoldMs: { min: 1, max: 366 * DAY_MS },
  maxQueueSize: { min: 0, max: Number.MAX_SAFE_INTEGER, integer: true },
  maxWaitMs: { min: 0, max: Infinity },
  baseMs: { min: 1, max: DAY_MS },
  maxMs: { min: 1, max: 366 * DAY_MS },
  parkMs: { min: 1, max: DAY_MS },
} as const satisfies Record<string, Range>

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
  cooldown?: Cooldown
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
  cooldown: Required<Cooldown>
}

/** Fills in defaults. Throws one `ConfigError` that lists every fault. */
export function resolveGateOptions(options: GateOptions): GateSettings {
  const faults = optionFaults(options)
  if (faults.length > 0) throw new ConfigError(faults)
  return {
    limits: listOf(options.limits),
    concurrency: options.concurrency ?? Infinity,
    transitMs: options.transitMs ?? GATE_DEFAULTS.transitMs,
    coldStartMs: options.coldStartMs ?? GATE_DEFAULTS.coldStartMs,
    maxHoldMs: options.maxHoldMs ?? GATE_DEFAULTS.maxHoldMs,
    maxQueueSize: options.maxQueueSize ?? Infinity,
    pace: options.pace ?? 'burst',
    cooldown: resolveCooldown(options.cooldown),
  }
}

/** A base above the default ceiling raises it, unless a ceiling is given. */
function resolveCooldown({ baseMs, maxMs, parkMs }: Cooldown = {}): Required<Cooldown> {
  const base = baseMs ?? GATE_DEFAULTS.cooldown.baseMs
  return {
    baseMs: base,
    maxMs: maxMs ?? Math.max(GATE_DEFAULTS.cooldown.maxMs, base),
    parkMs: parkMs ?? GATE_DEFAULTS.cooldown.parkMs,
  }
}

function listOf(limits: Limit | readonly Limit[] | undefined): readonly Limit[] {
  if (limits === undefined) return []
  return Array.isArray(limits) ? limits : [limits as Limit]
}

const GATE_KEYS = new Set([
  'clock',
  'limits',
  'concurrency',
  'transitMs',
  'coldStartMs',
  'maxHoldMs',
  'maxQueueSize',
  'pace',
  'cooldown',
])
const LIMIT_KEYS = new Set(['limit', 'windowMs', 'name', 'unit', 'kind'])
const COOLDOWN_KEYS = new Set(['baseMs', 'maxMs', 'parkMs'])
const GATE_NUMBERS = ['concurrency', 'transitMs', 'coldStartMs', 'maxHoldMs', 'maxQueueSize'] as const

function optionFaults(options: GateOptions): Fault[] {
  if (!isRecord(options)) return [{ option: 'options', value: options, expected: 'an object' }]
  const faults = unknownKeys('', options, GATE_KEYS)
  if (typeof options.clock?.now !== 'function') {
    faults.push({ option: 'clock', value: options.clock, expected: 'a clock, such as systemClock' })
  }
  for (const key of GATE_NUMBERS) faults.push(...numberFaults(key, options[key], RANGES[key]))
  faults.push(...choiceFaults('pace', options.pace, ['burst', 'even']))
  listOf(options.limits).forEach((limit, index) => faults.push(...limitFaults(`limits[${index}]`, limit)))
  if (options.cooldown !== undefined) faults.push(...cooldownFaults(options.cooldown))
  return faults
}

/** What is wrong with one limit; `path` names it. */
export function limitFaults(path: string, limit: Limit): Fault[] {
  if (!isRecord(limit)) return [{ option: path, value: limit, expected: 'an object { limit, windowMs }' }]
  return [
    ...unknownKeys(`${path}.`, limit, LIMIT_KEYS),
    ...numberFaults(`${path}.limit`, limit.limit, RANGES.limit, true),
    ...numberFaults(`${path}.windowMs`, limit.windowMs, RANGES.windowMs, true),
    ...choiceFaults(`${path}.kind`, limit.kind, ['rolling', 'fixed']),
    ...stringFaults(`${path}.name`, limit.name),
    ...stringFaults(`${path}.unit`, limit.unit),
  ]
}

function cooldownFaults(cooldown: Cooldown): Fault[] {
  if (!isRecord(cooldown)) return [{ option: 'cooldown', value: cooldown, expected: 'an object' }]
  const faults = unknownKeys('cooldown.', cooldown, COOLDOWN_KEYS)
  for (const key of ['baseMs', 'maxMs', 'parkMs'] as const) {
    faults.push(...numberFaults(`cooldown.${key}`, cooldown[key], RANGES[key]))
  }
  const { baseMs = GATE_DEFAULTS.cooldown.baseMs, maxMs } = cooldown
  if (faults.length === 0 && maxMs !== undefined && maxMs < baseMs) {
    faults.push({ option: 'cooldown.maxMs', value: maxMs, expected: `at least cooldown.baseMs, ${baseMs}` })
  }
  return faults
}

/** What is wrong with a number option. Nothing where it is left out and not required. */
export function numberFaults(option: string, value: unknown, range: Range, required = false): Fault[] {
  if (value === undefined && !required) return []
  const fits = typeof value === 'number' && value >= range.min && value <= range.max
  if (fits && (!range.integer || Number.isInteger(value))) return []
  return [{ option, value, expected: describeRange(range) }]
}

export function describeRange({ min, max, integer }: Range): string {
  const kind = integer ? 'a whole number' : 'a number'
  return min === Number.MIN_VALUE ? `${kind} above 0, at most ${max}` : `${kind} from ${min} to ${max}`
}

function choiceFaults(option: string, value: unknown, choices: readonly string[]): Fault[] {
  if (value === undefined || choices.includes(value as string)) return []
  return [{ option, value, expected: choices.map((choice) => `'${choice}'`).join(' or ') }]
}

function stringFaults(option: string, value: unknown): Fault[] {
  return value === undefined || typeof value === 'string' ? [] : [{ option, value, expected: 'a string' }]
}

function unknownKeys(prefix: string, value: object, known: ReadonlySet<string>): Fault[] {
  return Object.keys(value)
    .filter((key) => !known.has(key))
    .map((key) => ({
      option: `${prefix}${key}`,
      value: (value as Record<string, unknown>)[key],
      expected: `one of ${[...known].join(', ')}`,
    }))
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
