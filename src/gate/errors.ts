const BRAND = Symbol.for('headgate.error')

/** Every error the library makes. `code` is stable; match on it or on the guards, not on the message. */
export class HeadgateError extends Error {
  readonly code: string
  /** Marks the error for the guards, which work across copies of the package. */
  readonly [BRAND] = true

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = new.target.name
    this.code = code
  }
}

/** One thing wrong with what the caller passed. */
export interface Fault {
  /** Path of the option, as `limits[0].windowMs`. */
  option: string
  value: unknown
  /** What it should have been. */
  expected: string
}

/** Options that cannot be used. Lists every fault, not only the first. */
export class ConfigError extends HeadgateError {
  readonly faults: readonly Fault[]

  constructor(faults: readonly Fault[]) {
    super('HEADGATE_CONFIG', faults.map(describeFault).join('; '))
    this.faults = faults
  }
}

/** Why an attempt was not let through. `never` is final; every other reason may pass. */
export type RefusalReason = 'parked' | 'probing' | 'wait-too-long' | 'queue-full' | 'never' | 'closed' | 'engine-lost'

/** Where a refused attempt was going. */
export interface RefusedAt {
  host?: string
  port?: number
  partition?: string
}

/** The gate did not let an attempt through. Nothing was sent and no weight was spent. */
export class RateLimitError extends HeadgateError {
  readonly reason: RefusalReason
  /** Milliseconds after which the same attempt is worth making. Absent where waiting does not help. */
  readonly retryAfterMs?: number
  readonly host?: string
  readonly port?: number
  readonly partition?: string

  constructor(reason: RefusalReason, details: RefusedAt & { retryAfterMs?: number } = {}) {
    super(`HEADGATE_${reason.toUpperCase().replaceAll('-', '_')}`, describeRefusal(reason, details))
    this.reason = reason
    Object.assign(this, details)
  }
}

/** Whether `error` was made by headgate, by this copy of the package or another. */
export function isHeadgateError(error: unknown): error is HeadgateError {
  return typeof error === 'object' && error !== null && (error as Record<symbol, unknown>)[BRAND] === true
}

/** Whether `error` is a refusal by a gate, by this copy of the package or another. */
export function isRateLimitError(error: unknown): error is RateLimitError {
  return isHeadgateError(error) && 'reason' in error
}

/** Whether `error` names options that cannot be used, by this copy of the package or another. */
export function isConfigError(error: unknown): error is ConfigError {
  return isHeadgateError(error) && error.code === 'HEADGATE_CONFIG'
}

function describeFault({ option, value, expected }: Fault): string {
  return `${option}: expected ${expected}, got ${describeValue(value)}`
}

function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'function') return 'a function'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

const REFUSALS: Record<RefusalReason, string> = {
  parked: 'the upstream asked to slow down',
  probing: 'one attempt is finding out whether the upstream has recovered',
  'wait-too-long': 'the wait would be longer than the caller allows',
  'queue-full': 'maxQueueSize callers are waiting already',
  never: 'the weight is above the limit',
  closed: 'it is closed',
  'engine-lost': 'the shared budget cannot be reached',
}

function describeRefusal(reason: RefusalReason, { host, port, retryAfterMs }: RefusedAt & { retryAfterMs?: number }) {
  const where = host === undefined ? '' : ` for ${host}${port === undefined ? '' : `:${port}`}`
  const when = !retryAfterMs ? '' : `; try again in ${Math.ceil(retryAfterMs)} ms`
  return `Not sent${where}: ${REFUSALS[reason]}${when}`
}
