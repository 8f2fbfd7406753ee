import type { EngineCall } from '../protocol.ts'
import type { GateState } from './state.ts'

/** A member that has not been heard of for so many heartbeats is gone. */
export const GONE_AFTER_BEATS = 3

/** Whether a member is not gone. */
export function isLive({ members }: GateState, member: string, call: EngineCall, now: number): boolean {
  return (members.get(member)?.heardAt ?? -1) >= goneBefore(call, now)
}

/** One who was last heard of before this is gone. */
export function goneBefore({ heartbeatUs }: EngineCall, now: number): number {
  return now - GONE_AFTER_BEATS * heartbeatUs
}

/** Members heard of since. One heard of by a clock that was set back after that may have been going by itself. */
export function inTouch({ members }: GateState, sinceAt: number, now: number): number {
  return [...members.values()].filter(({ heardAt }) => heardAt >= sinceAt && heardAt <= now).length
}

/** Members that are not gone. */
export function live({ members }: GateState, call: EngineCall, now: number): number {
  const from = goneBefore(call, now)
  return [...members.values()].filter(({ heardAt }) => heardAt >= from).length
}
