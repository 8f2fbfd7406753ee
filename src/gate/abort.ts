/** As much of an `AbortSignal` as the gate needs. */
export interface Signal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

interface Watched<T> {
  readonly listener: () => void
  /** Most signals are of one caller each: the first is kept here, the others in a set once there are some. */
  first: T | undefined
  others: Set<T> | undefined
}

/**
 * Listens to callers' signals: one listener a signal, however many callers share it, and none left when the last of them is
 * done. (Adding one of n listeners to a signal costs n.)
 */
export class Aborts<T> {
  readonly #watched = new Map<Signal, Watched<T>>()
  readonly #onAbort: (members: Iterable<T>, reason: unknown) => void

  constructor(onAbort: (members: Iterable<T>, reason: unknown) => void) {
    this.#onAbort = onAbort
  }

  watch(signal: Signal, member: T): void {
    const watched = this.#watched.get(signal)
    if (watched === undefined) this.#listen(signal, member)
    else (watched.others ??= new Set()).add(member)
  }

  unwatch(signal: Signal, member: T): void {
    const watched = this.#watched.get(signal)
    if (watched === undefined || !leave(watched, member)) return
    this.#watched.delete(signal)
    signal.removeEventListener('abort', watched.listener)
  }

  #listen(signal: Signal, first: T): void {
    const listener = (): void => {
      this.#watched.delete(signal)
      signal.removeEventListener('abort', listener)
      this.#onAbort(membersOf(watched), signal.reason)
    }
    const watched: Watched<T> = { listener, first, others: undefined }
    signal.addEventListener('abort', listener)
    this.#watched.set(signal, watched)
  }
}

function membersOf<T>({ first, others }: Watched<T>): T[] {
  return [...(first === undefined ? [] : [first]), ...(others ?? [])]
}

/** True where it was the last. */
function leave<T>(watched: Watched<T>, member: T): boolean {
  if (watched.first === member) watched.first = undefined
  else watched.others?.delete(member)
  return watched.first === undefined && (watched.others === undefined || watched.others.size === 0)
}
