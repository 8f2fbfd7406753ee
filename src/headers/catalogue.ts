import type { Family, Get } from './family.ts'
import type { Fields } from './fields.ts'
import { remembered } from './remembered.ts'
import { MAX_NAME_CHARS } from './text.ts'

/** Names of which it is remembered whether they are read. */
const MAX_KNOWN = 1_024

/** The headers of one limit that an upstream sends. */
export interface Source {
  readonly family: Family
  /** What `*` stands for. */
  readonly name: string
  /** Names of the headers, by what they say. */
  readonly headers: Readonly<Record<string, string>>
}

interface Claim {
  readonly family: Family
  readonly order: number
  readonly field: string
}

interface Pattern extends Claim {
  readonly before: string
  readonly after: string
}

/** Which families read a header of which name. Exact names go before patterns, and of patterns the longer ones. */
export class Catalogue {
  readonly #exact = new Map<string, Claim[]>()
  readonly #patterns: Pattern[] = []
  readonly #isClaimed = remembered(MAX_KNOWN, (name) => this.#claims(name).length > 0)

  /** What `own` families claim by its full name no other reads. */
  constructor(families: readonly Family[], own: readonly Family[] = []) {
    const claimed = new Set(own.flatMap(({ headers }) => Object.values(headers)))
    const all = [...own, ...families]
    all.forEach((family, order) => {
      for (const [field, name] of Object.entries(family.headers)) {
        if (order < own.length || !claimed.has(name)) this.#add(name, { family, order, field })
      }
    })
    this.#patterns.sort((one, other) => lengthOf(other) - lengthOf(one))
  }

  /** Names without a pattern: those to ask for where the headers cannot be listed. */
  get exactNames(): Iterable<string> {
    return this.#exact.keys()
  }

  /** Whether any family reads a header of this name. */
  reads(name: string): boolean {
    return name.length <= MAX_NAME_CHARS && this.#isClaimed(name)
  }

  /** The limits that headers of these names tell, in the order of the families. */
  sources(names: Iterable<string>): readonly Source[] {
    const found = new Map<string, { order: number; source: Source & { headers: Record<string, string> } }>()
    for (const header of names) {
      for (const [{ family, order, field }, name] of this.#claims(header)) {
        const key = `${order} ${name}`
        const entry = found.get(key) ?? { order, source: { family, name, headers: {} } }
        entry.source.headers[field] = header
        found.set(key, entry)
      }
    }
    const telling = [...found.values()].filter(
      ({ source: { family, headers } }) => !family.needs || headers[family.needs],
    )
    return telling.toSorted((one, other) => one.order - other.order).map(({ source }) => source)
  }

  #add(name: string, claim: Claim): void {
    const star = name.indexOf('*')
    if (star >= 0) this.#patterns.push({ ...claim, before: name.slice(0, star), after: name.slice(star + 1) })
    else this.#exact.set(name, [...(this.#exact.get(name) ?? []), claim])
  }

  #claims(header: string): (readonly [claim: Claim, name: string])[] {
    const exact = this.#exact.get(header)
    if (exact) return exact.map((claim) => [claim, ''])
    const pattern = this.#patterns.find((each) => fits(each, header))
    return pattern ? [[pattern, header.slice(pattern.before.length, header.length - pattern.after.length)]] : []
  }
}

/** What this source's header says, of a response. */
export function getterOf({ headers }: Source, fields: Fields): Get {
  return (field) => {
    const name = headers[field]
    return name === undefined ? undefined : fields.get(name)
  }
}

function fits({ before, after }: Pattern, name: string): boolean {
  return name.length > before.length + after.length && name.startsWith(before) && name.endsWith(after)
}

function lengthOf({ before, after }: Pattern): number {
  return before.length + after.length
}
