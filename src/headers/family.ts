import type { Reading } from '../gate/observation.ts'
import type { Fields } from './fields.ts'

/** What a family needs to know of the response besides its headers. */
export interface Context {
  /**
   * When the response was made, as milliseconds since the Unix epoch: by its own `Date` header, else by the client's
   * clock. Undefined: neither is known, and instants cannot be read.
   */
  nowMs: number | undefined
}

/** Reads the headers of one convention. Empty where a response has none of them. */
export type Family = (fields: Fields, context: Context) => readonly Reading[]
