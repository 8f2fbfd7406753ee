import type { EngineCall, EngineReply } from '../protocol.ts'

/**
 * Where members meet: it keeps each gate's budget and decides about every call, one after the other. `fromIoredis` and the others make
 * one of a client, `memoryEngine` one for tests.
 */
export interface Engine {
  /** Has the engine decide about a call for a gate, which `gate` names. Rejects where it cannot be reached or refuses. */
  call(gate: string, call: EngineCall): Promise<EngineReply>
  /** Calls `hear` with the name of a gate where something happened that its members have to know. Returns what stops it. */
  subscribe?(hear: (gate: string) => void): () => void
  /** How many connections have been made: after a new one the server may be another one. Absent where it cannot be told. */
  readonly connections?: number
}
