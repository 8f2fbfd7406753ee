import type { SharedGate, Via } from '../gate/share.ts'
import type { Outcome } from './engine-link.ts'
import { Fallback, type Loss } from './fallback.ts'
import type { SharedSettings } from './options.ts'

/** How soon an engine that is away is asked again, and one that refuses this process until somebody mends that. */
export const RETRY_MS = 300
const REFUSED_RETRY_MS = 5_000

/** By whose word a gate goes: the engine's, or while that is away its own; tells when that changes. */
export class Absence {
  readonly #settings: SharedSettings
  readonly #gate: Pick<SharedGate, 'bind' | 'tell'>
  #via: Via = 'engine'
  #fallback: Fallback | undefined
  /** What somebody has to mend, as it was told last. */
  #complaint: string | undefined

  constructor(settings: SharedSettings, gate: Pick<SharedGate, 'bind' | 'tell'>) {
    this.#settings = settings
    this.#gate = gate
  }

  get via(): Via {
    return this.#via
  }

  /** The engine does not answer: until it does, this process goes by itself. Returns when to ask it again. */
  lose({ fault, code }: Extract<Outcome, { fault: unknown }>, now: number, loss: () => Loss): number {
    this.#fallback ??= new Fallback(this.#settings, this.#gate, loss())
    const via = this.#fallback.via(now)
    const complaint = fault === 'misconfigured' ? code : undefined
    if (via !== this.#via || (complaint !== undefined && complaint !== this.#complaint)) {
      this.#via = via
      this.#complaint = complaint ?? this.#complaint
      this.#gate.tell(via, code ?? fault)
    }
    return now + (fault === 'misconfigured' ? REFUSED_RETRY_MS : RETRY_MS)
  }

  /** The engine has answered. */
  end(): void {
    this.#fallback = undefined
    this.#resume('answered')
  }

  /** The engine is not asked any more, since nobody uses the gate: who comes next finds out how it is. */
  suspend(): void {
    this.#fallback = undefined
    this.#resume('idle')
  }

  #resume(why: string): void {
    if (this.#via === 'engine') return
    this.#via = 'engine'
    this.#complaint = undefined
    this.#gate.bind(undefined)
    this.#gate.tell('engine', why)
  }
}
