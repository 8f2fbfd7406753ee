import { isPattern, spellPattern } from './authority-pattern.ts'
import { systemClock } from './clock.ts'
import { checkDuration, checkPriority } from './gate/acquire.ts'
import { checkDialect } from './check-dialect.ts'
import * as check from './gate/check.ts'
import type { Clock } from './gate/clock.ts'
import type { Fault } from './gate/errors.ts'
import { checkClock, checkMode, listOf, PACING_CHECKS } from './gate/options.ts'
import { checkWeight } from './gate/weight.ts'
import { isPaced } from './paced.ts'
import type { CallOptions, HeadgateConfig, UpstreamConfig } from './options.ts'
import type { SharedBudget } from './shared/shared-budget.ts'
import { leavingNothing } from './static-share.ts'

export const CONFIG_DEFAULTS = {
  maxGates: 10_000,
  gateIdleMs: 600_000,
  coldStartMs: 1_000,
  processes: 1,
  // Browsers hide where a redirect leads.
  redirects: 'document' in globalThis || 'importScripts' in globalThis ? 'native' : 'per-hop',
} as const

/** A configuration that has been checked, with defaults filled in. */
export interface ResolvedConfig {
  upstreams: Readonly<Record<string, UpstreamConfig>>
  default: UpstreamConfig | false
  fetch: typeof fetch
  clock: Clock
  mode: 'enforce' | 'observe'
  maxGates: number
  gateIdleMs: number
  shared: SharedBudget | undefined
  processes: number
  process: number | undefined
}

const COUNT = check.number({ min: 1, max: Number.MAX_SAFE_INTEGER, integer: true })
const isFalse = (value: unknown): boolean => value === false
const isFunction = (value: unknown): boolean => typeof value === 'function'

const checkRetry = check.orElse(
  isFalse,
  'false',
  check.options({
    rateLimited: check.options({
      maxDurationMs: checkDuration,
      maxAttempts: COUNT,
      maxRetryAfterMs: checkDuration,
      whenTooLong: check.choice('clamp', 'return'),
    }),
    failed: check.options({
      maxAttempts: COUNT,
      baseMs: checkDuration,
      maxMs: checkDuration,
      methods: check.list(check.string),
      statuses: check.list(check.number({ min: 100, max: 599, integer: true })),
    }),
  }),
)

const REFUSAL_CHECKS = {
  maxWaitMs: checkDuration,
  whenParked: check.choice('wait', 'refuse'),
  refuseWith: check.choice('error', 'response'),
  retry: checkRetry,
} as const

const checkAuthorities: check.Check = (value, path) =>
  Array.isArray(value) && value.length === 0
    ? [{ option: path, value, expected: 'at least one authority' }]
    : check.list(check.string)(value, path)

const checkUpstream = check.options({
  ...PACING_CHECKS,
  ...REFUSAL_CHECKS,
  limits: check.orElse(isFunction, 'a function', PACING_CHECKS.limits),
  authorities: checkAuthorities,
  concurrencyUntil: check.choice('headers', 'body'),
  partition: check.aFunction,
  dialect: checkDialect,
  isThrottled: check.aFunction,
  redirects: check.choice('per-hop', 'native'),
})

const checkFetch = check.expecting(
  'a fetch that no headgate paces yet',
  (value) => isFunction(value) && !isPaced(value),
)

const checkConfig = check.options({
  upstreams: check.recordOf(checkUpstream),
  default: check.orElse(isFalse, 'false', checkUpstream),
  fetch: checkFetch,
  clock: checkClock,
  mode: checkMode,
  maxGates: COUNT,
  gateIdleMs: checkDuration,
  shared: check.expecting(
    'what sharedBudget() gives',
    (value) => typeof (value as SharedBudget | undefined)?.share === 'function',
  ),
  processes: COUNT,
  process: check.number({ min: 0, max: Number.MAX_SAFE_INTEGER, integer: true }),
})

const checkCall = check.options({
  ...REFUSAL_CHECKS,
  weight: checkWeight,
  priority: checkPriority,
  partition: check.string,
  idempotent: check.boolean,
})

/** Checks a configuration and fills in defaults. Throws one `ConfigError` that lists every fault. */
export function parseConfig(config: HeadgateConfig = {}): ResolvedConfig {
  check.assertValid(checkWhole, config, '')
  return {
    upstreams: config.upstreams ?? {},
    default: config.default ?? {},
    fetch: config.fetch ?? globalThis.fetch,
    clock: config.clock ?? systemClock,
    mode: config.mode ?? 'enforce',
    maxGates: config.maxGates ?? CONFIG_DEFAULTS.maxGates,
    gateIdleMs: config.gateIdleMs ?? CONFIG_DEFAULTS.gateIdleMs,
    shared: config.shared,
    processes: config.processes ?? CONFIG_DEFAULTS.processes,
    process: config.process,
  }
}

/** Throws one `ConfigError` that lists every fault in what a call says for itself. */
export function assertCallOptions(options: CallOptions): void {
  check.assertValid(checkCall, options, 'headgate')
}

/** A pattern and the upstream that it stands for. */
interface Claim {
  name: string
  pattern: string
}

function checkWhole(value: unknown): Fault[] {
  const faults = checkConfig(value, '')
  const { upstreams, fetch } = (value ?? {}) as HeadgateConfig
  const global = fetch === undefined ? checkFetch(globalThis.fetch, 'fetch') : []
  const claims = claimsOf(upstreams ?? {})
  const parts = faults.length > 0 ? [] : partsFaults(value as HeadgateConfig)
  return [...faults, ...global, ...unmatchableNames(claims), ...claimedTwice(claims), ...parts]
}

/** Every process has to have a part of each limit, and there has to be one way in which they share. */
function partsFaults(config: HeadgateConfig): Fault[] {
  const { shared, processes = 1, process, upstreams = {}, default: rest } = config
  const faults: Fault[] = []
  if (shared && processes > 1)
    faults.push({ option: 'processes', value: processes, expected: 'none beside shared, which counts them' })
  if (process !== undefined && process >= processes)
    faults.push({ option: 'process', value: process, expected: `a number below processes, ${processes}` })
  // Those that a function gives are known with their partition.
  const known = [...Object.values(upstreams), rest || {}].flatMap(({ limits }: UpstreamConfig) =>
    typeof limits === 'function' ? [] : listOf(limits),
  )
  return [...faults, ...leavingNothing(known, { processes, process })]
}

/** A key that is no authority never matches a request. */
function unmatchableNames(claims: readonly Claim[]): Fault[] {
  const expected = 'a host, host:port or *.example.com, or a name with authorities'
  return claims
    .filter(({ pattern }) => !isPattern(pattern))
    .map(({ name, pattern }) => ({ option: `upstreams['${name}']`, value: pattern, expected }))
}

/** Of two upstreams with the same pattern only one would ever match. */
function claimedTwice(claims: readonly Claim[]): Fault[] {
  const owners = new Map<string, string>()
  return claims.flatMap(({ name, pattern }) => {
    if (!isPattern(pattern)) return []
    const spelt = spellPattern(pattern)
    const owner = owners.get(spelt) ?? name
    owners.set(spelt, owner)
    if (owner === name) return []
    const expected = `an authority that upstreams['${owner}'] does not claim too`
    return [{ option: `upstreams['${name}']`, value: pattern, expected }]
  })
}

function claimsOf(upstreams: Readonly<Record<string, UpstreamConfig>>): Claim[] {
  return Object.entries(upstreams).flatMap(([name, upstream]) => {
    const patterns: unknown = upstream?.authorities ?? [name]
    if (!Array.isArray(patterns)) return []
    return patterns.filter((pattern) => typeof pattern === 'string').map((pattern) => ({ name, pattern }))
  })
}
