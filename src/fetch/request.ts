import type { Exchange } from '../attempts/call.ts'
import type { Clock } from '../gate/clock.ts'
import { discard, whenBodyEnds } from './body.ts'
import { KeptResponse } from './kept-response.ts'
import { isPlain, sendMarked } from './layers.ts'
import type { Hop } from './redirect.ts'

/** The methods that fetch takes in any case; all others go as they are written. */
const NORMALIZED = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'])

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
  const url = parsed(text, base)
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:'
  const method = normalized(String(init?.method ?? request?.method ?? 'GET'))
  return { request, url: isHttp ? url : undefined, href: url?.href ?? text, method }
}

/** `URL.canParse` would parse it twice. */
function parsed(text: string, base: string | undefined): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

function normalized(method: string): string {
  const upper = method.toUpperCase()
  return NORMALIZED.has(upper) ? upper : method
}

/** A Request of any copy of fetch: undici, as a package, has a class of its own. */
function isRequest(input: string | URL | Request): input is Request {
  return typeof input === 'object' && typeof (input as Partial<Request>).url === 'string'
}

/** How attempts are made, and what may follow on one. */
export interface Follow {
  fetch: typeof fetch
  /** Another attempt with the same body. */
  keep: boolean
  /** Redirects, hop by hop. */
  hops: boolean
}

/** One call's arguments, with which fetch makes each attempt anew. */
export class FetchExchange implements Exchange<Response> {
  readonly startsLater = false
  readonly url: URL
  readonly method: string
  readonly signal: AbortSignal | undefined
  /** Redirects are followed hop by hop: each attempt hands its redirect back. */
  readonly followsHops: boolean
  readonly #input: string | URL | Request
  readonly #init: RequestInit | undefined
  /** A request with a body is sent as copies, so that each attempt sends the same bytes. */
  readonly #template: Request | undefined
  readonly #replayable: boolean
  readonly #follow: Follow
  #headers: Headers | undefined
  #copied = false

  /** Throws what `fetch` would throw for a body that is spent. */
  constructor(
    input: string | URL | Request,
    init: RequestInit | undefined,
    { request, method }: Pick<Target, 'request' | 'method'>,
    url: URL,
    follow: Follow,
  ) {
    const { keep, hops } = follow
    this.followsHops = hops && isPlain(init) && isFollowable(init, request)
    this.#input = input
    this.#init = sentWith(init, request, this.followsHops)
    this.#follow = follow
    this.url = url
    this.method = method
    this.signal = (init?.signal === undefined ? request?.signal : init.signal) ?? undefined
    const ownBody = init?.body ?? undefined
    if (ownBody === undefined && request?.bodyUsed)
      throw new TypeError('The body of this Request has been used already')
    const copies = keep || this.followsHops
    this.#template = copies && ownBody === undefined && request?.body ? request : undefined
    this.#replayable = ownBody === undefined ? copies || !request?.body : isReplayable(ownBody)
  }

  get href(): string {
    return this.url.href
  }

  /** Whether another attempt can send the same body. */
  get replayable(): boolean {
    return this.#replayable
  }

  /** Put together only where they are asked for. */
  get headers(): Headers {
    const request = isRequest(this.#input) ? this.#input : undefined
    return (this.#headers ??= new Headers(this.#init?.headers ?? request?.headers))
  }

  send(owner: object): Promise<Response> {
    this.#copied = true
    const input = this.#template ? this.#template.clone() : this.#input
    return sendMarked(this.#follow.fetch, owner, this, input, this.#init)
  }

  discard(response: Response): void {
    discard(response)
  }

  keep(response: Response, clock: Clock): KeptResponse {
    return new KeptResponse(response, clock)
  }

  whenEnds(response: Response, done: () => void): void {
    whenBodyEnds(response, done)
  }

  /** The request that a redirect makes of this one. What the caller said of anything else goes on with it. */
  redirected({ url, method, headers, keepsBody }: Hop): FetchExchange {
    const { body, redirect: _redirect, method: _method, headers: _headers, ...rest } = this.#init ?? {}
    const given = isRequest(this.#input) ? membersOf(this.#input) : {}
    const kept = keepsBody ? (body ?? this.#template?.clone().body ?? undefined) : undefined
    const init: RequestInit = { ...given, ...rest, method, headers, ...(kept && { body: kept, duplex: 'half' }) }
    // As a Request the copied body can be sent again; as a stream in an init it could not.
    const copied = kept && body === undefined ? this.#template : undefined
    const input = copied ? new (copied.constructor as typeof Request)(url, init) : url.href
    const left = copied ? rest : init
    return new FetchExchange(input, left, targetOf(input, left), url, this.#follow)
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

/**
 * Whether hops can be followed on the caller's behalf. What is said of the whole chain is the inner fetch's to judge: `integrity` is
 * checked of the last response alone, and the other modes are about leaving the first origin.
 */
function isFollowable(init: RequestInit | undefined, request: Request | undefined): boolean {
  const said = (name: 'redirect' | 'mode' | 'integrity') => init?.[name] ?? request?.[name]
  return (said('redirect') ?? 'follow') === 'follow' && (said('mode') ?? 'cors') === 'cors' && !said('integrity')
}

function sentWith(
  init: RequestInit | undefined,
  request: Request | undefined,
  followsHops: boolean,
): RequestInit | undefined {
  const dispatcher = request && isPlain(init) ? dispatcherOf(request) : undefined
  const whole = dispatcher ? ({ dispatcher, ...init } as RequestInit) : init
  return followsHops ? { ...whole, redirect: 'manual' } : whole
}

/**
 * The dispatcher that a Request was made with, which would not come with its copies and hops. Node 20 and 22 keep it under a symbol; later
 * ones tell nobody, so that there a dispatcher for all hops belongs in the init of the call.
 */
function dispatcherOf(request: Request): unknown {
  const key = Object.getOwnPropertySymbols(request).find(({ description }) => description === 'dispatcher')
  return key && Reflect.get(request, key)
}

/** A stream can be read once; everything else that `fetch` takes can be read again. */
function isReplayable(body: unknown): boolean {
  if (body instanceof ReadableStream) return false
  return typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)
}

/** What a Request says beside its address, method, headers and body. Its referrer is lost on the first attempt, as with every init. */
function membersOf(request: Request): RequestInit {
  const { cache, credentials, keepalive, signal } = request
  return { cache, credentials, keepalive, signal } as RequestInit
}
