import { TrailingWindow } from './trailing-window.ts'

/** One request of the client under test. Instants are the clock's, in ms. */
export interface LogEntry {
  sentAtMs: number
  countedAtMs: number
  /** When its headers reached the client; absent if they did not, or not yet. */
  answeredAtMs?: number
  /** What the upstream answered; absent where it hung or reset the connection. */
  status?: number
  /** What it was charged in `requests`. */
  weight: number
  url: string
  method: string
  body?: string
  own: true
}

export interface UpstreamReport {
  /** Requests of the client under test that reached the upstream. */
  requests: number
  /** Those of them that were answered 429, or with the upstream's own status for it. */
  throttled: number
  /** Those that were answered 2xx. */
  ok: number
  /**
   * The largest weight that reached the upstream in any trailing window `(t - windowMs, t]` of the first limit, in its
   * unit (60 000 ms and `requests` if there is none): own and others, refused ones included; not what a fault leaves
   * uncounted.
   */
  busiestWindow: number
  /** The same for the client under test alone. */
  ownBusiestWindow: number
  /** Own requests that were not throttled, by minute since the upstream was created. */
  perMinute: number[]
  /** Own requests by status, and under `hang` and `reset` those that got none. */
  byStatus: Record<string, number>
}

class Busiest {
  readonly #window: TrailingWindow
  weight = 0

  constructor(windowMs: number) {
    this.#window = new TrailingWindow(windowMs)
  }

  add(nowMs: number, weight: number): void {
    this.#window.add(nowMs, weight)
    this.weight = Math.max(this.weight, this.#window.sum(nowMs))
  }
}

/** What became of one own request when it was counted. */
export interface Outcome {
  /** A status, `hang` or `reset`. */
  name: string
  sinceStartMs: number
  throttled: boolean
  ok: boolean
}

/** The counters of one upstream. Their memory is that of one window, however long it runs. */
export class Counters {
  readonly #all: Busiest
  readonly #own: Busiest
  readonly #perMinute: number[] = []
  readonly #byStatus: Record<string, number> = {}
  #requests = 0
  #throttled = 0
  #ok = 0

  constructor(windowMs: number) {
    this.#all = new Busiest(windowMs)
    this.#own = new Busiest(windowMs)
  }

  countWeight(nowMs: number, weight: number, own: boolean): void {
    this.#all.add(nowMs, weight)
    if (own) this.#own.add(nowMs, weight)
  }

  countOutcome({ name, sinceStartMs, throttled, ok }: Outcome): void {
    this.#requests++
    this.#byStatus[name] = (this.#byStatus[name] ?? 0) + 1
    if (ok) this.#ok++
    if (throttled) this.#throttled++
    else this.#countMinute(Math.floor(sinceStartMs / 60_000))
  }

  report(): UpstreamReport {
    return {
      requests: this.#requests,
      throttled: this.#throttled,
      ok: this.#ok,
      busiestWindow: this.#all.weight,
      ownBusiestWindow: this.#own.weight,
      perMinute: [...this.#perMinute],
      byStatus: { ...this.#byStatus },
    }
  }

  #countMinute(minute: number): void {
    while (this.#perMinute.length <= minute) this.#perMinute.push(0)
    this.#perMinute[minute] = (this.#perMinute[minute] ?? 0) + 1
  }
}
