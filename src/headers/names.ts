import type { HeaderSource } from './fields.ts'

/** Headers of one response that are looked at. */
const maxNames = 256

/** The lower-case names of the headers that a response has; undefined where they cannot be listed. */
export function namesOf(headers: HeaderSource): Iterable<string> | undefined {
  try {
    return typeof headers.get === 'function' ? listed(headers as object) : ownNames(headers)
  } catch {
    return undefined
  }
}

type Listed = Partial<Iterable<readonly [name: string, value: unknown]>>

/** As fetch's `Headers`, which give pairs in lower case. */
function listed(headers: Listed): string[] | undefined {
  if (typeof headers[Symbol.iterator] !== 'function') return undefined
  const names: string[] = []
  for (const [name] of headers as Iterable<readonly [string, unknown]>) {
    if (names.push(String(name).toLowerCase()) === maxNames) break
  }
  return names
}

function ownNames(headers: object): string[] {
  return Object.keys(headers)
    .slice(0, maxNames)
    .map((name) => name.toLowerCase())
}
