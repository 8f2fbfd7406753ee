import { Dispatcher } from 'undici'

/** An undici dispatcher whose requests, which have no body, go out through `fetch`. */
export function createFetchDispatcher(fetch: typeof globalThis.fetch): Dispatcher {
  return new FetchDispatcher(fetch)
}

class FetchDispatcher extends Dispatcher {
  readonly #fetch: typeof globalThis.fetch

  constructor(fetch: typeof globalThis.fetch) {
    super()
    this.#fetch = fetch
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const controller = new Controller()
    handler.onRequestStart?.(controller, {})
    this.#exchange(options, handler, controller).catch((error: Error) => handler.onResponseError?.(controller, error))
    return true
  }

  async #exchange(
    { origin, path, method }: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
    controller: Controller,
  ): Promise<void> {
    const response = await this.#fetch(new URL(path, origin), { method, signal: controller.signal })
    const { status, statusText, headers } = response
    handler.onResponseStart?.(controller, status, Object.fromEntries(headers), statusText)
    handler.onResponseData?.(controller, Buffer.from(await response.arrayBuffer()))
    handler.onResponseEnd?.(controller, {})
  }
}

/** Aborts the exchange. Its bodies are short and come whole, so that pausing has nothing to hold back. */
class Controller implements Dispatcher.DispatchController {
  readonly #abort = new AbortController()
  paused = false

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  get aborted(): boolean {
    return this.signal.aborted
  }

  get reason(): Error | null {
    return (this.signal.reason as Error | undefined) ?? null
  }

  abort(reason: Error): void {
    this.#abort.abort(reason)
  }

  pause(): void {
    this.paused = true
  }

  resume(): void {
    this.paused = false
  }
}
