import * as check from './gate/check.ts'
import type { Clock } from './gate/clock.ts'
import type { Gate } from './gate/gate.ts'
import { checkSavedGate, type SavedGate } from './gate/saved.ts'
import { nodeCrypto } from './node-crypto.ts'

/** What a headgate knows, in plain JSON. Partitions are told apart by salted digests: who guesses a key can tell whether it is there. */
export interface SavedState {
  version: 1
  /** Goes into every digest. */
  salt: string
  /** By digest of upstream, authority and partition. */
  gates: Record<string, SavedGateAt>
}

/** A gate and when it was saved, in milliseconds since the Unix epoch. */
export interface SavedGateAt {
  savedAtMs: number
  gate: SavedGate
}

/** A limit without end may matter as long as readings do: a day. */
const ENDLESS_MS = 86_400_000

const checkState = check.options(
  {
    version: check.expecting('1', (value) => value === 1),
    salt: check.string,
    gates: check.recordOf(
      check.options({ savedAtMs: check.number({ min: 0, max: Number.MAX_SAFE_INTEGER }), gate: checkSavedGate }, [
        'savedAtMs',
        'gate',
      ]),
    ),
  },
  ['version', 'salt', 'gates'],
)

interface Waiting extends SavedGateAt {
  /** When it was saved, by the clock of this process. */
  readonly savedAt: number
}

/** Saved gates that nobody has asked for yet: which partitions they are of cannot be told until somebody does. */
export class SavedGates {
  readonly #clock: Clock
  readonly #waiting = new Map<string, Waiting>()
  #salt: string | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Takes the place of what was added before. A wall clock that was set back is no reason to forget. Throws a `ConfigError` for what no
   * headgate saved, and a `HeadgateError` where there is no `node:crypto`.
   */
  add(state: SavedState): void {
    check.assertValid(checkState, state, 'saved')
    crypto()
    const now = this.#clock.now()
    const wallNow = this.#clock.wallNow()
    this.#salt = state.salt
    this.#waiting.clear()
    for (const [digest, { savedAtMs, gate }] of Object.entries(state.gates))
      this.#waiting.set(digest, { savedAtMs, gate, savedAt: now - Math.max(0, wallNow - savedAtMs) })
  }

  /** Has the gate of this key go on from what was saved of it, once. */
  restore(key: string, gate: Pick<Gate, 'restore'>): void {
    if (this.#waiting.size === 0) return
    const digest = this.#digest(key)
    const saved = this.#waiting.get(digest)
    this.#waiting.delete(digest)
    if (saved) gate.restore(saved.gate, this.#elapsedMs(saved))
  }

  /** These gates, and of those that nobody has asked for what may still matter, `most` in all. */
  save(gates: readonly (readonly [key: string, gate: SavedGate])[], most: number): SavedState {
    this.#salt ??= crypto().randomBytes(16).toString('hex')
    const savedAtMs = this.#clock.wallNow()
    const saved: Record<string, SavedGateAt> = {}
    let room = most - gates.length
    for (const [digest, waiting] of this.#waiting) {
      if (room <= 0) break
      if (this.#elapsedMs(waiting) >= lastsMs(waiting.gate)) continue
      saved[digest] = pick(waiting)
      room -= 1
    }
    for (const [key, gate] of gates) saved[this.#digest(key)] = { savedAtMs, gate }
    return { version: 1, salt: this.#salt, gates: saved }
  }

  #elapsedMs({ savedAt }: Waiting): number {
    return this.#clock.now() - savedAt
  }

  #digest(key: string): string {
    return crypto().createHash('sha256').update(`${this.#salt} ${key}`).digest('hex')
  }
}

function pick({ savedAtMs, gate }: SavedGateAt): SavedGateAt {
  return { savedAtMs, gate }
}

/** How long a saved gate may matter. */
function lastsMs({ limits, park }: SavedGate): number {
  return limits.reduce((longest, { windowMs = ENDLESS_MS, left }) => {
    return Math.max(longest, windowMs, left?.aloneInMs ?? 0)
  }, park?.forMs ?? 0)
}

function crypto() {
  return nodeCrypto('save() and restore()')
}
