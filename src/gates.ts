import { type Authority, formatAuthority } from './authority.ts'
import { AuthorityParks } from './authority-parks.ts'
import { CONFIG_DEFAULTS, type ResolvedConfig } from './config.ts'
import { defined } from './defined.ts'
import type { Events, Place } from './events.ts'
import type { Post } from './attempts/call.ts'
import type { Closing } from './attempts/closing.ts'
import * as check from './gate/check.ts'
import { RateLimitError } from './gate/errors.ts'
import { Gate } from './gate/gate.ts'
import { listOf } from './gate/options.ts'
import type { Observation } from './gate/observation.ts'
import type { GateSnapshot } from './gate/report.ts'
import type { OpenShare } from './gate/share.ts'
import { RateLimitReader, type ReaderSnapshot } from './headers/index.ts'
import { GateEvents } from './gate-events.ts'
import type { PartitionedRequest } from './options.ts'
import { Registry } from './registry.ts'
import type { Route } from './routes.ts'
import { SavedGates, type SavedState } from './saved.ts'
import { partsOf, staticShare } from './static-share.ts'
import type { Upstream } from './upstreams.ts'

/** What goes with a gate. */
interface Details {
  /** As it is called where it was first used. */
  readonly post: Post
  /** Where else it is used: a partition may span several authorities. */
  others: Set<string> | undefined
}

/** The gates of one headgate: one for each partition of each upstream. */
export class Gates {
  readonly #config: ResolvedConfig
  readonly #events: Events
  readonly #closing: Closing
  readonly #registry: Registry<Details>
  readonly #parks: AuthorityParks
  readonly #saved: SavedGates
  #made = 0

  constructor(config: ResolvedConfig, events: Events, closing: Closing) {
    this.#config = config
    this.#events = events
    this.#closing = closing
    this.#registry = new Registry(config)
    this.#parks = new AuthorityParks(config.clock)
    this.#saved = new SavedGates(config.clock)
  }

  /** Chooses the partition of a request, once; its gate is made when it is asked for and there is none. */
  postOf(route: Route, request: PartitionedRequest, given: string | undefined): () => Post {
    this.#assertOpen(route)
    const chosen = given ?? partitionOf(route.upstream, request)
    const bucket = route.dialect.bucket?.({ method: request.method, path: request.url.pathname }) ?? ''
    const partition = chosen ?? route.label
    const key = chosen === undefined && bucket === '' ? route.key : route.keyOf(partition, bucket)
    return () => this.#use(route, key, partition)
  }

  /** The upstream said to this gate what holds for all partitions of its authority. */
  parkAuthority({ gate, place }: Post, { retryAfterMs = 0 }: Observation): void {
    const key = formatAuthority(place)
    const ofAuthority = [...this.#registry].filter(
      ({ details }) => isAt(details.post.place, place) || details.others?.has(key),
    )
    const others = ofAuthority.flatMap((entry) => (entry.gate === gate ? [] : [entry.gate]))
    this.#parks.share(place, retryAfterMs > 0 ? retryAfterMs : gate.snapshot().parkedForMs, others)
  }

  /** What is idle would not be missed. */
  save(): SavedState {
    const busy = [...this.#registry.entries()].filter(([, { gate }]) => !gate.idle)
    return this.#saved.save(
      busy.map(([key, { gate }]) => [key, gate.save()] as const),
      this.#config.maxGates,
    )
  }

  /** Gates that there are go on from it now, others when they are made. */
  restore(state: SavedState): void {
    this.#saved.add(state)
    for (const [key, { gate }] of this.#registry.entries()) this.#saved.restore(key, gate)
  }

  snapshot(): (Place & GateSnapshot & { reads: ReaderSnapshot })[] {
    return [...this.#registry].map(({ details: { post } }) => ({
      ...post.place,
      ...post.gate.snapshot(),
      reads: post.reader.snapshot(),
    }))
  }

  async close(options: { drainMs?: number }): Promise<void> {
    this.#registry.close()
    this.#closing.close()
    await Promise.all([...this.#registry].map(({ gate }) => gate.close(options)))
  }

  #assertOpen({ authority }: Route): void {
    if (this.#closing.closed) throw new RateLimitError('closed', authority)
  }

  #use(route: Route, key: string, partition: string): Post {
    this.#assertOpen(route)
    const { details } = this.#registry.use(key, () => this.#open(route, key, partition))
    const { post } = details
    if (isAt(post.place, route.authority)) return post
    details.others ??= new Set()
    details.others.add(route.label)
    return { ...post, place: { ...post.place, ...route.authority } }
  }

  #open({ upstream, authority }: Route, key: string, partition: string) {
    const place = { upstream: upstream.name, ...authority, partition: `p${(this.#made += 1)}` }
    const gate = this.#make(upstream, partition, { place, openShare: this.#openShare(key) })
    this.#saved.restore(key, gate)
    this.#parks.apply(authority, gate)
    const reader = new RateLimitReader(upstream.config.dialect)
    return { details: { post: { gate, place, reader }, others: undefined }, gate }
  }

  /** Who else draws on the budget of this gate; undefined for nobody, or where nothing is held back. */
  #openShare(key: string): OpenShare | undefined {
    const { mode, shared, processes } = this.#config
    if (mode === 'observe') return undefined
    return shared?.share(key) ?? (processes > 1 ? staticShare(this.#config) : undefined)
  }

  #make(
    { config }: Upstream,
    partition: string,
    { place, openShare }: { place: Place; openShare: OpenShare | undefined },
  ): Gate {
    const { limits, concurrency, transitMs, coldStartMs, maxHoldMs, maxQueueSize, pace, fairShare, cooldown } = config
    const { host, port, partition: label } = place
    return new Gate(
      {
        ...defined({ concurrency, transitMs, maxHoldMs, maxQueueSize, pace, fairShare, cooldown }),
        clock: this.#config.clock,
        mode: this.#config.mode,
        coldStartMs: coldStartMs ?? CONFIG_DEFAULTS.coldStartMs,
        limits: partsOf(typeof limits === 'function' ? limits(partition) : listOf(limits), this.#config),
      },
      { refusedAt: { host, port, partition: label }, observer: new GateEvents(this.#events, place), openShare },
    )
  }
}

/** The headers are put together only where they are asked for. */
function asked(request: PartitionedRequest): PartitionedRequest {
  const { url, method } = request
  return {
    url,
    method,
    get headers() {
      return request.headers
    },
  }
}

function isAt(place: Authority, { host, port }: Authority): boolean {
  return place.host === host && place.port === port
}

/** Throws a `ConfigError` for what is no string: it would put different callers into one gate without a word. */
function partitionOf({ name, config }: Upstream, request: PartitionedRequest): string | undefined {
  if (config.partition === undefined) return undefined
  const partition: unknown = config.partition(asked(request))
  check.assertValid(check.string, partition, `upstreams['${name}'].partition()`)
  return partition as string
}
