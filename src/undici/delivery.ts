import type { Dispatcher } from 'undici'
import type { CallController } from './controller.ts'
import type { HeldReply, Part } from './held-reply.ts'

type Handler = Dispatcher.DispatchHandler

/** Tells a handler of the one response that is its own, as a dispatcher would: nothing while it is paused, and nothing after the end. */
export class Delivery {
  readonly #handler: Handler
  readonly #controller: CallController
  /** What came while the handler was paused. */
  #waiting: Part[] = []
  #begun = false
  #over = false

  constructor(handler: Handler, controller: CallController) {
    this.#handler = handler
    this.#controller = controller
  }

  begin(reply: HeldReply): void {
    const { status, headers, statusMessage } = reply
    this.#begun = true
    try {
      this.#handler.onResponseStart?.(this.#controller, status, headers, statusMessage)
    } catch (error) {
      this.#failedBy(error as Error)
    }
    reply.pour((part) => this.#take(part))
  }

  /** There is no response, or no more of it. */
  fail(error: Error): void {
    if (this.#over) return
    this.#over = true
    this.#waiting = []
    this.#handler.onResponseError?.(this.#controller, error)
  }

  /** The handler wants no more of a response that may have come whole, of which its dispatcher has nothing more to tell. */
  cut(reason: Error): void {
    if (this.#begun) this.fail(reason)
  }

  /** Tells what came while the handler was paused. */
  flush(): void {
    while (!this.#controller.paused && this.#waiting.length > 0) this.#hand(this.#waiting.shift()!)
  }

  /** An error comes at once, however much waits. */
  #take(part: Part): void {
    if (this.#over) return
    if ('error' in part) return this.fail(part.error)
    if (this.#waiting.length === 0 && !this.#controller.paused) return this.#hand(part)
    this.#waiting.push(part)
    this.flush()
  }

  #hand(part: Part): void {
    if ('trailers' in part) return this.#end(part.trailers)
    try {
      if ('chunk' in part) this.#handler.onResponseData?.(this.#controller, part.chunk)
    } catch (error) {
      this.#failedBy(error as Error)
    }
  }

  #end(trailers: Parameters<NonNullable<Handler['onResponseEnd']>>[1]): void {
    this.#over = true
    try {
      this.#handler.onResponseEnd?.(this.#controller, trailers)
    } catch (error) {
      this.#over = false
      this.fail(error as Error)
    }
  }

  /** A handler that throws ends its request and is told of its own error, as without us; its controller is not aborted. */
  #failedBy(error: Error): void {
    this.#controller.endAttempt(error)
    this.fail(error)
  }
}
