/**
 * Response headers: anything with the `get` of fetch's `Headers`, or a plain record such as `node:http` and undici
 * give, whose names are matched without regard to case.
 */
export type HeaderSource = HeaderGetter | Readonly<Record<string, string | readonly string[] | undefined>>

/** What is read of fetch's `Headers`. Names are asked for in lower case. */
export interface HeaderGetter {
  get(name: string): string | null | undefined
}

/** Headers as the readers see them: untrusted text, bounded, and never a throw. */
export interface Fields {
  /**
   * The trimmed value of the header of this lower-case name. Undefined where it is absent, empty, or too long to be
   * read.
   */
  get(name: string): string | undefined
}

/** A header of more characters is not read. */
const maxChars = 8_192
/** A header repeated more often is not read. */
const maxRepeats = 64

/** Reads nothing yet, except for the names of a record. */
export function fieldsOf(headers: HeaderSource): Fields {
  try {
    return hasGet(headers) ? new GetterFields(headers) : new RecordFields(headers)
  } catch {
    return NO_FIELDS
  }
}

const NO_FIELDS: Fields = { get: () => undefined }

/** Getters, proxies and foreign `get` methods may throw; what they hide is taken for absent. */
class GetterFields implements Fields {
  readonly #headers: HeaderGetter

  constructor(headers: HeaderGetter) {
    this.#headers = headers
  }

  get(name: string): string | undefined {
    try {
      return toText(this.#headers.get(name))
    } catch {
      return undefined
    }
  }
}

class RecordFields implements Fields {
  readonly #record: Readonly<Record<string, unknown>>
  /** Of a record whose names are all in lower case there is none: `node:http` and undici give them so. */
  readonly #keys: ReadonlyMap<string, string> | undefined

  constructor(record: Readonly<Record<string, unknown>>) {
    this.#record = record
    this.#keys = isLowerCase(record) ? undefined : indexKeys(record)
  }

  get(name: string): string | undefined {
    const key = this.#keys ? this.#keys.get(name) : name
    return key === undefined ? undefined : toText(valueOf(this.#record, key))
  }
}

function isLowerCase(record: Readonly<Record<string, unknown>>): boolean {
  for (const key in record) if (key !== key.toLowerCase()) return false
  return true
}

function valueOf(record: Readonly<Record<string, unknown>>, key: string): unknown {
  try {
    return Object.hasOwn(record, key) ? record[key] : undefined
  } catch {
    return undefined
  }
}

/** A record may have a header called `get`. */
function hasGet(headers: HeaderSource): headers is HeaderGetter {
  return typeof headers.get === 'function'
}

/** Lower-case name to the record's own spelling. Of several spellings the first that has a value is taken. */
function indexKeys(record: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const keys = new Map<string, string>()
  for (const key of Object.keys(record)) {
    const name = key.toLowerCase()
    if (!keys.has(name) && valueOf(record, key) !== undefined) keys.set(name, key)
  }
  return keys
}

function toText(value: unknown): string | undefined {
  const text = Array.isArray(value) ? join(value) : value
  if (typeof text !== 'string' || text.length > maxChars) return undefined
  return text.trim() || undefined
}

/**
 * A repeated header as one list, as `Headers` would give it: RFC 9110 section 5.3. Lengths are looked at first: no long
 * text is built.
 */
function join(values: readonly unknown[]): string | undefined {
  if (values.length > maxRepeats) return undefined
  return values.every((value) => typeof value === 'string' && value.length <= maxChars) ? values.join(', ') : undefined
}
