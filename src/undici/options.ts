import type { Dispatcher } from 'undici'
import type { CallOptions } from '../options.ts'

type Options = Dispatcher.DispatchOptions

/** Options of a request, which may say more about the call, or with `headgate: false` stay out of it. */
export type PacedOptions = Dispatcher.DispatchOptions & { headgate?: CallOptions | false }

/** A value of `query`. */
type Queried = string | number | boolean | null | undefined

/** Where a request goes; undefined for what is not HTTP. A CONNECT goes to its proxy. */
export function urlOf({ origin, path, query }: Options): URL | undefined {
  const root = String(origin ?? '').replace(/\/$/, '')
  // Put together as it is sent: resolved, a path that begins with two slashes would name another host.
  const url = parsed(String(path).startsWith('/') ? root + path : root)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return undefined
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, Queried | Queried[]>)) {
    for (const each of [value].flat()) url.searchParams.append(name, String(each ?? ''))
  }
  return url
}

/** `URL.canParse` would parse it twice. */
function parsed(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** Forms and blobs of any copy of fetch. */
const READ_ANEW = new Set(['FormData', 'Blob', 'File'])

/** Text, bytes, a blob, a form and none can be sent again; a stream, and what is iterated over, cannot. */
export function isReplayable({ body }: Options): boolean {
  if (typeof body !== 'object' || body === null) return true
  const tag = (body as { [Symbol.toStringTag]?: string })[Symbol.toStringTag] ?? ''
  return ArrayBuffer.isView(body) || body instanceof ArrayBuffer || READ_ANEW.has(tag)
}

/** Headers in any of the forms that a dispatcher takes. */
export function headersOf({ headers }: Options): Headers {
  const all = new Headers()
  for (const [name, value] of pairsOf(headers ?? {})) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null) all.append(String(name), String(each))
    }
  }
  return all
}

function pairsOf(headers: NonNullable<Options['headers']>): Iterable<readonly [unknown, unknown]> {
  if (Array.isArray(headers)) return flatPairs(headers)
  if (Symbol.iterator in headers) return headers as Iterable<readonly [string, unknown]>
  return Object.entries(headers)
}

/** Name, value, name, value. */
function flatPairs(flat: readonly unknown[]): (readonly [unknown, unknown])[] {
  if (Array.isArray(flat[0])) return flat as (readonly [unknown, unknown])[]
  return flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1]] as const] : []))
}
