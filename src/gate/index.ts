export type { Signal } from './abort.ts'
export type { AcquireOptions, Allowance } from './acquire.ts'
export type { Clock, Timer } from './clock.ts'
export {
  ConfigError,
  type Fault,
  HeadgateError,
  isConfigError,
  isHeadgateError,
  isRateLimitError,
  RateLimitError,
  type RefusalReason,
  type RefusedAt,
} from './errors.ts'
export { Gate } from './gate.ts'
export type { Cause, Limit, LimitSnapshot } from './limit.ts'
export type { Observation, Reading } from './observation.ts'
export type { GateContext, GateObserver } from './observer.ts'
export { GATE_DEFAULTS, type GateOptions } from './options.ts'
export type { Cooldown } from './park.ts'
export type { Permit } from './permit.ts'
export type { Explanation, GateSnapshot } from './report.ts'
export type { Weight } from './weight.ts'
