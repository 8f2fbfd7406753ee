import { isPlain } from './layers.ts'
import type { Hop } from './redirect.ts'

/** Where a call goes and by which method, as far as its arguments can be read. */
export interface Target {
  readonly request: Request | undefined
  /** Undefined for what is not HTTP, which the inner fetch takes or refuses. */
  readonly url: URL | undefined
  readonly href: string
  readonly method: string
}

export function targetOf(input: string | URL | Request, init: RequestInit | undefined): Target {
  const request = isRequest(input) ? input : undefined
  const text = isRequest(input) ? input.url : String(input)
  const base = (globalThis as { location?: { href?: string } }).location?.href
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:'
  const method = String(init?.method ?? request?.method ?? 'GET').toUpperCase()
  return { request, url: isHttp ? url : undefined, href: url?.href ?? text, method }
}

/** A Request of any copy of fetch: undici, as a package, has a class of its own. */
function isRequest(input: string | URL | Request): input is Request {
  return typeof input === 'object' && typeof (input as Partial<Request>).url === 'string'
}

/** What may follow on an attempt. */
export interface Follow {
  /** Another attempt with the same body. */
  keep: boolean
  /** Redirects, hop by hop. */
  hops: boolean
}

/** One call's arguments, handed out anew for each attempt. */
export class RequestSource {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  readonly signal: AbortSignal | undefined
  /** Redirects are followed hop by hop: each attempt hands its redirect back. */
  readonly followsHops: boolean
  readonly #input: string | URL | Request
  readonly #init: RequestInit | undefined
  /** A request with a body is sent as copies, so that each attempt sends the same bytes. */
  readonly #template: Request | undefined
  readonly #replayable: boolean
  readonly #follow: Follow
  #copied = false

  /** Throws what `fetch` would throw for these arguments. */
  constructor(
    input: string | URL | Request,
    init: RequestInit | undefined,
    { request, url, method }: Target & { readonly url: URL },
    follow: Follow,
  ) {
    const { keep, hops } = follow
    this.followsHops = hops && (init?.redirect ?? request?.redirect ?? 'follow') === 'follow' && isPlain(init)
    this.#input = input
    this.#init = this.followsHops ? { ...init, redirect: 'manual' } : init
    this.#follow = follow
    this.url = url
    this.method = method
    this.headers = new Headers(init?.headers ?? request?.headers)
    this.signal = (init?.signal === undefined ? request?.signal : init.signal) ?? undefined
    const ownBody = init?.body ?? undefined
    if (ownBody === undefined && request?.bodyUsed)
      throw new TypeError('The body of this Request has been used already')
    const copies = keep || this.followsHops
    this.#template = copies && ownBody === undefined && request?.body ? request : undefined
    this.#replayable = ownBody === undefined ? copies || !request?.body : isReplayable(ownBody)
  }

  /** Whether another attempt can send the same body. */
  get replayable(): boolean {
    return this.#replayable
  }

  /** The arguments of the next attempt. */
  next(): [input: string | URL | Request, init: RequestInit | undefined] {
    this.#copied = true
    return [this.#template ? this.#template.clone() : this.#input, this.#init]
  }

  /** The request that a redirect makes of this one. What the caller said of anything else goes on with it. */
  redirected({ url, method, headers, keepsBody }: Hop): RequestSource {
    const { body, redirect: _redirect, method: _method, headers: _headers, ...rest } = this.#init ?? {}
    const given = isRequest(this.#input) ? membersOf(this.#input) : {}
    const kept = keepsBody ? (body ?? this.#template?.clone().body ?? undefined) : undefined
    const init: RequestInit = { ...given, ...rest, method, headers, ...(kept && { body: kept, duplex: 'half' }) }
    // As a Request the copied body can be sent again; as a stream in an init it could not.
    const copied = kept && body === undefined ? this.#template : undefined
    const input = copied ? new (copied.constructor as typeof Request)(url, init) : url.href
    const left = copied ? rest : init
    return new RequestSource(input, left, { ...targetOf(input, left), url }, this.#follow)
  }

  /** Whether `error` says that no request can be made of these arguments: another attempt would fail the same way. */
  isRefusedWith(error: unknown): boolean {
    if (!(error instanceof TypeError) || !this.#replayable) return false
    try {
      void new Request(this.url, { ...this.#init, signal: null })
      return false
    } catch {
      return true
    }
  }

  /** The call is over: what is left of a copied body is let go. One that was never sent is left to the caller. */
  dispose(): void {
    if (this.#copied && this.#template && !this.#template.bodyUsed) void this.#template.body?.cancel().catch(() => {})
  }
}

/** A stream can be read once; everything else that `fetch` takes can be read again. */
function isReplayable(body: unknown): boolean {
  if (body instanceof ReadableStream) return false
  return typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)
}

/** What a Request says beside its address, method, headers and body. */
function membersOf(request: Request): RequestInit {
  const { cache, credentials, integrity, keepalive, referrer, referrerPolicy, signal } = request
  return { cache, credentials, integrity, keepalive, referrer, referrerPolicy, signal } as RequestInit
}
