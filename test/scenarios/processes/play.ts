import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { Limit } from '../../../src/index.ts'
import { createUpstream, type LogEntry, type UpstreamOptions, type UpstreamReport } from '../../../src/testing/index.ts'
import { atExit } from '../../fleet/at-exit.ts'
import { sharedNow } from '../../fleet/messages.ts'
import { SHARED_DEFAULTS } from '../../../src/shared/options.ts'
import { peak } from '../../shared/fleet.ts'
import type { CallerReport, CallerSettings, CallResult, SharedSettings, Word } from './messages.ts'

const PROGRAM = fileURLToPath(new URL('caller.ts', import.meta.url))

/** Those of one play that share a budget share one of its own. */
export type ProcessSettings = Omit<CallerSettings, 'url' | 'rehearsalUrl' | 'shared'> & {
  shared?: Omit<SharedSettings, 'name'>
}

/** Processes that call one upstream on a real socket. */
export interface Play {
  upstream: UpstreamOptions
  processes: readonly ProcessSettings[]
  /** What happens once they have been told to begin. */
  meanwhile?: (callers: readonly Caller[]) => Promise<void>
}

/** One request as it reached the upstream; `process` is the index of who sent it. */
export interface Arrival {
  /** Since the processes were told to begin, in ms. */
  atMs: number
  /** Since its call had waited, in ms. */
  transitMs: number
  process: number
}

export interface Played {
  arrivals: readonly Arrival[]
  upstream: UpstreamReport
  reports: readonly CallerReport[]
  /** What became of the calls of each process. */
  outcomes: readonly CallResult['outcome'][][]
  /** When the last process had all its answers, in ms since they were told to begin. */
  doneMs: number
}

export async function play({ upstream: options, processes, meanwhile }: Play): Promise<Played> {
  const upstream = createUpstream({ headers: 'none', ...options })
  const server = await upstream.listen()
  const rehearsal = await createUpstream().listen()
  const name = randomUUID()
  const callers = processes.map(({ shared, ...settings }, index) => {
    const url = `${server.url}/?process=${index}`
    return new Caller({ ...settings, url, rehearsalUrl: rehearsal.url, ...(shared && { shared: { ...shared, name } }) })
  })
  try {
    await Promise.all(callers.map(({ isReady }) => isReady))
    const begunAt = sharedNow()
    const reporting = Promise.all(callers.map((caller) => caller.call()))
    await meanwhile?.(callers)
    const reports = await reporting
    const doneMs = sharedNow() - begunAt
    return {
      arrivals: upstream.log.map((entry) => arrivalOf(entry, begunAt, reports)),
      upstream: upstream.report(),
      outcomes: reports.map(({ calls }) => calls.map(({ outcome }) => outcome)),
      reports,
      doneMs,
    }
  } finally {
    for (const caller of callers) caller.signal('SIGKILL')
    await Promise.all([server.close(), rehearsal.close()])
  }
}

/** What processes that share a budget are promised. */
export interface Promised {
  limit: Limit
  doneByMs: number
  /** What else. */
  isKept?: (played: Played) => boolean
  /** Gives the test up, with a reason. */
  skip: (note: string) => void
}

/**
 * Plays again, twice at most, where what is promised was not kept, and ends the test if the machine was too busy for it. What it had time
 * for keeps to the limit in every play, and those that are late, by less than a window, meet those of one other window at most.
 */
export async function playInTime(scene: Play, promised: Promised, plays = 3): Promise<Played> {
  const { limit, doneByMs, isKept = () => true, skip } = promised
  const played = await play(scene)
  const inTime = arrivedInTime(played, scene)
  expect(peakOf(inTime, limit)).toBeLessThanOrEqual(limit.limit)
  expect(peakOf(played.arrivals, limit)).toBeLessThanOrEqual(2 * limit.limit)
  if (peakOf(played.arrivals, limit) <= limit.limit && played.doneMs <= doneByMs && isKept(played)) return played
  if (plays > 1) return playInTime(scene, promised, plays - 1)
  if (inTime.length < played.arrivals.length)
    skip('the machine is too busy: requests, or calls of the store, take longer than was promised')
  return played
}

/** A budget promises nothing for requests, or calls of the store, that take longer than half of its `transitMs`. */
function arrivedInTime({ arrivals, reports }: Played, { processes }: Play): Arrival[] {
  const transits = processes.map(({ shared }) => shared?.transitMs ?? SHARED_DEFAULTS.transitMs)
  const mostMs = Math.min(...transits) / 2
  return arrivals.filter(({ transitMs, process }) => transitMs <= mostMs && reports[process]!.slowestCallMs <= mostMs)
}

/** For a test of a play that may be played three times. */
export const PATIENCE_MS = 180_000

/** The most arrivals in any window. */
export function peakOf(arrivals: readonly Arrival[], { windowMs }: Limit): number {
  return peak(
    arrivals.map(({ atMs }) => atMs),
    windowMs,
  )
}

function arrivalOf({ url, countedAtMs }: LogEntry, begunAt: number, reports: readonly CallerReport[]): Arrival {
  const asked = new URL(url).searchParams
  const index = Number(asked.get('process'))
  const { grantedAt } = reports[index]!.calls[Number(asked.get('call'))]!
  const arrivedAt = performance.timeOrigin + countedAtMs
  return { atMs: arrivedAt - begunAt, transitMs: arrivedAt - grantedAt, process: index }
}

/** One process. It ends with the test, however that ends. */
export class Caller {
  readonly isReady: Promise<void>
  readonly #process: ChildProcess

  constructor(settings: CallerSettings) {
    this.#process = fork(PROGRAM, [JSON.stringify(settings)], { execArgv: [] })
    this.#process.once(
      'exit',
      atExit(() => this.signal('SIGKILL')),
    )
    this.isReady = this.#hear('ready').then(() => {})
  }

  /** It makes its calls. Rejects where it ends before it has told what became of them. */
  async call(): Promise<CallerReport> {
    const heard = this.#hear('report')
    this.#process.send('begin')
    return (await heard).report
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal)
  }

  #hear<Type extends Word['type']>(type: Type): Promise<Extract<Word, { type: Type }>> {
    return new Promise((resolve, reject) => {
      this.#process.on('message', (word: Word) => word.type === type && resolve(word as Extract<Word, { type: Type }>))
      this.#process.once('exit', (code, signal) => reject(new Error(`ended with ${code ?? signal} before its ${type}`)))
    })
  }
}
