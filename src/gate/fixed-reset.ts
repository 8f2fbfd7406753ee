/** An instant at which a fixed window reopens, as the gate's clock tells it. */
interface Reset {
  /** Everything counted at or before this is certainly of the old window. */
  sureAt: number
  /** The upstream has certainly reset. */
  reopensAt: number
}

/**
 * When a fixed window reopens. A reading taken somewhere in `[sentAt, at]` names a reset `resetInMs` away, which may be off by
 * the step it was told in, 1 000 ms for whole seconds, either way.
 */
export class FixedReset {
  #pending: Reset | undefined
  #next: Reset | undefined

  get reopensAt(): number | undefined {
    return this.#pending?.reopensAt
  }

  /** A reading that names the reset after the pending one does not cancel it: what was spent before it still comes back there. */
  read(sentAt: number, at: number, resetInMs: number, stepMs: number): void {
    const named = { sureAt: sentAt + resetInMs - stepMs, reopensAt: at + resetInMs + stepMs }
    if (this.#pending === undefined || named.sureAt <= this.#pending.reopensAt) this.#pending = named
    else this.#next = named
  }

  /** The instant through which old windows have been let go of by `now`, once after a reset has passed. */
  advance(now: number): number | undefined {
    let passed: number | undefined
    while (this.#pending !== undefined && now >= this.#pending.reopensAt) {
      passed = this.#pending.sureAt
      this.#pending = this.#next
      this.#next = undefined
    }
    return passed
  }
}
