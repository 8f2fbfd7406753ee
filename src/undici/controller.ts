import type { Dispatcher } from 'undici'

type Controller = Dispatcher.DispatchController
type Raw = NonNullable<Controller['rawHeaders']> | null

/** A call whose handler has a say in how it goes on. */
export interface Controlled {
  onAbort(reason: Error): void
  onResume(): void
}

/**
 * The controller that the caller's handler is given once and keeps through all attempts. It hands everything on to that of the attempt
 * that is on its way, and tells of aborts also while there is none. An attempt that was given up by us is not one that the caller aborted.
 */
export class CallController implements Controller {
  readonly #call: Controlled
  #attempt: Controller | undefined
  #paused = false
  #aborted = false
  #reason: Error | null = null

  constructor(call: Controlled) {
    this.#call = call
  }

  /** The attempt that is on its way now. */
  follow(attempt: Controller): void {
    this.#attempt = attempt
    if (this.#aborted) attempt.abort(this.#reason as Error)
    else if (this.#paused) attempt.pause()
  }

  get aborted(): boolean {
    return this.#aborted
  }

  get paused(): boolean {
    return this.#paused
  }

  get reason(): Error | null {
    return this.#reason
  }

  get rawHeaders(): Raw {
    return this.#attempt?.rawHeaders ?? null
  }

  set rawHeaders(headers: Raw) {
    if (this.#attempt) this.#attempt.rawHeaders = headers
  }

  get rawTrailers(): Raw {
    return this.#attempt?.rawTrailers ?? null
  }

  set rawTrailers(trailers: Raw) {
    if (this.#attempt) this.#attempt.rawTrailers = trailers
  }

  abort(reason: Error): void {
    if (this.#aborted) return
    this.#aborted = true
    this.#reason = reason
    this.#attempt?.abort(reason)
    this.#call.onAbort(reason)
  }

  /** Ends the attempt, not the call: its handler failed, and is told so. */
  endAttempt(error: Error): void {
    this.#attempt?.abort(error)
  }

  pause(): void {
    this.#paused = true
    this.#attempt?.pause()
  }

  resume(): void {
    if (!this.#paused) return
    this.#paused = false
    this.#call.onResume()
    if (!this.#paused) this.#attempt?.resume()
  }
}
