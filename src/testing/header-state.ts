import type { MeterReading } from './meter.ts'

/** What the functions that write headers are told: the tightest limit's reading, and the answer it goes on. */
export interface HeaderState extends MeterReading {
  /** The upstream's own wall time when it counted the request, in ms since the epoch. */
  wallMs: number
  /** Whether a meter refused the request. */
  throttled: boolean
  /** The readings of all limits, in the order they were given. */
  readings: MeterReading[]
}

/** Writes the rate headers of one answer, by lower-case name. At least one limit has been read. */
export type HeaderWriter = (state: HeaderState) => Record<string, string>
