import type { AttemptKind, AttemptOutcome, Place } from './events.ts'
import type { AttemptReport } from './attempts/call.ts'

/** Attempts of one kind that came to one outcome at one authority. */
export interface AttemptCount {
  host: string
  port: number
  kind: AttemptKind
  outcome: AttemptOutcome
  count: number
}

/** Lines kept. Attempts at authorities beyond them are counted under the host `*` and port 0. */
const MAX_LINES = 10_000

/** How many attempts were made, by authority, kind and outcome. */
export class AttemptCounters {
  readonly #lines = new Map<string, AttemptCount>()

  count({ host, port }: Pick<Place, 'host' | 'port'>, report: Pick<AttemptReport, 'kind' | 'outcome'>): void {
    const line = this.#lineOf(host, port, report) ?? this.#lineOf('*', 0, report, Infinity)
    if (line) line.count += 1
  }

  list(): AttemptCount[] {
    return [...this.#lines.values()].map((line) => ({ ...line }))
  }

  #lineOf(
    host: string,
    port: number,
    { kind, outcome }: Pick<AttemptReport, 'kind' | 'outcome'>,
    most = MAX_LINES,
  ): AttemptCount | undefined {
    const key = `${host}:${port} ${kind} ${outcome}`
    const known = this.#lines.get(key)
    if (known || this.#lines.size >= most) return known
    const line = { host, port, kind, outcome, count: 0 }
    this.#lines.set(key, line)
    return line
  }
}
