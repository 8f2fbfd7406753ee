import { type Authority, formatAuthority } from './authority.ts'
import type { Clock } from './gate/clock.ts'
import type { Gate } from './gate/gate.ts'

/** The gate that was told probes first; the others give its answer this long to come. */
const PROBE_LEAD_MS = 1_000

/** Parks that hold for a whole authority: one of its gates was told so, and all of its others are shut too, those made later as well. */
export class AuthorityParks {
  readonly #clock: Clock
  readonly #until = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** A park of `forMs` that was told to one gate holds for `others`. Those that were in flight and are told the same add nothing to it. */
  share(authority: Authority, forMs: number, others: Iterable<Gate>): void {
    const now = this.#clock.now()
    if (now + forMs <= (this.#until.get(formatAuthority(authority)) ?? now)) return
    this.#forget(now)
    this.#until.set(formatAuthority(authority), now + forMs + PROBE_LEAD_MS)
    for (const gate of others) gate.park(forMs + PROBE_LEAD_MS)
  }

  /** Shuts a gate that is new for what is left of its authority's park. */
  apply(authority: Authority, gate: Gate): void {
    const until = this.#until.get(formatAuthority(authority))
    if (until !== undefined) gate.park(Math.max(0, until - this.#clock.now()))
  }

  #forget(now: number): void {
    for (const [authority, until] of this.#until) if (until <= now) this.#until.delete(authority)
  }
}
