/** The Fetch standard ends a call at the twentieth redirect. */
export const MAX_REDIRECTS = 20

const STATUSES = new Set([301, 302, 303, 307, 308])

/** Headers that describe a body, which go when a redirect drops it. */
const BODY_HEADERS = ['content-encoding', 'content-language', 'content-length', 'content-location', 'content-type']

/** Headers that name who is asking, which stay with the origin that they were meant for. */
const ORIGIN_HEADERS = ['authorization', 'cookie', 'host', 'proxy-authorization']

/** A request as far as a redirect changes it. */
export interface Hop {
  url: URL
  method: string
  headers: Headers
  /** Whether the body goes on with it. */
  keepsBody: boolean
}

/** Whether a response sends its request on to another place. */
export function isRedirect({ status, headers }: Response): boolean {
  return STATUSES.has(status) && headers.has('location')
}

/** Where a redirect leads. Throws a `TypeError` where that is no place. */
export function redirectTarget({ headers }: Response, from: URL): URL {
  const location = utf8(headers.get('location') ?? '')
  if (!URL.canParse(location, from.href)) throw failure('its location is not a URL')
  const url = new URL(location, from)
  if (url.hash === '') url.hash = from.hash
  return url
}

/** Headers come a character per byte; servers that write an address unescaped mean UTF-8. */
function utf8(value: string): string {
  if (!/[^\0-\x7f]/.test(value)) return value
  return new TextDecoder().decode(Uint8Array.from(value, (character) => character.charCodeAt(0)))
}

/**
 * The next request of a redirected call, by the Fetch standard's HTTP-redirect fetch: a POST that is answered 301 or 302, and
 * everything but GET and HEAD that is answered 303, becomes a GET without a body; credentials stay with their origin.
 * Throws a `TypeError` where the standard makes it a network error.
 */
export function nextHop(status: number, from: Omit<Hop, 'keepsBody'>, url: URL, replayable: boolean): Hop {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw failure(`${url.protocol} is not http`)
  const sameOrigin = url.origin === from.url.origin
  if (!sameOrigin && (url.username !== '' || url.password !== '')) throw failure('its location carries credentials')
  const rewritten = becomesGet(status, from.method)
  if (!rewritten && !replayable) throw failure('its body can be sent only once')
  const headers = new Headers(from.headers)
  if (rewritten) for (const name of BODY_HEADERS) headers.delete(name)
  if (!sameOrigin) for (const name of ORIGIN_HEADERS) headers.delete(name)
  return { url, method: rewritten ? 'GET' : from.method, headers, keepsBody: !rewritten }
}

function becomesGet(status: number, method: string): boolean {
  if (status === 303) return method !== 'GET' && method !== 'HEAD'
  return method === 'POST' && (status === 301 || status === 302)
}

/** What a call rejects with when it cannot follow a redirect: a network error, as `fetch` has it. */
export function failure(why: string): TypeError {
  return new TypeError('fetch failed', { cause: new Error(`The redirect cannot be followed: ${why}`) })
}
