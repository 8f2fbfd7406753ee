import type { AttemptReport, Call, Exchange, Reply, Wire } from './attempts/call.ts'
import { Closing } from './attempts/closing.ts'
import { CONFIG_DEFAULTS, type ResolvedConfig } from './config.ts'
import { AttemptCounters } from './counters.ts'
import { defined } from './defined.ts'
import { Events, type Place } from './events.ts'
import { Gates } from './gates.ts'
import type { CallOptions } from './options.ts'
import { RETRY_DEFAULTS } from './retry/policy.ts'
import { type Route, routesOf } from './routes.ts'
import type { Upstream } from './upstreams.ts'

/** What the calls of one headgate have in common, by fetch or by a dispatcher. */
export class Calls {
  readonly wire: Wire
  readonly gates: Gates
  readonly events = new Events()
  readonly counters = new AttemptCounters()
  /** By origin; undefined where requests pass through untouched. */
  readonly routeOf: (origin: string) => Route | undefined
  /** Nothing is retried by one who only observes. */
  readonly #retries: boolean

  constructor(config: ResolvedConfig) {
    const closing = new Closing()
    this.routeOf = routesOf(config)
    this.#retries = config.mode === 'enforce'
    this.gates = new Gates(config, this.events, closing)
    this.wire = {
      owner: this,
      clock: config.clock,
      closing,
      tell: (place, attempt) => this.#tell(place, attempt),
      parkAuthority: (post, observation) => this.gates.parkAuthority(post, observation),
    }
  }

  /** Whether a call to this upstream may be tried again. */
  retries(upstream: Upstream, options: CallOptions): boolean {
    return this.#retries && (options.retry ?? upstream.config.retry) !== false
  }

  /** One call, by the options of its upstream and its own; without a route it passes through. */
  callOf<R extends Reply>(
    route: Route | undefined,
    exchange: Exchange<R>,
    options: CallOptions,
    { isThrottled, redirect }: Pick<Call<R>, 'isThrottled' | 'redirect'> = {},
  ): Call<R> {
    const config = route?.upstream.config ?? {}
    const retry =
      route && this.retries(route.upstream, options) ? (options.retry ?? config.retry ?? RETRY_DEFAULTS) : false
    const methods = (retry !== false && retry.failed?.methods) || RETRY_DEFAULTS.failed.methods
    return {
      exchange,
      post: route ? this.gates.postOf(route, exchange, options.partition) : () => undefined,
      weight: options.weight,
      priority: options.priority,
      maxWaitMs: options.maxWaitMs ?? config.maxWaitMs,
      whenParked: options.whenParked ?? config.whenParked,
      retry,
      idempotent: options.idempotent ?? methods.includes(exchange.method),
      holdsBody: config.concurrency !== undefined && config.concurrencyUntil !== 'headers',
      isThrottled,
      redirect,
    }
  }

  #tell(place: Place, attempt: AttemptReport): void {
    this.counters.count(place, attempt)
    this.events.emit('headgate:attempt', () => {
      const { kind, outcome, status, durationMs } = attempt
      return status === undefined
        ? { ...place, kind, outcome, durationMs }
        : { ...place, kind, outcome, status, durationMs }
    })
  }
}

/** What a call says for itself goes before what was said for all. */
export function merged(defaults: CallOptions, own: CallOptions | undefined): CallOptions {
  return own ? { ...defaults, ...defined(own) } : defaults
}

/** Whether redirects are followed hop by hop. */
export function followsHops({ config }: Upstream): boolean {
  return (config.redirects ?? CONFIG_DEFAULTS.redirects) === 'per-hop'
}
