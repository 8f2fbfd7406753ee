import type { Observation, Reading } from '../gate/observation.ts'
import { Catalogue, getterOf, type Source } from './catalogue.ts'
import { choose, type Told } from './choose.ts'
import { countsOf } from './counts.ts'
import { complete, type Dialect, isThrottled } from './dialect.ts'
import { dialectOf, DIALECTS, type DialectName, type NamedDialect, NOTHING_KNOWN } from './dialects.ts'
import { families } from './families/index.ts'
import { type Fields, fieldsOf, type HeaderSource } from './fields.ts'
import { namesOf } from './names.ts'
import { readDecimal } from './numbers.ts'
import { ResetUnit } from './reset-unit.ts'
import {
  concernsClient,
  inUnitOfReset,
  isCounted,
  mayRefuse,
  readCost,
  LastDate,
  ResponseTime,
  scopeOf,
} from './response.ts'
import { readRetryAfter } from './retry-after.ts'
import { minEpochSeconds, type WaitUnit } from './waits.ts'

/** What is known of a response besides its headers. */
export interface Received {
  /** Unknown: neither a refusal nor a status that says nothing. */
  status?: number | undefined
  /** The client's time in milliseconds since the Unix epoch. */
  nowMs?: number | undefined
  /** Monotonic milliseconds. Default: unknown, and then two readings are not compared. */
  at?: number | undefined
}

/** What an upstream's responses are read by. */
export interface ReaderSnapshot {
  /** The dialect by its name, whether it was named or recognised. */
  dialect?: DialectName
  /** Names of the headers that have told a limit. */
  headers: string[]
  /** What a bare number in a reset counts, as it was told or found out. */
  resetUnit: WaitUnit
}

/** The first so many responses of an upstream are looked through for headers that it sends, and after that one in so many. */
const FIRST_LOOKS = 16
const LOOK_EVERY = 16

/** Limits of one response that are told; further ones are ignored. */
const MAX_LIMITS = 16

/** Headers that are remembered. */
const MAX_NAMES = 64

const everyones = new Catalogue(families)
const catalogues = new WeakMap<Dialect, Catalogue>()

/** That of a dialect is made once, however many partitions it has. */
function catalogueFor(dialect: Dialect): Catalogue {
  if (dialect.limits === undefined) return everyones
  const known = catalogues.get(dialect) ?? new Catalogue(families, dialect.limits.map(countsOf))
  catalogues.set(dialect, known)
  return known
}

const named = Object.entries(DIALECTS) as [DialectName, NamedDialect][]
const signs = new Map(named.flatMap(([name, dialect]) => (dialect.signs ?? []).map((sign) => [sign, name] as const)))

/**
 * Reads the responses of one upstream. It remembers which headers the upstream sends, so that a response costs no more than those; which
 * dialect they are a sign of; and what a bare number in a reset counts.
 */
export class RateLimitReader {
  readonly #catalogue: Catalogue
  readonly #auto: boolean
  readonly #resetUnit = new ResetUnit()
  readonly #dates = new LastDate()
  /** Of the headers that it reads, once one has come. */
  #names: Set<string> | undefined
  #dialect: Dialect
  #name: DialectName | undefined
  #sources: readonly Source[] = []
  #reads = 0

  constructor(dialect: 'auto' | DialectName | Dialect = 'auto') {
    this.#auto = dialect === 'auto'
    this.#name = typeof dialect === 'string' && dialect !== 'auto' ? dialect : undefined
    this.#dialect = dialectOf(dialect)
    this.#catalogue = catalogueFor(this.#dialect)
  }

  snapshot(): ReaderSnapshot {
    const { resetUnit } = this
    return { ...(this.#name && { dialect: this.#name }), headers: [...(this.#names ?? [])], resetUnit }
  }

  /** What a bare number in a reset counts, as it was told or found out. */
  get resetUnit(): WaitUnit {
    return this.#dialect.resetUnit ?? (this.#resetUnit.inMilliseconds ? 'milliseconds' : 'seconds')
  }

  read(headers: HeaderSource, response: Received): Observation {
    const fields = fieldsOf(headers)
    const looks = this.#looks(response)
    if (looks) this.#look(headers, fields)
    const now = new ResponseTime(fields, response.nowMs, this.#dates)
    const retryAfterMs = this.#readRetryAfter(fields, now, response)
    // Whether a response without any such header came from a cache is worth no look-up, once that is what all of them are.
    const concerns =
      this.#sources.length > 0 || looks ? concernsClient(fields, response.status) : isCounted(response.status)
    if (!concerns) return this.#observe(fields, response, [], retryAfterMs, { tellsNothing: true })
    const limits = this.#sources.length > 0 ? this.#readLimits(fields, now, retryAfterMs, response.at) : []
    const cost = this.#dialect.cost && readCost(fields, this.#dialect.cost)
    return this.#observe(fields, response, limits, inUnitOfReset(retryAfterMs, limits), cost && { cost })
  }

  #observe(
    fields: Fields,
    { status }: Received,
    limits: readonly Reading[],
    retryAfterMs: number | undefined,
    more: Pick<Observation, 'tellsNothing' | 'cost'> | undefined,
  ): Observation {
    return {
      limits,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      throttled: isThrottled(status, retryAfterMs, limits, this.#dialect),
      scope: mayRefuse(status) ? scopeOf(fields) : 'partition',
      ...more,
    }
  }

  #readLimits(
    fields: Fields,
    now: ResponseTime,
    retryAfterMs: number | undefined,
    at: number | undefined,
  ): readonly Reading[] {
    if (at !== undefined && this.#resetUnit.asks(at)) this.#compareResets(fields, at)
    const { resetUnit } = this
    const told = this.#sources.map((source): Told => {
      const { family, name } = source
      const readings = family.read(getterOf(source, fields), { now, name, resetUnit, retryAfterMs })
      return { common: family.common ?? false, readings }
    })
    const chosen = choose(told)
    const limits = chosen.length > MAX_LIMITS ? chosen.slice(0, MAX_LIMITS) : chosen
    return this.#dialect === NOTHING_KNOWN ? limits : limits.map((reading) => complete(reading, this.#dialect))
  }

  /** Only those that are no instants are in doubt. */
  #compareResets(fields: Fields, at: number): void {
    const source = this.#sources.find(({ headers }) => headers['reset'] !== undefined)
    if (source === undefined) return
    const get = getterOf(source, fields)
    const value = readDecimal(get('reset'))
    if (value === undefined || value < 0 || value >= minEpochSeconds) return
    this.#resetUnit.sees(value, at, `${source.name} ${get('limit')} ${get('called')}`)
  }

  /** What did not fail seldom asks to wait: one look-up tells. */
  #readRetryAfter(fields: Fields, now: ResponseTime, { status }: Received): number | undefined {
    if (!mayRefuse(status) && fields.get('retry-after') === undefined) return undefined
    return readRetryAfter(fields, now, this.#dialect.retryAfterUnit)
  }

  #looks({ status }: Received): boolean {
    this.#reads += 1
    return this.#reads <= FIRST_LOOKS || this.#reads % LOOK_EVERY === 0 || mayRefuse(status)
  }

  #look(headers: HeaderSource, fields: Fields): void {
    const names = this.#names ?? new Set<string>()
    const known = names.size
    for (const name of namesOf(headers) ?? this.#present(fields)) {
      if (this.#auto && this.#name === undefined && signs.has(name)) this.#recognise(signs.get(name)!)
      if (names.size < MAX_NAMES && this.#catalogue.reads(name)) names.add(name)
    }
    if (names.size === known) return
    this.#names = names
    this.#sources = this.#catalogue.sources(names)
  }

  /** Of headers that cannot be listed, those that are there under a name known in full. */
  #present(fields: Fields): string[] {
    return [...this.#catalogue.exactNames].filter((name) => fields.get(name) !== undefined)
  }

  #recognise(name: DialectName): void {
    this.#name = name
    this.#dialect = dialectOf(name)
  }
}
