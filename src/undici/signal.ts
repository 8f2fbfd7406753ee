import type { Signal } from '../gate/abort.ts'

/** Tells whoever waits for a call that it is aborted. An `AbortSignal` costs more than all else that a call keeps. */
export class CallSignal implements Signal {
  readonly #onWait: () => void
  readonly #listeners = new Set<() => void>()
  #aborted = false
  #reason: unknown

  /** `onWait` is called when somebody begins to listen: the call waits for a permit, or between attempts. */
  constructor(onWait: () => void) {
    this.#onWait = onWait
  }

  get aborted(): boolean {
    return this.#aborted
  }

  get reason(): unknown {
    return this.#reason
  }

  abort(reason: unknown): void {
    if (this.#aborted) return
    this.#aborted = true
    this.#reason = reason ?? new DOMException('This operation was aborted', 'AbortError')
    for (const listener of this.#listeners) listener()
    this.#listeners.clear()
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener)
    this.#onWait()
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener)
  }
}
