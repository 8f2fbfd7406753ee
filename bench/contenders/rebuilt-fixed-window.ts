import { RebuiltGate } from './rebuilt-gate.ts'
import type { ConfiguredLimit } from './contender.ts'

/** Takes what the first answer says of its reset for the end of a fixed window, and spends the whole limit in each. */
export class FixedWindowGate extends RebuiltGate {
  readonly #limit: number
  /** Undefined until an answer has told of a window: one attempt goes alone. */
  #left: number | undefined
  /** Ms since the epoch. */
  #resetsAt: number | undefined

  constructor({ limit }: ConfiguredLimit) {
    super()
    this.#limit = limit
  }

  protected admits(): boolean {
    if (this.#resetsAt !== undefined && Date.now() >= this.#resetsAt) {
      this.#resetsAt = undefined
      this.#left = this.#limit
    }
    const isLost = this.#left === 0 && this.#resetsAt === undefined && this.inFlight === 0
    if (isLost) this.#left = undefined
    return this.#left === undefined ? this.inFlight === 0 : this.#left > 0
  }

  protected spend(): void {
    if (this.#left !== undefined) this.#left -= 1
  }

  protected observe({ headers }: Response): void {
    const reset = headers.get('x-ratelimit-reset')
    if (this.#resetsAt !== undefined || reset === null) return
    this.#resetsAt = Number(reset) * 1000
    this.#left ??= Number(headers.get('x-ratelimit-remaining'))
  }

  protected waitMs(): number | undefined {
    return this.#resetsAt === undefined ? undefined : this.#resetsAt - Date.now()
  }
}
