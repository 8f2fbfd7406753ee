/** What one contender came to in one scenario. */
export interface EfficacyResult {
  contender: string
  /** The scenario's id. */
  scenario: string
  title: string
  group: 'core' | 'other' | 'waits'
  /** Median of the latency. */
  latencyMs: number
  /** Whether the upstream stated rate headers; `either` for a contender that does not read them: it is run once for both. */
  headers: boolean | 'either'
  time: 'virtual' | 'real'
  /** What ended the run before all its calls had ended: they count as failed. Absent otherwise. */
  cutBy?: 'virtual-time' | 'cpu-time' | 'stuck'
  calls: number
  /** Calls that ended with a 2xx. */
  served: number
  /** Calls that ended otherwise, or never. */
  failed: number
  /** Requests at the upstream. */
  attempts: number
  /** Absent where none was served. */
  attemptsPerServed?: number
  /** 429s at the upstream. */
  throttled: number
  /** The most that reached the upstream in any window of its first limit, other clients and refused ones included. */
  busiestWindow: number
  /**
   * Of the ceiling, 0 to 1: calls served of those made, times how long a scheduler that knows the upstream takes for all of them over
   * how long this one took to the last that it served; of bursts the times are summed.
   */
  share: number
  /** From a call to the sending of the attempt that served it, over calls served. Absent where none was. */
  waitMs?: Spread
  /** The same for the scheduler that knows. */
  omniscientWaitMs: Spread
  /** In the scenarios on waits: the 99th percentile of what a call may wait, see `allowedWaits`. */
  allowedWaitMs?: number
  /** Jain's index of the workers' served calls: 1 where all got the same. Absent where there are no workers, or none was served. */
  fairness?: number
}

export interface Spread {
  p50: number
  p99: number
  max: number
}

/** When requests of one contender were counted in the steady scenario, in ms since its start, and whether each was let in. */
export interface Timeline {
  contender: string
  latencyMs: number
  limit: number
  windowMs: number
  countedAtMs: number[]
  throttled: boolean[]
}

/** What the figures must show, and whether they do. */
export interface Claim {
  text: string
  holds: boolean
  /** The figures that decide it, as they are printed. */
  figures: string[]
}

export interface Efficacy {
  results: EfficacyResult[]
  timelines: Timeline[]
  claims: Claim[]
  tookMs: number
}
