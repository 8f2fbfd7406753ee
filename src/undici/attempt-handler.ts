import type { IncomingHttpHeaders } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { Permit } from '../gate/permit.ts'
import { HeldReply } from './held-reply.ts'

type Controller = Dispatcher.DispatchController
type Handler = Dispatcher.DispatchHandler

/** A call, as one of its attempts sees it. */
export interface Attempted {
  /** Whose call it is. */
  readonly handler: Handler
  /** The attempt goes on a connection. False where the handler has aborted the call by then: it is not written. */
  start(controller: Controller, context: unknown): boolean
  /** Tells the handler what every attempt may tell it. What it throws ends the call: no other attempt follows. */
  tell(tell: () => void): void
  /** Tells the handler of a response before the one that counts. */
  inform(status: number, headers: IncomingHttpHeaders, message: string | undefined): void
  /** The socket is the handler's at once. */
  upgrade(reply: HeldReply, socket: Duplex): void
  /** The attempt was taken out of the dispatcher's own queue, by the caller. */
  abort(error: Error): void
}

/**
 * What one attempt is told by the dispatcher. At the end it lets go of all that it holds: requests that are over stay in memory until the
 * old generation is collected, and keep their handlers.
 */
export class AttemptHandler implements Handler {
  #call: Attempted | undefined
  #permit: Pick<Permit, 'start'> | undefined
  #resolve: ((reply: HeldReply) => void) | undefined
  #reject: ((error: Error) => void) | undefined
  #reply: HeldReply | undefined

  constructor(
    call: Attempted,
    permit: Pick<Permit, 'start'> | undefined,
    resolve: (reply: HeldReply) => void,
    reject: (error: Error) => void,
  ) {
    this.#call = call
    this.#permit = permit
    this.#resolve = resolve
    this.#reject = reject
  }

  onRequestStart(controller: Controller, context: unknown): void {
    if (this.#call?.start(controller, context)) this.#permit?.start()
  }

  onRequestUpgrade(controller: Controller, status: number, headers: IncomingHttpHeaders, socket: Duplex): void {
    const reply = new HeldReply(controller, status, headers, undefined)
    socket.once('close', () => reply.add({ trailers: {} }))
    this.#call?.upgrade(reply, socket)
    this.#resolve?.(reply)
  }

  onResponseStart(controller: Controller, status: number, headers: IncomingHttpHeaders, message?: string): void {
    if (status < 200) return this.#call?.inform(status, headers, message)
    this.#reply = new HeldReply(controller, status, headers, message)
    this.#resolve?.(this.#reply)
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    this.#reply?.add({ chunk })
  }

  onResponseEnd(_controller: Controller, trailers: IncomingHttpHeaders): void {
    this.#reply?.add({ trailers })
    this.#letGo()
  }

  onResponseError(controller: Controller | null | undefined, error: Error): void {
    if (this.#reply) this.#reply.add({ error })
    else {
      if (controller?.aborted) this.#call?.abort(error)
      this.#reject?.(error)
    }
    this.#letGo()
  }

  onResponseStarted(): void {
    const handler = this.#call?.handler
    if (handler?.onResponseStarted) this.#call?.tell(() => handler.onResponseStarted?.())
  }

  onBodySent(chunk: Buffer): void {
    const handler = this.#call?.handler
    if (handler?.onBodySent) this.#call?.tell(() => handler.onBodySent?.(chunk))
  }

  onRequestSent(): void {
    const handler = this.#call?.handler
    if (handler?.onRequestSent) this.#call?.tell(() => handler.onRequestSent?.())
  }

  #letGo(): void {
    this.#call = undefined
    this.#permit = undefined
    this.#resolve = undefined
    this.#reject = undefined
    this.#reply = undefined
  }
}
