/** One call's arguments, handed out anew for each attempt. */
export class RequestSource {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  readonly signal: AbortSignal | undefined
  readonly #input: string | URL | Request
  readonly #init: RequestInit | undefined
  /** A request with a body is sent as copies, so that each attempt sends the same bytes. */
  readonly #template: Request | undefined
  readonly #replayable: boolean

  /** `keep` says that another attempt may follow. Throws what `fetch` would throw for these arguments. */
  constructor(input: string | URL | Request, url: URL, init: RequestInit | undefined, keep: boolean) {
    const request = input instanceof Request ? input : undefined
    this.#input = input
    this.#init = init
    this.url = url
    this.method = (init?.method ?? request?.method ?? 'GET').toUpperCase()
    this.headers = new Headers(init?.headers ?? request?.headers)
    this.signal = init?.signal ?? request?.signal
    const ownBody = init?.body ?? undefined
    this.#template = keep && ownBody === undefined && request?.body ? request : undefined
    this.#replayable = ownBody === undefined ? keep || !request?.body : isReplayable(ownBody)
  }

  /** Whether another attempt can send the same body. */
  get replayable(): boolean {
    return this.#replayable
  }

  /** The arguments of the next attempt. */
  next(): [input: string | URL | Request, init: RequestInit | undefined] {
    return [this.#template ? this.#template.clone() : this.#input, this.#init]
  }

  /** The call is over: what is left of a copied body is let go. */
  dispose(): void {
    if (this.#template && !this.#template.bodyUsed) void this.#template.body?.cancel().catch(() => {})
  }
}

/** A stream can be read once; everything else that `fetch` takes can be read again. */
function isReplayable(body: unknown): boolean {
  if (body instanceof ReadableStream) return false
  return typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)
}
