/** A request as it reaches the upstream. */
export interface UpstreamRequest {
  url: string
  method: string
  headers: Headers
  /** The body's text; absent if there was none. */
  body?: string
}

/** One arrival, as scripts see it. */
export interface Arrival {
  /** 0 for the first request to arrive. */
  index: number
  /** The clock's time, in ms. */
  nowMs: number
  /** The same instant in ms after the upstream was created. */
  sinceStartMs: number
  request: UpstreamRequest
}

/** What happens to a request instead of, or on top of, the ordinary answer. Fields combine. */
export interface Fault {
  /** Answers with this status, whatever the meters say. */
  status?: number
  /** Added to the answer's headers; wins over those of the same name. An empty value takes the header away. */
  headers?: Record<string, string>
  body?: string
  /**
   * `refused`: never reaches the upstream and is not counted; rejects with a TypeError whose cause has the code
   * ECONNREFUSED. `reset`: counted, then rejects the same way with ECONNRESET.
   */
  error?: 'refused' | 'reset'
  /** Counted and never answered. */
  hang?: boolean
  /** Added before the answer, in ms. */
  delayMs?: number
  /** Whether the meters count it. Default true. Ignored for `refused`. */
  counted?: boolean
  /** Whether the answer states rate headers. Default: what `counted` is. */
  rateHeaders?: boolean
}

/** A fault and when it strikes: every condition given must hold; with none it strikes always. */
export interface ScriptedFault extends Fault {
  /** The arrival of this index alone. */
  index?: number
  /** The first so many arrivals. */
  first?: number
  /** From this instant on, inclusive, in ms after the upstream was created. */
  fromMs?: number
  /** Up to this instant, exclusive, in ms after the upstream was created. */
  toMs?: number
}

/** A list, of which the first entry that holds applies, or a function. */
export type Faults = ScriptedFault[] | ((arrival: Arrival) => Fault | undefined)

function strikes(fault: ScriptedFault, { index, sinceStartMs }: Arrival): boolean {
  if (fault.index !== undefined && fault.index !== index) return false
  if (fault.first !== undefined && index >= fault.first) return false
  return sinceStartMs >= (fault.fromMs ?? -Infinity) && sinceStartMs < (fault.toMs ?? Infinity)
}

const NO_FAULT: Fault = {}

export function faultFor(faults: Faults, arrival: Arrival): Fault {
  const fault = typeof faults === 'function' ? faults(arrival) : faults.find((entry) => strikes(entry, arrival))
  return fault ?? NO_FAULT
}
