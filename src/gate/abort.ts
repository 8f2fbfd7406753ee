/** As much of an `AbortSignal` as the gate needs. */
export interface Signal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/**
 * Listens to callers' signals: one listener a signal, however many callers share it, and none left when the last of them is
 * done. (Adding one of n listeners to a signal costs n.)
 */
export class Aborts<T> {
  readonly #watched = new Map<Signal, { members: Set<T>; listener: () => void }>()
  readonly #onAbort: (members: Iterable<T>, reason: unknown) => void

  constructor(onAbort: (members: Iterable<T>, reason: unknown) => void) {
    this.#onAbort = onAbort
  }

  watch(signal: Signal, member: T): void {
    const watched = this.#watched.get(signal) ?? this.#listen(signal)
    watched.members.add(member)
  }

  unwatch(signal: Signal, member: T): void {
    const watched = this.#watched.get(signal)
    if (!watched?.members.delete(member) || watched.members.size > 0) return
    this.#watched.delete(signal)
    signal.removeEventListener('abort', watched.listener)
  }

  #listen(signal: Signal): { members: Set<T>; listener: () => void } {
    const members = new Set<T>()
    const listener = (): void => {
      this.#watched.delete(signal)
      signal.removeEventListener('abort', listener)
      this.#onAbort(members, signal.reason)
    }
    signal.addEventListener('abort', listener)
    const watched = { members, listener }
    this.#watched.set(signal, watched)
    return watched
  }
}
