import { authorityOf } from './authority.ts'
import { assertCallOptions, CONFIG_DEFAULTS, parseConfig, type ResolvedConfig } from './config.ts'
import { type EventName, Events, type Listener, type Place } from './events.ts'
import { type AttemptCount, AttemptCounters } from './counters.ts'
import { logEvents } from './debug-log.ts'
import { defined } from './defined.ts'
import { callThrough } from './fetch/attempt-loop.ts'
import { Closing } from './fetch/closing.ts'
import type { AttemptReport, Call, CallReport, Wire } from './fetch/call.ts'
import { passesThrough, sendUnmarked } from './fetch/layers.ts'
import { RequestSource, targetOf } from './fetch/request.ts'
import { assertDuration } from './gate/acquire.ts'
import { isRateLimitError } from './gate/errors.ts'
import type { Gate } from './gate/gate.ts'
import type { Explanation, GateSnapshot } from './gate/report.ts'
import type { ReaderSnapshot } from './headers/index.ts'
import type { CallOptions, HeadgateConfig, HeadgateFetch } from './options.ts'
import { Gates } from './gates.ts'
import { markPaced } from './paced.ts'
import { refusalResponse } from './refusal.ts'
import type { SavedState } from './saved.ts'
import { RETRY_DEFAULTS } from './retry/policy.ts'
import { type Upstream, Upstreams } from './upstreams.ts'

export interface HeadgateSnapshot {
  gates: (Place & GateSnapshot & { reads: ReaderSnapshot })[]
  /** Attempts made, by authority, kind and outcome. */
  attempts: AttemptCount[]
}

export interface Headgate {
  /** Like `fetch`, paced. Safe to detach. Rejects as `fetch` does, or with a `RateLimitError` where the call is refused. */
  readonly fetch: HeadgateFetch
  /** The same headgate with options for every call made through it; a call's own options override them. */
  with(options: CallOptions): { readonly fetch: HeadgateFetch }
  /** What a GET of this URL would wait for if it were made now. Throws a `RateLimitError` with the reason `closed` once it is closed. */
  explain(url: string | URL, options?: Pick<CallOptions, 'weight' | 'priority' | 'partition'>): Explanation
  /** What became of the call that gave this response; undefined where it did not come from here. */
  inspect(response: Response): CallReport | undefined
  /** The gate of a URL or an authority (`host`, taken as https, or `host:port`). Undefined where requests pass through. Throws once closed. */
  gate(urlOrAuthority: string | URL, partition?: string): Gate | undefined
  /** Every gate there is. Plain JSON, no partition key. */
  snapshot(): HeadgateSnapshot
  /**
   * What another process has to know to go on from here: what each gate has spent, read and is parked for. Plain JSON; partitions are
   * told apart by digests. Throws a `HeadgateError` with the code `HEADGATE_UNSUPPORTED` where there is no `node:crypto`.
   */
  save(): SavedState
  /**
   * Goes on from what another process saved, best before the first call: then the two together send no more than the limits allow. What was
   * restored before and not used yet is forgotten. Throws a `ConfigError` for what no headgate saved.
   */
  restore(saved: SavedState): void
  /** Calls `listener` at each event of this name until what it returns is called. A listener that throws harms nobody. */
  on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void
  /**
   * Refuses new calls with the reason `closed`, and those that wait too, or lets them go first for up to `drainMs`. Resolves when
   * nobody waits any more.
   */
  close(options?: { drainMs?: number }): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Makes a headgate. Throws one `ConfigError` that lists every fault. */
export function createHeadgate(config: HeadgateConfig = {}): Headgate {
  return new PacedFetch(parseConfig(config))
}

class PacedFetch implements Headgate {
  readonly fetch = this.with({}).fetch
  readonly #wire: Wire
  /** What a call that passes an inner layer of this headgate goes on to. */
  readonly #native = globalThis.fetch
  readonly #upstreams: Upstreams
  readonly #gates: Gates
  /** Nothing is retried by one who only observes. */
  readonly #retries: boolean
  readonly #events = new Events()
  readonly #counters = new AttemptCounters()
  readonly #reports = new WeakMap<Response, CallReport>()

  constructor(config: ResolvedConfig) {
    this.#wire = {
      owner: this,
      clock: config.clock,
      fetch: config.fetch,
      closing: new Closing(),
      tell: (place, attempt) => this.#tell(place, attempt),
      parkAuthority: (post) => this.#gates.parkAuthority(post),
    }
    this.#upstreams = new Upstreams(config)
    logEvents(this.#events, config.clock)
    this.#retries = config.mode === 'enforce'
    this.#gates = new Gates(config, this.#events, this.#wire.closing)
  }

  with(defaults: CallOptions): { readonly fetch: HeadgateFetch } {
    assertCallOptions(defaults)
    return { fetch: markPaced((input, init) => this.#fetch(defaults, input, init)) }
  }

  explain(url: string | URL, options: CallOptions = {}): Explanation {
    assertCallOptions(options)
    const { weight, priority, partition } = options
    const gate = this.gate(url, partition)
    return gate?.explain({ weight, priority }) ?? { wouldWaitMs: 0, boundBy: 'nothing', queued: 0 }
  }

  inspect(response: Response): CallReport | undefined {
    return this.#reports.get(response)
  }

  gate(urlOrAuthority: string | URL, partition?: string): Gate | undefined {
    const text = String(urlOrAuthority)
    const { url } = targetOf(new URL(text.includes('://') ? text : `https://${text}`), undefined)
    const upstream = url && this.#upstreams.match(authorityOf(url))
    return upstream && this.#gates.postOf(upstream, { url, method: 'GET', headers: new Headers() }, partition)().gate
  }

  snapshot(): HeadgateSnapshot {
    return { gates: this.#gates.snapshot(), attempts: this.#counters.list() }
  }

  save(): SavedState {
    return this.#gates.save()
  }

  restore(saved: SavedState): void {
    this.#gates.restore(saved)
  }

  on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void {
    return this.#events.on(name, listener)
  }

  async close(options: { drainMs?: number } = {}): Promise<void> {
    assertDuration(options.drainMs ?? 0, 'drainMs')
    return this.#gates.close(options)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #fetch(defaults: CallOptions, input: string | URL | Request, init?: Parameters<HeadgateFetch>[1]) {
    const { own, rest } = splitInit(init)
    if (own) assertCallOptions(own)
    const target = targetOf(input, rest)
    const { url, href, method } = target
    // Called as functions: a browser's fetch refuses any other receiver.
    const { fetch } = this.#wire
    const native = this.#native
    if (passesThrough(this, method, href, rest)) return native(input, rest)
    const upstream = own !== false && url && this.#upstreams.match(authorityOf(url))
    if (!upstream) return sendUnmarked(fetch, { owner: this, method, url: href, passed: false }, input, rest)
    const options = { ...defaults, ...defined(own ?? {}) }
    const { retry, redirects = CONFIG_DEFAULTS.redirects } = upstream.config
    const follow = { keep: this.#retries && (options.retry ?? retry) !== false, hops: redirects === 'per-hop' }
    const source = new RequestSource(input, rest, { ...target, url }, follow)
    try {
      const { response, report } = await callThrough(this.#wire, this.#callOf(upstream, source, options))
      this.#reports.set(response, report)
      return response
    } catch (error) {
      return refused(error, options.refuseWith ?? upstream.config.refuseWith)
    }
  }

  #tell(place: Place, attempt: AttemptReport): void {
    this.#counters.count(place, attempt)
    this.#events.emit('headgate:attempt', () => ({ ...place, ...attempt }))
  }

  #callOf(upstream: Upstream | undefined, source: RequestSource, options: CallOptions): Call {
    const config = upstream?.config ?? {}
    const retry = this.#retries && upstream ? (options.retry ?? config.retry ?? {}) : false
    const methods = (retry !== false && retry.failed?.methods) || RETRY_DEFAULTS.failed.methods
    return {
      source,
      post: upstream ? this.#gates.postOf(upstream, source, options.partition) : () => undefined,
      acquire: {
        weight: options.weight,
        priority: options.priority,
        maxWaitMs: options.maxWaitMs ?? config.maxWaitMs,
        whenParked: options.whenParked ?? config.whenParked,
      },
      retry,
      idempotent: options.idempotent ?? methods.includes(source.method),
      holdsBody: config.concurrency !== undefined && config.concurrencyUntil !== 'headers',
      isThrottled: config.isThrottled,
      reroute: (hop) => this.#callOf(this.#upstreams.match(authorityOf(hop.url)), hop, options),
    }
  }
}

function splitInit(init: Parameters<HeadgateFetch>[1]): {
  own: CallOptions | false | undefined
  rest: RequestInit | undefined
} {
  if (init === undefined || init === null || !('headgate' in init)) return { own: undefined, rest: init }
  const { headgate, ...rest } = init
  return { own: headgate, rest }
}

function refused(error: unknown, refuseWith: 'error' | 'response' = 'error'): Response {
  if (refuseWith === 'response' && isRateLimitError(error) && error.retryAfterMs !== undefined)
    return refusalResponse(error)
  throw error
}
