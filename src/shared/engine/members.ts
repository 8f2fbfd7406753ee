import type { EngineCall } from '../protocol.ts'
import type { GateState } from './state.ts'

/** A member that has not been heard of for so many heartbeats is gone. */
const GONE_AFTER = 3

/** How long the engine waits for members to tell what they have sent, in heartbeats. */
const LEARNING_BEATS = 2

/**
 * A member heard of no longer ago than this part of a heartbeat is in touch: members are heard of twice in one. One that was heard of
 * only before another lost the engine may have lost it with that one.
 */
const IN_TOUCH = 0.75

/** What was charged to one who is gone is remembered for so many windows. */
const REMEMBERED_WINDOWS = 2

/**
 * Takes a member in, and forgets those who are long gone. True while the engine waits for others, because it has lost what it knew, or
 * cannot know what they have sent without it: whoever is not in touch may have.
 */
export function greet(state: GateState, call: EngineCall, now: number, lost: boolean): boolean {
  forgetOld(state, call, now)
  const begins = (lost || call.away) && !hasLearnt(state, call, now)
  const isSameMemory = call.epoch === state.epoch
  if (state.epoch === 0) state.epoch = call.newEpoch
  if (begins) beginLearning(state, call, now, { lost, isSameMemory })
  if (call.leaves) return leave(state, call, now)
  state.members.set(call.member, { heardAt: now, parts: 0 })
  const learning = isLearning(state, call, now)
  const parts = Math.max(heardSince(state, call, 0, now), learning ? state.learning.expected : 0)
  state.members.set(call.member, { heardAt: now, parts })
  return learning
}

/** Of members that configure different limits the smallest holds, as long as one does that is not gone. */
export function configure({ limits }: GateState, call: EngineCall, now: number): void {
  for (const { id, limit } of call.limits) {
    const { smallest } = limits.get(id)!
    const isOld = smallest.limit === 0 || now - smallest.at > GONE_AFTER * call.heartbeatUs
    if (call.leaves || (limit > smallest.limit && !isOld)) continue
    smallest.limit = limit
    smallest.at = now
  }
}

/** Whether a member is not gone. */
export function isLive({ members }: GateState, member: string, { heartbeatUs }: EngineCall, now: number): boolean {
  return (members.get(member)?.heardAt ?? -1) >= now - GONE_AFTER * heartbeatUs
}

/** Members that are not gone and have been heard of since. */
export function heardSince({ members }: GateState, { heartbeatUs }: EngineCall, sinceAt: number, now: number): number {
  const from = Math.max(sinceAt, now - GONE_AFTER * heartbeatUs)
  return [...members.values()].filter(({ heardAt }) => heardAt >= from).length
}

/** What those who went without a word may be sending by themselves of a limit. */
export function heldBack(
  state: GateState,
  { heartbeatUs, holdBackUs }: EngineCall,
  limit: number,
  now: number,
): number {
  if (holdBackUs === 0) return 0
  const { members, nameless } = state
  const goneAt = now - GONE_AFTER * heartbeatUs
  let sum =
    nameless.count > 0 && nameless.at >= now - holdBackUs ? nameless.count * Math.floor(limit / nameless.parts) : 0
  for (const { heardAt, parts } of members.values())
    if (parts > 0 && heardAt < goneAt && heardAt >= goneAt - holdBackUs) sum += Math.floor(limit / parts)
  return sum
}

/**
 * Whether the engine has learnt anew since this member was last answered, and not so long ago that members may have gone by themselves
 * again.
 */
function hasLearnt({ epoch, learntAt }: GateState, call: EngineCall, now: number): boolean {
  if (learntAt === 0 || now - learntAt > call.heartbeatUs) return false
  return call.epoch !== epoch || call.heardAt <= learntAt
}

function beginLearning(
  state: GateState,
  call: EngineCall,
  now: number,
  { lost, isSameMemory }: { lost: boolean; isSameMemory: boolean },
): void {
  const inTouchAt = now - Math.floor(call.heartbeatUs * IN_TOUCH)
  const ofOtherMemory = call.away ? inTouchAt : 0
  state.learning = {
    sinceAt: !isSameMemory ? ofOtherMemory : lost ? now : Math.max(inTouchAt, call.heardAt + 1),
    until: now + LEARNING_BEATS * call.heartbeatUs,
    expected: Math.max(call.members, state.learning.expected),
  }
  state.learntAt = now
}

function isLearning(state: GateState, call: EngineCall, now: number): boolean {
  const { sinceAt, until, expected } = state.learning
  if (expected === 0) return false
  const heard = heardSince(state, call, sinceAt, now)
  if (now < until && heard < expected) return true
  state.learning = { sinceAt: 0, until: 0, expected: 0 }
  if (call.holdBackUs > 0) state.nameless = { count: Math.max(0, expected - heard), parts: expected, at: now }
  return false
}

function leave(state: GateState, { member, heartbeatUs }: EngineCall, now: number): false {
  state.members.set(member, { heardAt: now - GONE_AFTER * heartbeatUs - 1, parts: 0 })
  state.turns = state.turns.filter((turn) => turn.member !== member)
  if (state.probe === member) state.probe = undefined
  return false
}

function forgetOld({ members, limits }: GateState, call: EngineCall, now: number): void {
  const longest = call.limits.reduce((most, { windowUs }) => Math.max(most, windowUs), 0)
  const goneAt = now - GONE_AFTER * call.heartbeatUs
  const oldAt = goneAt - Math.max(REMEMBERED_WINDOWS * longest, call.holdBackUs)
  for (const [member, { heardAt }] of members) {
    if (heardAt >= oldAt || member === call.member) continue
    members.delete(member)
    for (const { accounts } of limits.values()) accounts.delete(member)
  }
}
