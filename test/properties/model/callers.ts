import { type Permit, isRateLimitError } from '../../../src/gate/index.ts'
import type { Outcome } from './model.ts'

/** One who asked the gate for a permit. */
export interface Caller {
  readonly id: number
  readonly abort: AbortController
  /** When the server counts it, as a part of the longest way there; below 0 for never. */
  readonly up: number
  /** What the server counts of it. */
  readonly cost: number
  /** Its place in the order of asking, by the model. */
  readonly arrival: number
  permit?: Permit
}

/** Everyone who asked, and what the gate said to them, in order. */
export class Callers {
  readonly outcomes: Outcome[] = []
  readonly #all: Caller[] = []
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  come({ arrival, ...what }: { up: number; cost: number; arrival: number | undefined }): Caller {
    const id = this.#all.length
    const caller = { ...what, id, arrival: arrival ?? id, abort: new AbortController() }
    this.#all.push(caller)
    return caller
  }

  let(caller: Caller, permit: Permit): void {
    caller.permit = permit
    this.tell(caller, 'granted', permit.sentAt)
  }

  refuse(caller: Caller, error: unknown): void {
    this.tell(caller, isRateLimitError(error) ? error.reason : String(error))
  }

  tell({ id }: Caller, what: string, at = this.#now()): void {
    this.outcomes.push({ at, id, what })
  }

  /** What the gate said to a caller; undefined while it waits. */
  toldTo(id: number): Outcome | undefined {
    return this.outcomes.findLast((outcome) => outcome.id === id)
  }

  abort(id: number): void {
    this.#all[id]!.abort.abort('aborted')
  }

  /** Of those let through, the last but so many. */
  granted(index: number): Caller | undefined {
    const granted = this.#all.filter(({ permit }) => permit)
    return granted[granted.length - 1 - (index % granted.length)]
  }

  /** Those who hold a permit. */
  get open(): Caller[] {
    return this.#all.filter(({ permit }) => permit?.ended === false)
  }
}
