/** Beyond this many in flight a ramp holds nobody back. */
const DONE = 1024

/**
 * After a park that left nothing known about the budget, concurrency starts at 1 and doubles with each answer that does not
 * throttle.
 */
export class Ramp {
  #allowed = Infinity

  get allowed(): number {
    return this.#allowed
  }

  start(): void {
    this.#allowed = 1
  }

  /** An answer that does not throttle; one that states what is left ends the ramp. */
  answered(statesBudget: boolean): void {
    this.#allowed = statesBudget || this.#allowed * 2 > DONE ? Infinity : this.#allowed * 2
  }
}
