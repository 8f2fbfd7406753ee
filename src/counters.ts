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
  /** Counted last: as a rule the next attempt is counted there too. */
  #last: AttemptCount | undefined

  count({ host, port }: Pick<Place, 'host' | 'port'>, report: Pick<AttemptReport, 'kind' | 'outcome'>): void {
    if (!isOf(this.#last, host, port, report))
      this.#last = this.#lineOf(host, port, report) ?? this.#lineOf('*', 0, report, Infinity)
    if (this.#last) this.#last.count += 1
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

function isOf(
  line: AttemptCount | undefined,
  host: string,
  port: number,
  { kind, outcome }: Pick<AttemptReport, 'kind' | 'outcome'>,
): boolean {
  return line?.host === host && line.port === port && line.kind === kind && line.outcome === outcome
}
