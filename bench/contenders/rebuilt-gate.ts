/** What both rebuilt gates have: callers in order, attempts in flight, and a timer for the instant at which the first may go. */
export abstract class RebuiltGate {
  readonly #waiting: (() => void)[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  protected inFlight = 0

  /** Resolves when an attempt may be sent. */
  acquire(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#serve()
    })
  }

  /** Ends an attempt, with its answer if there was one. */
  release(response: Response | undefined): void {
    this.inFlight -= 1
    if (response !== undefined) this.observe(response)
    this.#serve()
  }

  /** Whether an attempt may be sent now. */
  protected abstract admits(): boolean
  /** Counts one that is sent. */
  protected abstract spend(): void
  /** Takes in an answer. */
  protected abstract observe(response: Response): void
  /** How long until time alone may let one go. Undefined where only an answer can. */
  protected abstract waitMs(): number | undefined

  #serve(): void {
    while (this.#waiting.length > 0 && this.admits()) {
      this.spend()
      this.inFlight += 1
      this.#waiting.shift()?.()
    }
    clearTimeout(this.#timer)
    const waitMs = this.#waiting.length > 0 ? this.waitMs() : undefined
    if (waitMs !== undefined) this.#timer = setTimeout(() => this.#serve(), Math.max(1, Math.ceil(waitMs)))
  }
}
