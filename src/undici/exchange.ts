import type { IncomingHttpHeaders } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { Exchange } from '../attempts/call.ts'
import type { Clock } from '../gate/clock.ts'
import type { Permit } from '../gate/permit.ts'
import { marked } from '../fetch/layers.ts'
import { type Attempted, AttemptHandler } from './attempt-handler.ts'
import { CallController, type Controlled } from './controller.ts'
import { Delivery } from './delivery.ts'
import type { HeldReply } from './held-reply.ts'
import { KeptReply } from './kept-reply.ts'
import { headersOf, isReplayable, urlOf } from './options.ts'
import { CallSignal, type Waiting } from './signal.ts'

type Controller = Dispatcher.DispatchController
type Handler = Dispatcher.DispatchHandler

/** Codes of errors about the arguments, or of a dispatcher that is closed: another attempt would fail the same way. */
const REFUSED = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'UND_ERR_CLOSED'])

/** One that is destroyed says so of requests that it has sent, too. */
const DESTROYED = 'UND_ERR_DESTROYED'

/** One dispatched request: makes attempts at it, and tells its handler of one as if it were the only one. */
export class DispatchExchange implements Exchange<HeldReply>, Attempted, Controlled, Waiting {
  readonly startsLater = true
  readonly method: string
  readonly handler: Handler
  readonly controller = new CallController(this)
  readonly signal = new CallSignal(this)
  readonly #dispatch: Dispatcher.Dispatch
  readonly #options: Dispatcher.DispatchOptions
  readonly #delivery: Delivery
  #url: URL | undefined
  /** Gives the attempt up that is still to go on a connection. */
  #giveUpUnstarted: ((reason: Error) => void) | undefined
  #announced = false
  #upgraded = false

  constructor(dispatch: Dispatcher.Dispatch, options: Dispatcher.DispatchOptions, handler: Handler) {
    this.#dispatch = dispatch
    this.#options = options
    this.handler = handler
    this.#delivery = new Delivery(handler, this.controller)
    this.method = options.method
  }

  /** Put together only where it is asked for. */
  get url(): URL {
    return (this.#url ??= urlOf(this.#options))
  }

  get href(): string {
    return this.url.href
  }

  get headers(): Headers {
    return headersOf(this.#options)
  }

  /** A socket that the handler has already cannot be taken back. */
  get replayable(): boolean {
    return !this.#upgraded && isReplayable(this.#options)
  }

  /** The handler is told once that the request is on its way: from then on it can abort it. */
  announce(context: unknown = null): void {
    if (this.#announced) return
    this.#announced = true
    this.handler.onRequestStart?.(this.controller, context)
  }

  send(owner: object, permit: Pick<Permit, 'start'> | undefined): Promise<HeldReply> {
    return new Promise((resolve, reject) => {
      this.#giveUpUnstarted = reject
      this.#dispatch(marked(this.#options, owner, this), new AttemptHandler(this, permit, resolve, reject))
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
    if (this.controller.aborted) return this.fail(this.signal.reason as Error)
    this.announce()
    this.controller.follow(reply.controller)
    this.#delivery.begin(reply)
  }

  /** The handler gets no response. */
  fail(error: Error): void {
    this.#delivery.fail(error)
  }

  /** One that waits is told before it is sent, so that it can be aborted; not yet, since whoever listens is about to. */
  onWait(): void {
    if (this.#announced) return
    queueMicrotask(() => {
      try {
        this.announce()
      } catch (error) {
        this.signal.abort(error)
      }
    })
  }

  onAbort(reason: Error): void {
    this.signal.abort(reason)
    this.#giveUpUnstarted?.(reason)
    this.#delivery.cut(reason)
  }

  onResume(): void {
    this.#delivery.flush()
  }

  start(controller: Controller, context: unknown): boolean {
    this.#giveUpUnstarted = undefined
    this.controller.follow(controller)
    this.tell(() => this.announce(context))
    return !this.controller.aborted
  }

  inform(status: number, headers: IncomingHttpHeaders, message: string | undefined): void {
    this.tell(() => this.handler.onResponseStart?.(this.controller, status, headers, message))
  }

  upgrade({ status, headers }: HeldReply, socket: Duplex): void {
    this.#upgraded = true
    this.tell(() => this.handler.onRequestUpgrade?.(this.controller, status, headers, socket))
  }

  abort(error: Error): void {
    this.signal.abort(error)
  }

  tell(tell: () => void): void {
    try {
      tell()
    } catch (error) {
      this.signal.abort(error)
      throw error
    }
  }
}
