import type { Part, SharedGate, SharedLimit, Via } from '../gate/share.ts'
import { horizonAmong, type SharedSettings } from './options.ts'

/** How long after the last answer the engine has begun to hold back the part of a process: it is called in every heartbeat. */
const HELD_BACK_AFTER_BEATS = 4

/** What a process knew of the engine when it lost it. */
export interface Loss {
  readonly at: number
  /** When the engine last answered; -Infinity for never. */
  readonly heardAt: number
  /** How many processes draw on the budget; 0 where nobody has told. */
  readonly processes: number
  /** Windows as the engine keeps them. */
  readonly windows: readonly { limit: SharedLimit; windowMs: number }[]
}

/** What a process sends by itself while the engine is away. */
export class Fallback {
  readonly #settings: SharedSettings
  readonly #gate: Pick<SharedGate, 'bind'>
  readonly #loss: Loss
  /** What this process had sent and nobody else can have been granted by then: the engine grants some time ahead. */
  #held: ReadonlyMap<SharedLimit, number> | undefined

  constructor(settings: SharedSettings, gate: Pick<SharedGate, 'bind'>, loss: Loss) {
    this.#settings = settings
    this.#gate = gate
    this.#loss = loss
  }

  /** By whose word attempts go now; binds the limits to this process's part where it is its own. */
  via(now: number): Exclude<Via, 'engine'> {
    const via = this.#choose(now)
    this.#gate.bind(via === 'share' ? (limit, at) => this.#partOf(limit, at) : undefined)
    return via
  }

  #choose(now: number): Exclude<Via, 'engine'> {
    const { onEngineLoss, strictPartition, heartbeatMs, holdBackMs } = this.#settings
    const { heardAt, processes, windows } = this.#loss
    if (onEngineLoss !== 'share') return onEngineLoss
    if (processes === 0 || windows.some(({ limit }) => this.#equalPartOf(limit) === 0)) return 'closed'
    if (!strictPartition) return 'share'
    const longestMs = windows.reduce((most, { windowMs }) => Math.max(most, windowMs), 0)
    const from = heardAt + HELD_BACK_AFTER_BEATS * heartbeatMs + longestMs
    return now >= from && now < heardAt + holdBackMs ? 'share' : 'closed'
  }

  /**
   * The equal part of a limit. Before that nothing for as long ahead as the others may have been granted what leaves the window now, and
   * for a window from then on no more than this process had in it: the others may have had all the rest. One that was never told what
   * others have sent does not wait for that.
   */
  #partOf(limit: SharedLimit, now: number): Part {
    const { at, heardAt, windows } = this.#loss
    const equal = this.#equalPartOf(limit)
    const windowsMs = windows.map((window) => window.windowMs)
    const nothingUntil = at + horizonAmong(this.#settings, windowsMs)
    const firstUntil = nothingUntil + (windows.find((window) => window.limit === limit)?.windowMs ?? 0)
    if (heardAt === -Infinity || now >= firstUntil) return partUntil(Infinity, equal)
    if (now < nothingUntil) return partUntil(nothingUntil, 0)
    this.#held ??= new Map(windows.map((window) => [window.limit, window.limit.window.held]))
    return partUntil(firstUntil, Math.min(equal, this.#held.get(limit) ?? 0))
  }

  #equalPartOf({ sharedLimit = Infinity }: SharedLimit): number {
    return Math.floor(sharedLimit / this.#loss.processes)
  }
}

function partUntil(until: number, units: number): Part {
  return { units, until, heavyGoesAlone: false }
}
