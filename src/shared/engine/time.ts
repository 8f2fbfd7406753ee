import type { EngineCall } from '../protocol.ts'
import type { GateState } from './state.ts'

/** The engine's clock may fall so far behind the last start granted before it counts as set back. */
const BACK_SLACK_US = 100_000

/**
 * The time that goes on whatever the engine's clock does. One that was set back (another server took over) leaves it where the starts
 * granted so far can be; one that jumped ahead, by the word of a member that was told of a later time than can be, does not move it.
 */
export function logicalNow(state: GateState, call: EngineCall, clockUs: number): number {
  let now = clockUs + state.offset
  if (call.jumped && call.at > 0 && now > call.at) now = call.at
  if (state.lastStart > now + call.horizonUs + BACK_SLACK_US) now = state.lastStart - call.horizonUs
  state.offset = now - clockUs
  return now
}

/** Whether whoever made the call has given up on it. */
export function isLate({ at, patienceUs, jumped }: EngineCall, now: number): boolean {
  return at > 0 && !jumped && now > at + patienceUs
}
