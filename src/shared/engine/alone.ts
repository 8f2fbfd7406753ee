import type { EngineCall } from '../protocol.ts'
import { goneBefore, live } from './presence.ts'
import type { GateState } from './state.ts'

/** Sums of parts are off by less. */
const ROUNDING = 1e-9

/**
 * Of how many equal parts of every limit a member may send one by itself where it loses the engine; 0 for none. What all of them were
 * told never adds up to more than the limit, those who went without a word and are held back included: one that comes new has its
 * part when the others have been told of less.
 */
export function partsAlone(state: GateState, call: EngineCall, now: number): number {
  const left = 1 - heldParts(state, call, now)
  const equal = left < ROUNDING ? 0 : roundedUp(live(state, call, now) / left)
  if (equal === 0 || (call.parts > 0 && equal >= call.parts)) return equal
  const free = left - othersParts(state, call, now)
  return free < ROUNDING ? 0 : Math.max(equal, roundedUp(1 / free))
}

/** The larger part of the two, of which the answer that tells of the second may be lost. */
export function fewer(known: number, told: number): number {
  return known > 0 && told > 0 ? Math.min(known, told) : Math.max(known, told)
}

/** What those who went without a word may be sending by themselves of a limit. */
export function heldBack(state: GateState, call: EngineCall, limit: number, now: number): number {
  return held(state, call, now, (parts) => Math.floor(limit / parts))
}

/** The same as a part of any limit. */
function heldParts(state: GateState, call: EngineCall, now: number): number {
  return held(state, call, now, (parts) => 1 / parts)
}

function held({ members, nameless }: GateState, call: EngineCall, now: number, one: (parts: number) => number): number {
  const { holdBackUs } = call
  if (holdBackUs === 0) return 0
  const goneAt = goneBefore(call, now)
  let sum = nameless.count > 0 && nameless.at >= now - holdBackUs ? nameless.count * one(nameless.parts) : 0
  for (const { heardAt, parts } of members.values())
    if (parts > 0 && heardAt < goneAt && heardAt >= goneAt - holdBackUs) sum += one(parts)
  return sum
}

/** What the others that are not gone have been told. */
function othersParts({ members }: GateState, call: EngineCall, now: number): number {
  const goneAt = goneBefore(call, now)
  let sum = 0
  for (const [member, { heardAt, parts }] of members)
    if (member !== call.member && parts > 0 && heardAt >= goneAt) sum += 1 / parts
  return sum
}

function roundedUp(parts: number): number {
  return Math.ceil(parts - ROUNDING)
}
