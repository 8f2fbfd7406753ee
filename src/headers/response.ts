import type { Observation, Reading } from '../gate/observation.ts'
import { readDate } from './dates.ts'
import type { Fields } from './fields.ts'
import { readInteger, readUnsigned } from './numbers.ts'
import type { Now } from './waits.ts'

/** The date read last: all responses of one second state the same. */
export class LastDate {
  #text: string | undefined
  #epochMs: number | undefined

  read(text: string | undefined, nearMs: number | undefined): number | undefined {
    if (text !== this.#text) this.#epochMs = text === undefined ? undefined : readDate(text, nearMs)
    this.#text = text
    return this.#epochMs
  }
}

/** When a response was made: by its own `Date`, so that the difference between the two clocks cancels, else by the client's clock. */
export class ResponseTime implements Now {
  readonly #fields: Fields
  readonly #clientMs: number | undefined
  readonly #dates: LastDate

  constructor(fields: Fields, clientMs: number | undefined, dates: LastDate) {
    this.#fields = fields
    this.#clientMs = Number.isFinite(clientMs) ? clientMs : undefined
    this.#dates = dates
  }

  /** Read when it is asked for: most responses tell no instants. */
  get nowMs(): number | undefined {
    return this.#dates.read(this.#fields.get('date'), this.#clientMs) ?? this.#clientMs
  }
}

/** Whether a response says something of its client. RFC 9111 section 5.1: a cache adds `Age`. */
export function concernsClient(fields: Fields, status: number | undefined): boolean {
  return isCounted(status) && (readInteger(fields.get('age')) ?? 0) === 0
}

/** A 401 was counted for nobody, and a 304 may not have been counted at all. */
export function isCounted(status: number | undefined): boolean {
  return status !== 401 && status !== 304
}

/** Whether a response of this status may refuse an attempt, or ask to wait. */
export function mayRefuse(status: number | undefined): boolean {
  return status === undefined || status >= 300
}

/** Discord says so of the limit that holds for all routes together. */
export function scopeOf(fields: Fields): Observation['scope'] {
  const isGlobal = fields.get('x-ratelimit-global') === 'true' || fields.get('x-ratelimit-scope') === 'global'
  return isGlobal ? 'authority' : 'partition'
}

/** What the request has cost, by unit. Undefined where the response does not say. */
export function readCost(
  fields: Fields,
  headers: Readonly<Record<string, string>>,
): Record<string, number> | undefined {
  const costs = Object.entries(headers).flatMap(([unit, name]) => {
    const cost = readUnsigned(fields.get(name.toLowerCase()))
    return cost === undefined ? [] : [[unit, cost] as const]
  })
  return costs.length > 0 ? Object.fromEntries(costs) : undefined
}

/** How far a hint and the reset beside it may lie apart: each is told in whole seconds, or rounded to them. */
const ROUNDING_MS = 1_500

/**
 * Some servers state a hint in milliseconds: it is a thousand times the reset of what is used up, and fits no reset as it is. One of less
 * than 10 s is no proof.
 */
export function inUnitOfReset(retryAfterMs: number | undefined, limits: readonly Reading[]): number | undefined {
  if (retryAfterMs === undefined || retryAfterMs < 10_000_000) return retryAfterMs
  const fits = (ms: number, { resetInMs }: Reading): boolean => Math.abs((resetInMs ?? Infinity) - ms) <= ROUNDING_MS
  const inMs = retryAfterMs / 1_000
  const isMs = limits.some((each) => (each.remaining ?? 1) <= 0 && fits(inMs, each))
  return isMs && !limits.some((each) => fits(retryAfterMs, each)) ? Math.ceil(inMs) : retryAfterMs
}
