import { discard } from './body.ts'

/** The Fetch standard ends a call at the twentieth redirect. */
const MAX_REDIRECTS = 20

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
function isRedirect({ status, headers }: Response): boolean {
  return STATUSES.has(status) && headers.has('location')
}

/** Where a redirect leads. Throws a `TypeError` where that is no place. */
function redirectTarget({ headers }: Response, from: URL): URL {
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
 * Throws a `TypeError` where the standard makes it a network error, and for a location with credentials wherever it leads: no fetch of
 * a server takes one, and its own refusal would tell them.
 */
function nextHop(status: number, from: Omit<Hop, 'keepsBody'>, url: URL, replayable: boolean): Hop {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw failure(`${url.protocol} is not http`)
  if (url.username !== '' || url.password !== '') throw failure('its location carries credentials')
  if (status !== 303 && !replayable) throw failure('its body can be sent only once')
  const sameOrigin = url.origin === from.url.origin
  const rewritten = becomesGet(status, from.method)
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
function failure(why: string): TypeError {
  return new TypeError('fetch failed', { cause: new Error(`The redirect cannot be followed: ${why}`) })
}

/** What a redirect makes of a request: undefined where the response is none. Lets the response go. Throws where it cannot be followed. */
export function followRedirect(
  response: Response,
  request: Omit<Hop, 'keepsBody'> & { replayable: boolean },
  followed: number,
): Hop | undefined {
  if (!isRedirect(response)) return undefined
  discard(response)
  if (followed === MAX_REDIRECTS) throw failure(`more than ${MAX_REDIRECTS} redirects`)
  return nextHop(response.status, request, redirectTarget(response, request.url), request.replayable)
}
