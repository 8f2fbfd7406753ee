import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { Reply } from '../attempts/call.ts'
import { REFUSED } from '../refusal.ts'

type Controller = Dispatcher.DispatchController

/** What comes after the headers of a response. */
export type Part = { chunk: Buffer } | { trailers: IncomingHttpHeaders } | { error: Error }

/** Who takes the parts of a response. */
export type Sink = (part: Part) => void

/** The headers of a response, and what has come after them, until somebody takes it. */
export class HeldReply implements Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly statusMessage: string | undefined
  /** Of the attempt that it came on. */
  readonly controller: Controller
  readonly #parts: Part[] = []
  #sink: Sink | undefined
  #ended = false
  #onEnd: (() => void) | undefined

  constructor(controller: Controller, status: number, headers: IncomingHttpHeaders, statusMessage: string | undefined) {
    this.controller = controller
    this.status = status
    this.headers = headers
    this.statusMessage = statusMessage
  }

  /** A response that no upstream sent. */
  static refusal(headers: Record<string, string>, text: string): HeldReply {
    const reply = new HeldReply(offLine(headers), REFUSED.status, headers, REFUSED.statusText)
    reply.add({ chunk: Buffer.from(text) })
    reply.add({ trailers: {} })
    return reply
  }

  /** Calls `done` when all of it has come, at once where it has. */
  whenEnds(done: () => void): void {
    if (this.#ended) return done()
    this.#onEnd = done
  }

  /** Another part has come. Nothing comes after an end. */
  add(part: Part): void {
    if (this.#ended) return
    if (!('chunk' in part)) this.#ended = true
    try {
      if (this.#sink) this.#sink(part)
      else this.#parts.push(part)
    } finally {
      if (this.#ended) this.#onEnd?.()
    }
  }

  /** Hands over what has come, in order also where more comes meanwhile, and from then on what comes. */
  pour(sink: Sink): void {
    for (let part = this.#parts.shift(); part; part = this.#parts.shift()) sink(part)
    this.#sink = sink
  }

  /** The same response with these parts, which are all. */
  replaced(parts: readonly Part[]): HeldReply {
    const reply = new HeldReply(this.controller, this.status, this.headers, this.statusMessage)
    for (const part of parts) reply.add(part)
    return reply
  }

  /** Nobody reads it: its connection is let go. */
  abandon(): void {
    this.pour(() => {})
    if (!this.#ended) this.controller.abort(new Error('Nobody reads this response'))
  }
}

/** The controller of what came over no connection. */
function offLine(headers: Record<string, string>): Controller {
  const rawHeaders = Object.entries(headers)
    .flat()
    .map((text) => Buffer.from(text, 'latin1'))
  const nothing = (): void => {}
  return { aborted: false, paused: false, reason: null, rawHeaders, abort: nothing, pause: nothing, resume: nothing }
}
