import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LIMIT, SENT_AT, sharedNow } from './messages.ts'

/** One request as it reached the upstream. */
export interface Arrival {
  /** By `performance.now()` of this process. */
  at: number
  /** Since it was sent. */
  transitMs: number
  /** Requests in the window that ends with it. */
  inWindow: number
}

/** A server on loopback that lets in `LIMIT.limit` requests in any trailing window, by this process's clock. Refused ones count too. */
export class Upstream {
  readonly arrivals: Arrival[] = []
  readonly #server: Server
  #oldest = 0
  #throttle: number | undefined
  #answerAfterMs = 0

  private constructor() {
    this.#server = createServer((request, response) => this.#answer(request, response))
    this.#server.keepAliveTimeout = 60_000
  }

  static async listen(): Promise<Upstream> {
    const upstream = new Upstream()
    await new Promise<void>((resolve) => upstream.#server.listen(0, '127.0.0.1', resolve))
    return upstream
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`
  }

  /** Arrivals beyond the limit. */
  over(since = -Infinity): number {
    return this.arrivals.filter(({ at, inWindow }) => at > since && inWindow > LIMIT.limit).length
  }

  /** Arrivals beyond the limit among those that were no longer on the wire: a grant may be used late, and the rest of `transitMs` is for that. */
  overWithin(transitMs: number): number {
    const inTime = this.arrivals.filter((arrival) => arrival.transitMs <= transitMs)
    const first = (index: number): number => inTime[index - LIMIT.limit]?.at ?? -Infinity
    return inTime.filter(({ at }, index) => first(index) > at - LIMIT.windowMs).length
  }

  /** Requests let in between two instants. */
  served(from: number, until: number): number {
    return this.arrivals.filter(({ at, inWindow }) => at > from && at <= until && inWindow <= LIMIT.limit).length
  }

  /** The next request is told to wait for so long. */
  throttleOnce(retryAfterMs: number): void {
    this.#throttle = retryAfterMs
  }

  /** From now on answers take so long. */
  answerAfter(delayMs: number): void {
    this.#answerAfterMs = delayMs
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const at = performance.now()
    const transitMs = sharedNow() - Number(request.headers[SENT_AT])
    while (this.#oldest < this.arrivals.length && this.arrivals[this.#oldest]!.at <= at - LIMIT.windowMs) this.#oldest++
    const inWindow = this.arrivals.length + 1 - this.#oldest
    this.arrivals.push({ at, transitMs, inWindow })
    const retryAfterMs = this.#throttle ?? (inWindow > LIMIT.limit ? LIMIT.windowMs : undefined)
    this.#throttle = undefined
    if (retryAfterMs !== undefined) response.writeHead(429, { 'retry-after': String(retryAfterMs / 1_000) }).end()
    else if (this.#answerAfterMs > 0) setTimeout(() => response.end(), this.#answerAfterMs)
    else response.end()
  }
}
