import * as check from '../gate/check.ts'

/** The largest rate and limit: sums over counts take some ten million steps there. */
const MOST = 1e12

/** The largest rate and limit of what is simulated, and the most processes. */
export const MOST_SIMULATED = 100_000

/** Windows that a call may wait. */
const MOST_WINDOWS = 10

/** Calls that arrive as a Poisson stream, and what is allowed of them. */
export interface CountOptions {
  /** Calls per window, on average. From 0 to 1e12. */
  rate: number
  /** Calls allowed per window. A whole number from 0 to 1e12. */
  limit: number
}

/** A Poisson count of calls, and what it came to at least. */
export interface AtLeastOptions {
  /** Calls per window, on average. From 0 to 1e12. */
  rate: number
  /** Calls that there were at least. A whole number from 0 to 1e12. */
  atLeast: number
}

/** Calls that wait for room in a rolling window. */
export interface WaitingOptions {
  /** Calls per window, on average. From 0 to 100 000. */
  rate: number
  /** Calls allowed in any trailing window. A whole number from 0 to 100 000. */
  limit: number
  /** Length of the window, in ms. From 1 to 1e12. Default 1 000. */
  windowMs?: number
  /** The longest that a call waits, in ms. From 0 to ten windows. */
  maxWaitMs: number
}

/** A fleet that shares one limit, and what is asked of it. */
export interface FleetOptions {
  /** Calls of the whole fleet per window, on average; their first attempts only. From 0 to 100 000. */
  rate: number
  /** What the upstream allows the whole fleet per window. A whole number from 0 to 100 000. */
  limit: number
  /** Length of the window, in ms. From 1 to 1e12. Default 1 000. */
  windowMs?: number
  /** Processes that calls are spread over evenly. A whole number from 1 to 100 000. */
  processes: number
  /** Attempts of a call that is refused, all made at once. A whole number from 1 to 1 000. Default 1. */
  attempts?: number
  /** The longest that a call waits where calls wait, in ms. From 0 to ten windows. Default 250, or ten windows if that is less. */
  maxWaitMs?: number
  /** The share of calls that may fail. From 0.0001, below which the simulation tells too little, to 1. Left out, nothing is searched for. */
  target?: number
  /**
   * How long the upstream takes to answer, in ms, or the `transitMs` of the gates if that is less: a gate holds a call for so much longer than a
   * window. From 0 to 1e12. Default 0.
   */
  latencyMs?: number
  /** By how much a shared window is lengthened, in ms: `transitMs` of the shared budget. From 0 to 1e12. Default 100, as there. */
  transitMs?: number
}

const wholeTo = (max: number, min = 0): check.Check => check.number({ min, max, integer: true })
const upTo = (max: number, min = 0): check.Check => check.number({ min, max })

export const checkCount = check.options({ rate: upTo(MOST), limit: wholeTo(MOST) }, ['rate', 'limit'])

export const checkAtLeast = check.options({ rate: upTo(MOST), atLeast: wholeTo(MOST) }, ['rate', 'atLeast'])

const simulated = {
  rate: upTo(MOST_SIMULATED),
  limit: wholeTo(MOST_SIMULATED),
  windowMs: upTo(MOST, 1),
  maxWaitMs: upTo(MOST),
}

export const checkWaiting = check.options(simulated, ['rate', 'limit', 'maxWaitMs'])

export const checkFleet = check.options(
  {
    ...simulated,
    processes: wholeTo(MOST_SIMULATED, 1),
    attempts: wholeTo(1_000, 1),
    target: upTo(1, 0.0001),
    latencyMs: upTo(MOST),
    transitMs: upTo(MOST),
  },
  ['rate', 'limit', 'processes'],
)

/** The longest wait that is simulated in windows of this length. */
export function mostWaitMs(windowMs: number): number {
  return MOST_WINDOWS * windowMs
}

export function assertWait(maxWaitMs: number, windowMs: number): void {
  check.assertValid(upTo(mostWaitMs(windowMs)), maxWaitMs, 'maxWaitMs')
}
