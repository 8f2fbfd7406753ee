import { type Authority, authorityOf, formatAuthority } from './authority.ts'
import { assertCallOptions, CONFIG_DEFAULTS, parseConfig, type ResolvedConfig } from './config.ts'
import { type Call, type CallReport, callThrough, type Wire } from './fetch/attempt-loop.ts'
import { passesThrough, sendUnmarked } from './fetch/layers.ts'
import { RequestSource, targetOf } from './fetch/request.ts'
import { isRateLimitError, RateLimitError } from './gate/errors.ts'
import { Gate } from './gate/gate.ts'
import type { Explanation, GateSnapshot } from './gate/report.ts'
import type { CallOptions, HeadgateConfig, HeadgateFetch, PartitionedRequest } from './options.ts'
import { markPaced } from './paced.ts'
import { refusalResponse } from './refusal.ts'
import { Registry } from './registry.ts'
import { resolveRetry } from './retry/policy.ts'
import { type Upstream, Upstreams } from './upstreams.ts'

/** Where a gate stands. `partition` is an opaque label, never the key. */
export interface GatePlace extends Authority {
  upstream: string
  partition: string
}

export interface HeadgateSnapshot {
  gates: (GatePlace & GateSnapshot)[]
}

export interface Headgate {
  /** Like `fetch`, paced. Safe to detach. Rejects as `fetch` does, or with a `RateLimitError` where the call is refused. */
  readonly fetch: HeadgateFetch
  /** The same headgate with options for every call made through it; a call's own options override them. */
  with(options: CallOptions): { readonly fetch: HeadgateFetch }
  /** What a GET of this URL would wait for if it were made now. */
  explain(url: string | URL, options?: Pick<CallOptions, 'weight' | 'priority' | 'partition'>): Explanation
  /** What became of the call that gave this response; undefined where it did not come from here. */
  inspect(response: Response): CallReport | undefined
  /** The gate of a URL or an authority (`host`, taken as https, or `host:port`). Undefined where requests pass through. */
  gate(urlOrAuthority: string | URL, partition?: string): Gate | undefined
  /** Every gate there is. Plain JSON, no partition key. */
  snapshot(): HeadgateSnapshot
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
  readonly #config: ResolvedConfig
  readonly #wire: Wire
  /** What a call that passes an inner layer of this headgate goes on to. */
  readonly #native = globalThis.fetch
  readonly #upstreams: Upstreams
  readonly #registry: Registry<GatePlace>
  readonly #reports = new WeakMap<Response, CallReport>()
  #gatesMade = 0
  #closed = false

  constructor(config: ResolvedConfig) {
    this.#config = config
    this.#wire = { owner: this, clock: config.clock, fetch: config.fetch, closed: () => this.#closed }
    this.#upstreams = new Upstreams(config)
    this.#registry = new Registry(config)
  }

  with(defaults: CallOptions): { readonly fetch: HeadgateFetch } {
    assertCallOptions(defaults)
    return { fetch: markPaced((input, init) => this.#fetch(defaults, input, init)) }
  }

  explain(url: string | URL, { weight, priority, partition }: CallOptions = {}): Explanation {
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
    return upstream && this.#gateFor(upstream, { url, method: 'GET', headers: new Headers() }, partition)
  }

  snapshot(): HeadgateSnapshot {
    return { gates: [...this.#registry].map(({ gate, details }) => ({ ...details, ...gate.snapshot() })) }
  }

  async close(options: { drainMs?: number } = {}): Promise<void> {
    this.#closed = true
    this.#registry.close()
    await Promise.all([...this.#registry].map(({ gate }) => gate.close(options)))
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
    const source = new RequestSource(
      input,
      rest,
      { ...target, url },
      (options.retry ?? upstream.config.retry) !== false,
    )
    try {
      const { response, report } = await callThrough(this.#wire, this.#callOf(upstream, source, options))
      this.#reports.set(response, report)
      return response
    } catch (error) {
      return refused(error, options.refuseWith ?? upstream.config.refuseWith)
    } finally {
      source.dispose()
    }
  }

  #callOf(upstream: Upstream, source: RequestSource, options: CallOptions): Call {
    const { config } = upstream
    const retry = options.retry ?? config.retry
    const policy = retry === false ? false : resolveRetry(retry)
    return {
      source,
      gate: () => this.#gateFor(upstream, source, options.partition),
      acquire: {
        weight: options.weight,
        priority: options.priority,
        maxWaitMs: options.maxWaitMs ?? config.maxWaitMs,
        whenParked: options.whenParked ?? config.whenParked,
      },
      maxQueueSize: config.maxQueueSize,
      retry: policy,
      idempotent: options.idempotent ?? (policy !== false && policy.failed.methods.includes(source.method)),
      holdsBody: config.concurrency !== undefined && config.concurrencyUntil !== 'headers',
      isThrottled: config.isThrottled,
    }
  }

  #gateFor(upstream: Upstream, request: PartitionedRequest, given: string | undefined): Gate {
    const authority = authorityOf(request.url)
    if (this.#closed) throw new RateLimitError('closed', authority)
    const partition = given ?? upstream.config.partition?.(request) ?? formatAuthority(authority)
    const key = [upstream.name, upstream.shared ? '' : formatAuthority(authority), partition].join(' ')
    return this.#registry.use(key, () => {
      const place = { upstream: upstream.name, ...authority, partition: `p${(this.#gatesMade += 1)}` }
      return { details: place, gate: this.#makeGate(upstream, partition, place) }
    })
  }

  #makeGate({ config }: Upstream, partition: string, { host, port, partition: label }: GatePlace): Gate {
    const { limits, concurrency, transitMs, coldStartMs, maxHoldMs, maxQueueSize, pace, cooldown } = config
    const options = { concurrency, transitMs, maxHoldMs, maxQueueSize, pace, cooldown }
    return new Gate(
      {
        ...defined(options),
        clock: this.#config.clock,
        coldStartMs: coldStartMs ?? CONFIG_DEFAULTS.coldStartMs,
        limits: typeof limits === 'function' ? limits(partition) : (limits ?? []),
      },
      { refusedAt: { host, port, partition: label } },
    )
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

function defined<T extends object>(options: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never
}
