import { MAX_KEEPING_MS, MAX_KEPT_BYTES, notKept } from '../attempts/keeping.ts'
import type { Kept } from '../attempts/call.ts'
import type { Clock } from '../gate/clock.ts'
import type { HeldReply, Part } from './held-reply.ts'

/** A response that may yet be its caller's: what comes of it is kept while the call waits to try again, and its connection let go. */
export class KeptReply implements Kept<HeldReply> {
  readonly #reply: HeldReply
  readonly #parts: Part[] = []
  readonly #whole: Promise<boolean>
  #bytes = 0
  #over = (_isWhole: boolean): void => {}

  constructor(reply: HeldReply, clock: Clock) {
    this.#reply = reply
    const timer = clock.setTimer(() => this.drop(), MAX_KEEPING_MS, { keepAlive: false })
    this.#whole = new Promise((resolve) => {
      this.#over = (isWhole) => {
        clock.clearTimer(timer)
        resolve(isWhole)
      }
    })
    reply.pour((part) => this.#take(part))
  }

  drop(): void {
    this.#over(false)
    this.#parts.length = 0
    this.#reply.abandon()
  }

  async handBack(): Promise<HeldReply> {
    const isWhole = await this.#whole
    const parts: Part[] = isWhole ? this.#parts : [{ error: notKept() }]
    return this.#reply.replaced(parts)
  }

  #take(part: Part): void {
    this.#parts.push(part)
    if ('chunk' in part) this.#bytes += part.chunk.byteLength
    else this.#over(!('error' in part))
    if (this.#bytes > MAX_KEPT_BYTES) this.drop()
  }
}
