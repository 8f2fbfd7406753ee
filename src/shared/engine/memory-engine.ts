import type { Clock } from '../../gate/clock.ts'
import type { EngineCall, EngineReply } from '../protocol.ts'
import { decide } from './decide.ts'
import type { Engine } from './engine.ts'
import { type GateState, newState } from './state.ts'

/** An engine in this process, for tests: it decides as Valkey and Redis do. */
export interface MemoryEngine extends Engine {
  subscribe(hear: (gate: string) => void): () => void
  /** Forgets everything, as an engine that restarts without its data does. */
  flush(): void
  /** While it is down every call rejects. */
  down: boolean
}

/** The engine's time where the clock's is 0: later than any window before it, as a server's is. */
const START_US = 2 ** 50

/** Makes an engine in this process. Time is the clock's, so that it can be virtual. */
export function memoryEngine({ clock }: { clock: Clock }): MemoryEngine {
  return new InMemory(clock)
}

class InMemory implements MemoryEngine {
  down = false
  readonly #clock: Clock
  readonly #gates = new Map<string, GateState>()
  readonly #listeners = new Set<(gate: string) => void>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async call(gate: string, call: EngineCall): Promise<EngineReply> {
    if (this.down) throw new Error('The engine is down')
    const state = this.#gates.get(gate) ?? newState()
    this.#gates.set(gate, state)
    const { reply, isNews } = decide(state, call, START_US + Math.round(this.#clock.now() * 1000))
    if (isNews) for (const hear of this.#listeners) hear(gate)
    return reply
  }

  subscribe(hear: (gate: string) => void): () => void {
    this.#listeners.add(hear)
    return () => void this.#listeners.delete(hear)
  }

  flush(): void {
    this.#gates.clear()
  }
}
