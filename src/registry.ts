import { type Clock, LONGEST_DELAY_MS, type Timer } from './gate/clock.ts'
import type { Gate } from './gate/gate.ts'

/** A gate that is kept, and what it is called in reports. */
export interface Entry<Details> {
  readonly gate: Gate
  readonly details: Details
  usedAt: number
}

interface Keeping {
  clock: Clock
  maxGates: number
  gateIdleMs: number
}

/** Gates looked at for those that may go, each time one is made that is too many. */
const MAX_LOOKS = 16

/**
 * Gates by key, made on first use. One goes when it has not been used for `gateIdleMs`, or is among the least recently used
 * beyond `maxGates`; never while anything is held, parked or queued.
 */
export class Registry<Details> {
  /** Least recently used first, but for those that were found busy when room was made. */
  readonly #entries = new Map<string, Entry<Details>>()
  readonly #keeping: Keeping
  /** Used last: it stands at the back already. */
  #newest: Entry<Details> | undefined
  #sweep: { timer: Timer } | undefined

  constructor(keeping: Keeping) {
    this.#keeping = keeping
  }

  get size(): number {
    return this.#entries.size
  }

  [Symbol.iterator](): Iterator<Entry<Details>> {
    return this.#entries.values()
  }

  /** Every entry by its key. */
  entries(): Iterable<[key: string, entry: Entry<Details>]> {
    return this.#entries
  }

  /** The gate of this key; `make` is called where there is none. */
  use(key: string, make: () => Pick<Entry<Details>, 'gate' | 'details'>): Entry<Details> {
    const usedAt = this.#keeping.clock.now()
    const found = this.#entries.get(key)
    if (found !== undefined && found === this.#newest) {
      found.usedAt = usedAt
      return found
    }
    const entry = found ?? { ...make(), usedAt }
    entry.usedAt = usedAt
    if (found) this.#entries.delete(key)
    else this.#makeRoom()
    this.#entries.set(key, entry)
    this.#newest = entry
    this.#scheduleSweep()
    return entry
  }

  /** Stops looking for idle gates. */
  close(): void {
    if (this.#sweep) this.#keeping.clock.clearTimer(this.#sweep.timer)
    this.#sweep = undefined
  }

  /** One that is busy goes to the back, so that the next search looks at others. */
  #makeRoom(): void {
    let looks = Math.min(MAX_LOOKS, this.#entries.size)
    for (const [key, entry] of this.#entries) {
      if (this.#entries.size < this.#keeping.maxGates || looks === 0) return
      looks -= 1
      const { idle } = entry.gate
      this.#entries.delete(key)
      if (!idle) this.#entries.set(key, entry)
    }
  }

  #scheduleSweep(): void {
    const { clock, gateIdleMs } = this.#keeping
    if (this.#sweep !== undefined || gateIdleMs === Infinity || this.#entries.size === 0) return
    const delayMs = Math.min(Math.max(1, gateIdleMs), LONGEST_DELAY_MS)
    this.#sweep = { timer: clock.setTimer(() => this.#dropUnused(), delayMs, { keepAlive: false }) }
  }

  #dropUnused(): void {
    this.#sweep = undefined
    const { clock, gateIdleMs } = this.#keeping
    const before = clock.now() - gateIdleMs
    for (const [key, { gate, usedAt }] of this.#entries) {
      if (usedAt <= before && gate.idle) this.#entries.delete(key)
    }
    this.#scheduleSweep()
  }
}
