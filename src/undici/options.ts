import type { Dispatcher } from 'undici'
import type { CallOptions } from '../options.ts'

type Options = Dispatcher.DispatchOptions

/** Options of a request, which may say more about the call, or with `headgate: false` stay out of it. */
export type PacedOptions = Dispatcher.DispatchOptions & { headgate?: CallOptions | false }

/** The origin of a request as text: that of the proxy, for a CONNECT. */
export function originOf({ origin }: Options): string {
  return String(origin ?? '').trim()
}

/** Where a request goes, whose origin is one. Never throws then. */
export function urlOf(options: Options): URL {
  const { path, query } = options
  const root = originOf(options).replace(/\/$/, '')
  // Put together as it is sent: resolved, a path that begins with two slashes would name another host.
  const url = new URL(String(path).startsWith('/') ? root + path : root)
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    for (const each of Array.isArray(value) ? value : [value]) url.searchParams.append(name, textOf(each))
  }
  return url
}

/** A value of `query` as it is sent: what is no plain one is empty. */
function textOf(value: unknown): string {
  return typeof value === 'object' ? '' : String((value ?? '') as string | number | boolean)
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
