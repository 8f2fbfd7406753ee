import type { AttemptReport, Call, Exchange, Reply, Wire } from './attempts/call.ts'
import { Closing } from './attempts/closing.ts'
import { authorityOf } from './authority.ts'
import { CONFIG_DEFAULTS, type ResolvedConfig } from './config.ts'
import { AttemptCounters } from './counters.ts'
import { defined } from './defined.ts'
import { Events, type Place } from './events.ts'
import { Gates } from './gates.ts'
import type { CallOptions } from './options.ts'
import { RETRY_DEFAULTS } from './retry/policy.ts'
import { type Upstream, Upstreams } from './upstreams.ts'

/** How one call is to be made, whoever makes it. */
export type Terms<R extends Reply> = Omit<Call<R>, 'exchange' | 'redirect'>

/** What the calls of one headgate have in common, by fetch or by a dispatcher. */
export class Calls {
  readonly wire: Wire
  readonly gates: Gates
  readonly events = new Events()
  readonly counters = new AttemptCounters()
  readonly #upstreams: Upstreams
  /** Nothing is retried by one who only observes. */
  readonly #retries: boolean

  constructor(config: ResolvedConfig) {
    const closing = new Closing()
    this.#upstreams = new Upstreams(config)
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

  /** Undefined where requests to this URL pass through untouched. */
  upstreamOf(url: URL): Upstream | undefined {
    return this.#upstreams.match(authorityOf(url))
  }

  /** Whether a call to this upstream may be tried again. */
  retries(upstream: Upstream, options: CallOptions): boolean {
    return this.#retries && (options.retry ?? upstream.config.retry) !== false
  }

  /** By the options of its upstream and its own; without an upstream it passes through. */
  termsOf<R extends Reply>(
    upstream: Upstream | undefined,
    exchange: Pick<Exchange<R>, 'url' | 'method' | 'headers'>,
    options: CallOptions,
  ): Terms<R> {
    const config = upstream?.config ?? {}
    const retry =
      upstream && this.retries(upstream, options) ? (options.retry ?? config.retry ?? RETRY_DEFAULTS) : false
    const methods = (retry !== false && retry.failed?.methods) || RETRY_DEFAULTS.failed.methods
    return {
      post: upstream ? this.gates.postOf(upstream, exchange, options.partition) : () => undefined,
      acquire: {
        weight: options.weight,
        priority: options.priority,
        maxWaitMs: options.maxWaitMs ?? config.maxWaitMs,
        whenParked: options.whenParked ?? config.whenParked,
      },
      retry,
      idempotent: options.idempotent ?? methods.includes(exchange.method),
      holdsBody: config.concurrency !== undefined && config.concurrencyUntil !== 'headers',
    }
  }

  #tell(place: Place, attempt: AttemptReport): void {
    this.counters.count(place, attempt)
    this.events.emit('headgate:attempt', () => ({ ...place, ...attempt }))
  }
}

/** What a call says for itself goes before what was said for all. */
export function merged(defaults: CallOptions, own: CallOptions | undefined): CallOptions {
  return { ...defaults, ...defined(own ?? {}) }
}

/** Whether redirects are followed hop by hop. */
export function followsHops({ config }: Upstream): boolean {
  return (config.redirects ?? CONFIG_DEFAULTS.redirects) === 'per-hop'
}
