import type { Authority } from './authority.ts'
import { formatAuthority } from './authority.ts'
import { spellPattern } from './authority-pattern.ts'
import type { ResolvedConfig } from './config.ts'
import type { UpstreamConfig } from './options.ts'

/** A configuration under its name. */
export interface Upstream {
  readonly name: string
  readonly config: UpstreamConfig
  /** A partition may span its authorities. That of the default never does: they have nothing in common. */
  readonly shared: boolean
}

/**
 * Which configuration an authority belongs to: `host:port` before `host` before the longest `*.example.com`, and the default
 * where none matches. `*.example.com` matches every host below example.com and not example.com itself.
 */
export class Upstreams {
  readonly #exact = new Map<string, Upstream>()
  readonly #wildcards: [suffix: string, upstream: Upstream][] = []
  readonly #default: Upstream | undefined

  constructor(config: Pick<ResolvedConfig, 'upstreams' | 'default'>) {
    for (const [name, upstream] of Object.entries(config.upstreams)) {
      for (const pattern of upstream.authorities ?? [name]) this.#add(pattern, { name, config: upstream, shared: true })
    }
    this.#wildcards.sort(([one], [other]) => other.length - one.length)
    this.#default = config.default === false ? undefined : { name: 'default', config: config.default, shared: false }
  }

  /** Undefined where requests to this authority pass through untouched. */
  match(authority: Authority): Upstream | undefined {
    const exact = this.#exact.get(formatAuthority(authority)) ?? this.#exact.get(authority.host)
    if (exact) return exact
    const wildcard = this.#wildcards.find(([suffix]) => authority.host.endsWith(suffix))
    return wildcard?.[1] ?? this.#default
  }

  #add(pattern: string, upstream: Upstream): void {
    const spelt = spellPattern(pattern)
    if (spelt.startsWith('*.')) this.#wildcards.push([spelt.slice(1), upstream])
    else this.#exact.set(spelt, upstream)
  }
}
