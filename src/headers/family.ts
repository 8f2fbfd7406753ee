import type { Reading } from '../gate/observation.ts'
import type { Now, WaitUnit } from './waits.ts'

/** What a family needs to know of the response besides the headers of one limit. */
export interface Context {
  readonly now: Now
  /** What `*` stands for in the names of the headers. */
  readonly name: string
  /** What a bare number in a reset counts, as far as that is known. Default seconds. */
  readonly resetUnit?: WaitUnit | undefined
  /** Milliseconds that the response asked to wait. */
  readonly retryAfterMs: number | undefined
}

/** The text of the header that says this of the limit; undefined where the response has none. */
export type Get = (field: string) => string | undefined

/** The headers of one convention, and how they are read. */
export interface Family {
  /**
   * Lower-case header names, by what they say. `*` stands for what the limit is called: headers in which it stands for the same belong
   * together.
   */
  readonly headers: Readonly<Record<string, string>>
  /** The header without which it tells nothing. */
  readonly needs?: string
  /** It tells what other common families tell of the same limits: of those the one that tells most is believed. */
  readonly common?: boolean
  readonly read: (get: Get, context: Context) => readonly Reading[]
}

type Stated = { [Field in keyof Reading]: Reading[Field] | undefined }

/** A reading without the fields that are not stated. */
export function stated(fields: Stated): Reading {
  const reading: Stated = {}
  if (fields.name !== undefined) reading.name = fields.name
  if (fields.limit !== undefined) reading.limit = fields.limit
  if (fields.remaining !== undefined) reading.remaining = fields.remaining
  if (fields.used !== undefined) reading.used = fields.used
  if (fields.windowMs !== undefined) reading.windowMs = fields.windowMs
  if (fields.resetInMs !== undefined) reading.resetInMs = fields.resetInMs
  if (fields.resetStepMs !== undefined) reading.resetStepMs = fields.resetStepMs
  if (fields.kind !== undefined) reading.kind = fields.kind
  if (fields.unit !== undefined) reading.unit = fields.unit
  return reading as Reading
}

/** A unit of requests goes without saying. */
export function unitOf(name: string): string | undefined {
  return name === '' || name.includes('request') ? undefined : name
}
