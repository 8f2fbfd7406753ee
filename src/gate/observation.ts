/** What one response says about one limit. A field that the response does not state is absent, never NaN. */
export interface Reading {
  /** The upstream's own name for the limit. */
  name?: string
  /** Units of weight the upstream allows per window. */
  limit?: number
  /** Units left. Negative when the upstream counted more than it allows. */
  remaining?: number
  /** Units counted. */
  used?: number
  /** Length of the window in milliseconds, where the response states it. */
  windowMs?: number
  /** Milliseconds from the response to the upstream's reset. 0 when it has passed. */
  resetInMs?: number
  /** How coarsely the reset was told: 1 000 for whole seconds. Absent where it is exact to the millisecond. */
  resetStepMs?: number
  /** `fixed` where all units come back at the reset; known from configuration or a dialect only. */
  kind?: 'rolling' | 'fixed'
  /** What is counted: `requests`, `tokens`, ... Absent means requests. */
  unit?: string
}

/** Everything one response says about the client's limits. */
export interface Observation {
  limits: readonly Reading[]
  /** Milliseconds the upstream asked to wait: 0 for a zero or past hint, absent for none or a malformed one. */
  retryAfterMs?: number
  /** Whether the response refused the attempt for its rate. */
  throttled: boolean
  /** How far the refusal reaches: this partition, or every partition of the authority. */
  scope: 'partition' | 'authority'
  /** The response says nothing of this client's limits: a 401, a 304, one that came from a cache. */
  tellsNothing?: true
  /** What the attempt has cost by unit, where the response says. */
  cost?: Readonly<Record<string, number>>
}
