import type { Part, SharedGate, SharedLimit, Via } from '../gate/share.ts'
import { GONE_AFTER_BEATS } from './engine/presence.ts'
import { horizonAmong, type SharedSettings } from './options.ts'

/** A member calls so often at least: the engine may have had one more call than it has answered. */
const CALL_EVERY_BEATS = 0.5

/** What a process knew of the engine when it lost it. */
export interface Loss {
  readonly at: number
  /** When the engine last answered; -Infinity for never. */
  readonly heardAt: number
  /** What this process may send by itself is one of so many parts of every limit; 0 for nothing. */
  readonly parts: number
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
    const { onEngineLoss, strictPartition } = this.#settings
    const { parts, windows } = this.#loss
    if (onEngineLoss !== 'share') return onEngineLoss
    if (parts === 0 || windows.some(({ limit }) => this.#equalPartOf(limit) === 0)) return 'closed'
    return !strictPartition || (now >= this.#heldBackFrom && now < this.#heldBackUntil) ? 'share' : 'closed'
  }

  /** When nothing is in a window any more that the engine granted before it held back this process's part. */
  get #heldBackFrom(): number {
    const { heartbeatMs, deadlineMs } = this.#settings
    const calledBy = this.#loss.heardAt + CALL_EVERY_BEATS * heartbeatMs + deadlineMs
    return calledBy + GONE_AFTER_BEATS * heartbeatMs + this.#horizonMs + this.#longestMs
  }

  /** What is sent after this may still be in a window when the engine grants that part to others. */
  get #heldBackUntil(): number {
    const { holdBackMs, deadlineMs } = this.#settings
    return this.#loss.heardAt + holdBackMs - deadlineMs - this.#longestMs
  }

  /**
   * The equal part of a limit. Before that nothing for as long ahead as the others may have been granted what leaves the window now, and
   * for a window from then on no more than this process had in it: the others may have had all the rest. One that was never told what
   * others have sent does not wait for that.
   */
  #partOf(limit: SharedLimit, now: number): Part {
    const { at, heardAt, windows } = this.#loss
    const equal = this.#equalPartOf(limit)
    const nothingUntil = at + this.#horizonMs
    const firstUntil = nothingUntil + (windows.find((window) => window.limit === limit)?.windowMs ?? 0)
    const until = this.#settings.strictPartition ? this.#heldBackUntil : Infinity
    if (now >= until) return partUntil(Infinity, 0)
    if (heardAt === -Infinity || now >= firstUntil) return partUntil(until, equal)
    if (now < nothingUntil) return partUntil(nothingUntil, 0)
    this.#held ??= new Map(windows.map((window) => [window.limit, window.limit.window.held]))
    return partUntil(firstUntil, Math.min(equal, this.#held.get(limit) ?? 0))
  }

  get #longestMs(): number {
    return this.#loss.windows.reduce((longest, { windowMs }) => Math.max(longest, windowMs), 0)
  }

  /** How far ahead of its start an attempt may have been granted. */
  get #horizonMs(): number {
    const windowsMs = this.#loss.windows.map(({ windowMs }) => windowMs)
    return horizonAmong(this.#settings, windowsMs)
  }

  #equalPartOf({ sharedLimit = Infinity }: SharedLimit): number {
    return Math.floor(sharedLimit / this.#loss.parts)
  }
}

function partUntil(until: number, units: number): Part {
  return { units, until, heavyGoesAlone: false }
}
