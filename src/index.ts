export { type Clock, systemClock, type Timer } from './clock.ts'
export { parseConfig, type ResolvedConfig } from './config.ts'
export * from './errors.ts'
export type { AttemptCount } from './counters.ts'
export type { CallReport } from './attempts/call.ts'
export type { AttemptKind, AttemptOutcome, EventName, HeadgateEvents, Listener, Place, ReadingEvent } from './events.ts'
export type { Signal } from './gate/abort.ts'
export { Gate } from './gate/gate.ts'
export type { GateContext, GateObserver } from './gate/observer.ts'
export type { GateOptions } from './gate/options.ts'
export type { AcquireOptions, Allowance } from './gate/acquire.ts'
export type { Block, Cause, Limit, LimitSnapshot } from './gate/limit.ts'
export type { Observation, Reading } from './gate/observation.ts'
export type { Cooldown } from './gate/park.ts'
export type { Permit } from './gate/permit.ts'
export type { Explanation, GateSnapshot } from './gate/report.ts'
export type { OpenShare, Part, PartOf, Share, SharedGate, SharedLimit, SharedPark, ToldUse, Via } from './gate/share.ts'
export type { Weight } from './gate/weight.ts'
export { createHeadgate, type Headgate, type HeadgateSnapshot } from './headgate.ts'
export {
  type BucketRequest,
  type Dialect,
  type DialectName,
  type HeaderGetter,
  type HeaderSource,
  type LimitHeaders,
  type ReaderSnapshot,
  type ReadRateLimitOptions,
  type WaitUnit,
} from './headers/index.ts'
export type { CallOptions, HeadgateConfig, HeadgateFetch, PartitionedRequest, UpstreamConfig } from './options.ts'
export type { SavedGateAt, SavedState } from './saved.ts'
export type { SavedForeignUse, SavedGate, SavedLimit, SavedPark, SavedReset, SavedRest } from './gate/saved.ts'
export type { SharedBudget } from './shared/shared-budget.ts'
export { readRateLimit } from './read-rate-limit.ts'
export { type Outcome, type RetryCounts, RetryEpisode, type Verdict } from './retry/episode.ts'
export type { FailedAllowance, RateLimitedAllowance, RetryOptions } from './retry/policy.ts'
