import type { EngineCall } from '../protocol.ts'
import type { GateState } from './state.ts'

/**
 * Charges what a member has sent and the engine does not know of: grants that it has lost, and what was sent without one. It is
 * charged as of now, and no more of it than the member can have in the window. True where something was lost.
 */
export function chargeMissing(state: GateState, call: EngineCall, now: number): boolean {
  let lost = call.epoch !== 0 && call.epoch !== state.epoch
  for (const { id, granted, extra, recent } of call.limits) {
    const { accounts, log } = state.limits.get(id)!
    const account = accounts.get(call.member) ?? { granted: 0, extra: 0 }
    const forgotten = Math.max(0, granted - account.granted)
    const missing = Math.min(forgotten + Math.max(0, extra - account.extra), recent)
    if (missing > 0) {
      log.add(missing, Math.max(now, state.lastStart))
      state.lastStart = Math.max(state.lastStart, now)
    }
    lost ||= forgotten > 0 && recent > 0
    accounts.set(call.member, { granted: account.granted + forgotten, extra: Math.max(account.extra, extra) })
  }
  return lost
}
