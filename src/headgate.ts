import { createAttached } from './attached.ts'
import type { AttemptCount } from './counters.ts'
import { type Arrived, callThrough } from './attempts/journey.ts'
import type { Call, CallReport } from './attempts/call.ts'
import { Calls, followsHops, merged } from './calls.ts'
import { assertCallOptions, parseConfig, type ResolvedConfig } from './config.ts'
import { logEvents } from './debug-log.ts'
import type { EventName, Listener, Place } from './events.ts'
import { passesThrough, sendUnmarked } from './fetch/layers.ts'
import { followRedirect } from './fetch/redirect.ts'
import { FetchExchange, targetOf } from './fetch/request.ts'
import { assertCloseOptions } from './gate/acquire.ts'
import { HeadgateError, isRateLimitError } from './gate/errors.ts'
import type { Gate } from './gate/gate.ts'
import type { Explanation, GateSnapshot } from './gate/report.ts'
import type { ReaderSnapshot } from './headers/index.ts'
import type { CallOptions, HeadgateConfig, HeadgateFetch, UpstreamConfig } from './options.ts'
import { markPaced } from './paced.ts'
import { refusalResponse } from './refusal.ts'
import type { SavedState } from './saved.ts'
import { shareCalls } from './shared-calls.ts'
import type { Route } from './routes.ts'

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
  readonly #calls: Calls
  readonly #inner: typeof fetch
  /** What a call that passes an inner layer of this headgate goes on to. */
  readonly #native = globalThis.fetch
  readonly #reports = createAttached<Response, CallReport>()

  constructor(config: ResolvedConfig) {
    this.#inner = config.fetch
    this.#calls = new Calls(config)
    shareCalls(this, this.#calls)
    logEvents(this.#calls.events, config.clock)
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
    const isAuthority = !text.includes('://') && !text.startsWith('/')
    const { url } = targetOf(new URL(isAuthority ? `https://${text}` : text), undefined)
    const route = url && this.#calls.routeOf(url.origin)
    if (!route) return undefined
    return this.#calls.gates.postOf(route, { url, method: 'GET', headers: new Headers() }, partition)().gate
  }

  snapshot(): HeadgateSnapshot {
    return { gates: this.#calls.gates.snapshot(), attempts: this.#calls.counters.list() }
  }

  save(): SavedState {
    return this.#calls.gates.save()
  }

  restore(saved: SavedState): void {
    this.#calls.gates.restore(saved)
  }

  on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void {
    return this.#calls.events.on(name, listener)
  }

  async close(options: { drainMs?: number } = {}): Promise<void> {
    assertCloseOptions(options)
    return this.#calls.gates.close(options)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #fetch(defaults: CallOptions, input: string | URL | Request, init?: Parameters<HeadgateFetch>[1]) {
    const { own, rest } = splitInit(init)
    if (own) assertCallOptions(own)
    const target = targetOf(input, rest)
    const { url } = target
    // Called as functions: a browser's fetch refuses any other receiver.
    const fetch = this.#inner
    const native = this.#native
    const { owner } = this.#calls.wire
    if (passesThrough(owner, target, rest)) return native(input, rest)
    const route = own !== false && url && this.#calls.routeOf(url.origin)
    if (!route) return sendUnmarked(fetch, owner, target, input, rest)
    const options = merged(defaults, own || undefined)
    const { upstream } = route
    const follow = { fetch, keep: this.#calls.retries(upstream, options), hops: followsHops(upstream) }
    const exchange = new FetchExchange(input, rest, target, url, follow)
    try {
      return this.#arrive(await callThrough(this.#calls.wire, this.#callOf(route, exchange, options)))
    } catch (error) {
      return refused(error, options.refuseWith ?? upstream.config.refuseWith)
    }
  }

  #callOf(route: Route | undefined, exchange: FetchExchange, options: CallOptions): Call<Response> {
    return this.#calls.callOf(route, exchange, options, {
      isThrottled: unread(route?.upstream.config.isThrottled),
      redirect: (response, followed) => {
        const hop = exchange.followsHops ? followRedirect(response, exchange, followed) : undefined
        return hop && this.#callOf(this.#calls.routeOf(hop.url.origin), exchange.redirected(hop), options)
      },
    })
  }

  #arrive({ reply, redirects, report }: Arrived<Response>): Response {
    if (redirects > 0) Object.defineProperty(reply, 'redirected', { value: true, configurable: true })
    this.#reports.set(reply, report)
    return reply
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
  const response = refuseWith === 'response' && isRateLimitError(error) ? refusalResponse(error) : undefined
  if (response) return response
  throw error
}

type IsThrottled = NonNullable<UpstreamConfig['isThrottled']>

/** The body is the caller's: one that was read cannot be handed on. */
function unread(isThrottled: IsThrottled | undefined): IsThrottled | undefined {
  return (
    isThrottled &&
    (async (response) => {
      const throttled = await isThrottled(response)
      if (!response.bodyUsed) return throttled
      throw new HeadgateError(
        'HEADGATE_BODY_READ',
        'isThrottled has read the body of the response: let it read a clone',
      )
    })
  )
}
