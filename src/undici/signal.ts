import type { Signal } from '../gate/abort.ts'

/** A call that may have to wait. */
export interface Waiting {
  /** It waits for a permit, or between attempts: somebody begins to listen. */
  onWait(): void
}

/** Tells whoever waits for a call that it is aborted. An `AbortSignal` costs more than all else that a call keeps. */
export class CallSignal implements Signal {
  readonly #call: Waiting
  /** Made when somebody listens first: most calls never wait. */
  #listeners: Set<() => void> | undefined
  #aborted = false
  #reason: unknown

  constructor(call: Waiting) {
    this.#call = call
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
    for (const listener of this.#listeners ?? []) listener()
    this.#listeners = undefined
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners ??= new Set()
    this.#listeners.add(listener)
    this.#call.onWait()
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners?.delete(listener)
  }
}
