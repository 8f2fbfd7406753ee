import type { EngineCall } from '../protocol.ts'
import { isLive } from './presence.ts'
import type { GateState } from './state.ts'

/**
 * Takes what a member tells of a park, and of its probe. A park is lengthened and never shortened; only a probe opens it. True where
 * the others have to know.
 */
export function takeParking(state: GateState, call: EngineCall, now: number): boolean {
  const before = state.park
  const isProber = state.probe === call.member
  if (state.probe !== undefined && !isProber && !isLive(state, state.probe, call, now)) state.probe = undefined
  if (call.probe === 'reopened' && (isProber || state.probe === undefined)) {
    state.park = undefined
    state.probe = undefined
  }
  if (isProber && call.probe === 'lost') state.probe = undefined
  if (call.park) lengthen(state, call.park, call.member, now)
  return state.park?.until !== before?.until
}

function lengthen(state: GateState, park: NonNullable<EngineCall['park']>, member: string, now: number): void {
  const { forUs, hinted, ceilingUs, broken } = park
  const before = state.park
  const until = Math.max(before?.until ?? 0, now + forUs)
  state.park = {
    until,
    hinted: before && until === before.until ? before.hinted : hinted,
    ceilingUs: Math.max(before?.ceilingUs ?? 0, ceilingUs),
    broken: broken || (before !== undefined && until === before.until && before.broken),
  }
  if (broken && state.probe === undefined) state.probe = member
}
