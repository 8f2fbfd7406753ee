import type { IncomingHttpHeaders } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { Exchange } from '../attempts/call.ts'
import type { Clock } from '../gate/clock.ts'
import { marked } from '../fetch/layers.ts'
import { CallController } from './controller.ts'
import { Delivery } from './delivery.ts'
import { HeldReply } from './held-reply.ts'
import { KeptReply } from './kept-reply.ts'
import { headersOf, isReplayable } from './options.ts'
import { CallSignal } from './signal.ts'

type Controller = Dispatcher.DispatchController
type Handler = Dispatcher.DispatchHandler

/** Codes of errors about the arguments, or of a dispatcher that is closed: another attempt would fail the same way. */
const REFUSED = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'UND_ERR_CLOSED'])

/** One that is destroyed says so of requests that it has sent, too. */
const DESTROYED = 'UND_ERR_DESTROYED'

/** One dispatched request: makes attempts at it, and tells its handler of one as if it were the only one. */
export class DispatchExchange implements Exchange<HeldReply> {
  readonly startsLater = true
  readonly url: URL
  readonly method: string
  readonly controller = new CallController(
    (reason) => this.#onAbort(reason),
    () => this.#delivery.flush(),
  )
  readonly #dispatch: Dispatcher.Dispatch
  readonly #options: Dispatcher.DispatchOptions
  readonly #handler: Handler
  readonly #delivery: Delivery
  readonly #aborting = new CallSignal(() => this.#onWait())
  /** Gives the attempt up that is still to go on a connection. */
  #giveUpUnstarted: ((reason: Error) => void) | undefined
  #announced = false
  #upgraded = false

  constructor(dispatch: Dispatcher.Dispatch, options: Dispatcher.DispatchOptions, handler: Handler, url: URL) {
    this.#dispatch = dispatch
    this.#options = options
    this.#handler = handler
    this.#delivery = new Delivery(handler, this.controller)
    this.url = url
    this.method = options.method
  }

  get headers(): Headers {
    return headersOf(this.#options)
  }

  get signal(): CallSignal {
    return this.#aborting
  }

  /** A socket that the handler has already cannot be taken back. */
  get replayable(): boolean {
    return !this.#upgraded && isReplayable(this.#options)
  }

  /** The handler is told once that the request is on its way: from then on it can abort it. */
  announce(context: unknown = null): void {
    if (this.#announced) return
    this.#announced = true
    this.#handler.onRequestStart?.(this.controller, context)
  }

  send(owner: object, onStart: () => void): Promise<HeldReply> {
    const passage = { owner, method: this.method, url: this.url.href, passed: false }
    return new Promise((resolve, reject) => {
      this.#giveUpUnstarted = reject
      this.#dispatch(marked(this.#options, passage), this.#attempt(onStart, resolve, reject))
    })
  }

  isRefusedWith(error: unknown): boolean {
    const { code = '' } = (error ?? {}) as { code?: string }
    return REFUSED.has(code) || (code === DESTROYED && this.#giveUpUnstarted !== undefined)
  }

  discard(reply: HeldReply): void {
    reply.abandon()
  }

  keep(reply: HeldReply, clock: Clock): KeptReply {
    return new KeptReply(reply, clock)
  }

  whenEnds(reply: HeldReply, done: () => void): void {
    reply.whenEnds(done)
  }

  dispose(): void {}

  /** The handler gets this response. */
  deliver(reply: HeldReply): void {
    if (this.#upgraded) return
    if (this.controller.aborted) return this.fail(this.#aborting.reason as Error)
    this.announce()
    this.controller.follow(reply.controller)
    this.#delivery.begin(reply)
  }

  /** The handler gets no response. */
  fail(error: Error): void {
    this.#delivery.fail(error)
  }

  /** One that waits is told before it is sent, so that it can be aborted; not yet, since whoever listens is about to. */
  #onWait(): void {
    if (this.#announced) return
    queueMicrotask(() => {
      try {
        this.announce()
      } catch (error) {
        this.#aborting.abort(error)
      }
    })
  }

  #onAbort(reason: Error): void {
    this.#aborting.abort(reason)
    this.#giveUpUnstarted?.(reason)
    this.#delivery.cut(reason)
  }

  /** What one attempt is told by the dispatcher. */
  #attempt(onStart: () => void, resolve: (reply: HeldReply) => void, reject: (error: Error) => void): Handler {
    const handler = this.#handler
    let reply: HeldReply | undefined
    return {
      onRequestStart: (controller, context: unknown) => {
        this.#giveUpUnstarted = undefined
        this.controller.follow(controller)
        this.#tell(() => this.announce(context))
        // One that is aborted here is not written.
        if (!this.controller.aborted) onStart()
      },
      onRequestUpgrade: (controller, status, headers, socket) => {
        resolve(this.#upgrade(controller, status, headers, socket))
      },
      onResponseStart: (controller, status, headers, message) => {
        if (status < 200) return this.#tell(() => handler.onResponseStart?.(this.controller, status, headers, message))
        reply = new HeldReply(controller, status, headers, message)
        resolve(reply)
      },
      onResponseData: (_controller, chunk) => reply?.add({ chunk }),
      onResponseEnd: (_controller, trailers) => reply?.add({ trailers }),
      onResponseError: (controller: Controller | null | undefined, error) => {
        if (reply) return reply.add({ error })
        // Taken out of the dispatcher's own queue, by the caller.
        if (controller?.aborted) this.#aborting.abort(error)
        reject(error)
      },
      onResponseStarted: () => this.#tell(() => handler.onResponseStarted?.()),
      onBodySent: (chunk) => this.#tell(() => handler.onBodySent?.(chunk)),
      onRequestSent: () => this.#tell(() => handler.onRequestSent?.()),
    }
  }

  /** The socket is the handler's at once; the attempt ends with it. */
  #upgrade(controller: Controller, status: number, headers: IncomingHttpHeaders, socket: Duplex): HeldReply {
    const reply = new HeldReply(controller, status, headers, undefined)
    this.#upgraded = true
    socket.once('close', () => reply.add({ trailers: {} }))
    this.#tell(() => this.#handler.onRequestUpgrade?.(this.controller, status, headers, socket))
    return reply
  }

  /** What the handler throws ends the call: no other attempt follows. */
  #tell(tell: () => void): void {
    try {
      tell()
    } catch (error) {
      this.#aborting.abort(error)
      throw error
    }
  }
}
