import { type Authority, authorityOf, formatAuthority } from './authority.ts'
import type { ResolvedConfig } from './config.ts'
import { type Dialect, dialectOf } from './headers/index.ts'
import { remembered } from './headers/remembered.ts'
import { type Upstream, Upstreams } from './upstreams.ts'

/** Origins of which the route is remembered. */
const MAX_REMEMBERED = 1_024

/** Where requests to one origin go, and what tells the gates there apart. */
export class Route {
  readonly upstream: Upstream
  readonly authority: Authority
  /** The authority as text: its partition, where none is chosen. */
  readonly label: string
  /** Of the gate of that partition. */
  readonly key: string
  readonly dialect: Dialect

  constructor(upstream: Upstream, authority: Authority) {
    this.upstream = upstream
    this.authority = authority
    this.label = formatAuthority(authority)
    this.key = this.keyOf(this.label, '')
    this.dialect = dialectOf(upstream.config.dialect)
  }

  /** Lengths keep a name or a bucket from running into what comes after it. */
  keyOf(partition: string, bucket: string): string {
    const { name, shared } = this.upstream
    return `${name.length} ${name} ${shared ? '' : this.label} ${bucket.length} ${bucket} ${partition}`
  }
}

/** The route of each origin, undefined where its requests pass through untouched. */
export function routesOf(config: Pick<ResolvedConfig, 'upstreams' | 'default'>): (origin: string) => Route | undefined {
  const upstreams = new Upstreams(config)
  return remembered(MAX_REMEMBERED, (origin) => {
    const authority = httpAuthorityOf(origin)
    const upstream = authority && upstreams.match(authority)
    return upstream && new Route(upstream, authority)
  })
}

function httpAuthorityOf(origin: string): Authority | undefined {
  const url = URL.canParse(origin) ? new URL(origin) : undefined
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? authorityOf(url) : undefined
}
