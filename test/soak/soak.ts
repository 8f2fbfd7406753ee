import { getEventListeners } from 'node:events'
import { createHeadgate, type Headgate, type UpstreamConfig } from '../../src/index.ts'
import {
  createUpstream,
  type Fault,
  type Upstream,
  type UpstreamOptions,
  VirtualClock,
} from '../../src/testing/index.ts'
import { createRandom, type Random } from '../../src/random.ts'

export interface SoakOptions {
  hours: number
  upstreams: number
  seed?: number
  /** Told at the end of each hour. */
  onHour?: (report: SoakReport) => void | Promise<void>
}

export interface SoakReport {
  hours: number
  /** Calls that have ended, and how: by status, or by the name of the error. */
  calls: Record<string, number>
  /** Requests that reached an upstream, and those of them that were refused for their rate. */
  requests: number
  throttled: number
  /** Faults injected, by kind. */
  faults: Record<string, number>
  gates: number
  /** Calls that wait, permits that are held, and bytes that gates keep their books in. */
  queued: number
  held: number
  ledgerBytes: number
  /** Of the headgate and of the upstreams. */
  timers: number
  /** On the signals that callers keep for as long as all lasts. */
  listeners: number
}

const HOUR_MS = 3_600_000
const WORKERS = 3
/** Between the calls of one worker, on average: they ask for about what the upstreams allow. */
const GAP_MS = 60_000
/** Callers with a deadline of their own give up then. */
const DEADLINE_MS = 120_000

/** What upstreams are like, in turn. */
const KINDS: { upstream: UpstreamOptions; config: UpstreamConfig }[] = [
  {
    upstream: { limits: { kind: 'rolling', limit: 3, windowMs: 60_000 }, headers: 'docker-hub', countRefused: true },
    config: { limits: { limit: 3, windowMs: 60_000 }, concurrency: 2 },
  },
  { upstream: { limits: { kind: 'fixed', limit: 4, windowMs: 60_000 }, headers: 'github' }, config: {} },
  {
    upstream: { limits: { kind: 'rolling', limit: 3, windowMs: 60_000 }, headers: 'none', retryAfter: 'seconds' },
    config: { limits: { limit: 3, windowMs: 60_000 }, pace: 'even', whenParked: 'refuse' },
  },
  {
    upstream: { limits: { kind: 'rolling', limit: 2, windowMs: 60_000 }, headers: 'none' },
    config: { concurrency: 1, maxQueueSize: 1, retry: false, cooldown: { baseMs: 5_000, maxMs: 30_000 } },
  },
]

/** One in so many requests meets with each of these. */
const ONE_IN = 200
const FAULTS: Record<string, Fault> = {
  reset: { error: 'reset' },
  refused: { error: 'refused' },
  'slow answer': { delayMs: 20_000 },
  unavailable: { status: 503, headers: { 'retry-after': '30' }, counted: false },
  'server error': { status: 500, counted: false },
  'throttled without a word': { status: 429, counted: false },
  'absurd headers': { headers: { 'retry-after': '1e99', 'x-ratelimit-reset': '-1', 'x-ratelimit-remaining': 'NaN' } },
  hang: { hang: true },
}

/** Mixed traffic on many upstreams in virtual time, with faults, and what is left when all is idle. */
export class Soak {
  readonly #options: SoakOptions
  readonly #clock: VirtualClock
  readonly #random: Random
  readonly #upstreams: Map<string, Upstream>
  readonly #headgate: Headgate
  /** Kept by callers for as long as all lasts, one for each upstream. */
  readonly #signals = new Map<string, AbortSignal>()
  readonly #calls: Record<string, number> = {}
  readonly #faults: Record<string, number> = {}

  constructor(options: SoakOptions) {
    const { seed = 1, upstreams } = options
    this.#options = options
    this.#clock = new VirtualClock({ seed })
    this.#random = createRandom(seed)
    const hosts = Array.from({ length: upstreams }, (_, index) => `u${index}.example`)
    for (const host of hosts) this.#signals.set(host, new AbortController().signal)
    this.#upstreams = new Map(hosts.map((host, index) => [host, this.#upstream(index)]))
    this.#headgate = createHeadgate({
      clock: this.#clock,
      fetch: (input, init) =>
        this.#upstreams.get(new URL(input instanceof Request ? input.url : input).host)!.fetch(input, init),
      upstreams: Object.fromEntries(hosts.map((host, index) => [host, KINDS[index % KINDS.length]!.config])),
    })
  }

  /** Traffic for the hours asked for, then nothing until nothing has to be kept. */
  async run(): Promise<SoakReport> {
    const { hours, onHour } = this.#options
    const endMs = hours * HOUR_MS
    const workers = [...this.#upstreams.keys()].flatMap((host) =>
      Array.from({ length: WORKERS }, () => this.#work(host, endMs)),
    )
    for (let hour = 1; hour <= hours; hour += 1) {
      await this.#clock.advance(HOUR_MS)
      await onHour?.(this.#report(hour))
    }
    await this.#clock.runUntil(Promise.all(workers))
    await this.#clock.runAll()
    return this.#report(hours)
  }

  #report(hours: number): SoakReport {
    const reports = [...this.#upstreams.values()].map((upstream) => upstream.report())
    const { gates } = this.#headgate.snapshot()
    return {
      hours,
      calls: this.#calls,
      requests: total(reports, ({ requests }) => requests),
      throttled: total(reports, ({ throttled }) => throttled),
      faults: this.#faults,
      gates: gates.length,
      queued: total(gates, ({ queued }) => queued),
      held: total(gates, ({ held }) => held),
      ledgerBytes: total(gates, ({ ledgerBytes }) => ledgerBytes),
      timers: this.#clock.pendingTimers,
      listeners: total([...this.#signals.values()], (signal) => getEventListeners(signal, 'abort').length),
    }
  }

  #upstream(index: number): Upstream {
    return createUpstream({
      ...KINDS[index % KINDS.length]!.upstream,
      clock: this.#clock,
      seed: index,
      latency: { upMs: { minMs: 5, maxMs: 200 }, downMs: { medianMs: 150, sigma: 1 } },
      bodyMs: { minMs: 0, maxMs: 2_000 },
      faults: ({ request }) => this.#fault(request.headers.has('x-deadline')),
      log: false,
    })
  }

  /** Only who has a deadline can be left hanging. */
  #fault(hasDeadline: boolean): Fault | undefined {
    const names = Object.keys(FAULTS)
    const name = names[Math.floor(this.#random() * ONE_IN)]
    if (name === undefined || (name === 'hang' && !hasDeadline)) return undefined
    count(this.#faults, name)
    return FAULTS[name]
  }

  async #work(host: string, endMs: number): Promise<void> {
    while (this.#clock.now() < endMs) {
      await this.#clock.sleep(-Math.log(1 - this.#random()) * GAP_MS)
      if (this.#random() < 0.5) await this.#callWithDeadline(host)
      else await this.#call(host, this.#signals.get(host)!)
    }
  }

  async #callWithDeadline(host: string): Promise<void> {
    const abort = new AbortController()
    const giveUp = (): void => abort.abort(new DOMException('too late', 'TimeoutError'))
    const timer = this.#clock.setTimer(giveUp, this.#random() * DEADLINE_MS, { keepAlive: true })
    await this.#call(host, abort.signal, { 'x-deadline': '' })
    this.#clock.clearTimer(timer)
  }

  async #call(host: string, signal: AbortSignal, headers: Record<string, string> = {}): Promise<void> {
    const priority = Math.floor(this.#random() * 3)
    const maxWaitMs = this.#random() < 0.2 ? 10_000 : Infinity
    try {
      const call = { signal, headers, headgate: { priority, maxWaitMs } }
      const response = await this.#headgate.fetch(`https://${host}/`, call)
      if (this.#random() < 0.2) await response.body?.cancel()
      else await response.text()
      count(this.#calls, String(response.status))
    } catch (error) {
      count(this.#calls, (error as Error).name)
    }
  }
}

function total<T>(each: readonly T[], of: (one: T) => number): number {
  return each.reduce((sum, one) => sum + of(one), 0)
}

function count(counts: Record<string, number>, what: string): void {
  counts[what] = (counts[what] ?? 0) + 1
}
