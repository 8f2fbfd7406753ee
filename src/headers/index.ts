import type { Observation } from '../gate/observation.ts'
import type { Dialect } from './dialect.ts'
import type { DialectName } from './dialects.ts'
import type { HeaderSource } from './fields.ts'
import { RateLimitReader } from './reader.ts'

export type { LimitHeaders } from './counts.ts'
export type { BucketRequest, Dialect } from './dialect.ts'
export { dialectOf, DIALECTS, type DialectName } from './dialects.ts'
export type { HeaderGetter, HeaderSource } from './fields.ts'
export { RateLimitReader, type ReaderSnapshot } from './reader.ts'
export type { WaitUnit } from './waits.ts'

export interface ReadRateLimitOptions {
  /** The response's status. Default: unknown, which is neither a refusal nor a status that says nothing. */
  status?: number | undefined
  /**
   * The client's time in milliseconds since the Unix epoch, to read dates against where the response has no readable
   * `Date` of its own. Default: unknown; then such dates are taken for absent.
   */
  nowMs?: number | undefined
  /** Whose headers they are. Default `auto`: what names and values decide. */
  dialect?: 'auto' | DialectName | Dialect | undefined
}

/** What one response says, without memory of others: see `RateLimitReader`. Throws nothing, whatever the headers. */
export function readRateLimit(headers: HeaderSource, options: ReadRateLimitOptions = {}): Observation {
  const { dialect, ...received } = options
  return new RateLimitReader(dialect).read(headers, received)
}
