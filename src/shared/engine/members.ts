import type { EngineCall } from '../protocol.ts'
import { longestWindowUs } from '../wants.ts'
import { fewer, partsAlone } from './alone.ts'
import { goneBefore, inTouch, live } from './presence.ts'
import type { GateState } from './state.ts'
import { endTurn } from './turns.ts'

/** How long the engine waits for members to tell what they have sent, in heartbeats. */
const LEARNING_BEATS = 2

/** What was charged to one who is gone is remembered for so many windows. */
const REMEMBERED_WINDOWS = 2

/** What a member is told of the others. */
export interface Greeting {
  /** The engine waits for others, because it has lost what it knew, or cannot know what they have sent without it. */
  readonly learning: boolean
  readonly members: number
  /** One of so many parts is what it may send by itself; 0 for nothing. */
  readonly parts: number
}

/**
 * Takes a member in, and forgets those who are long gone. One that goes by itself is not taken in before it has had an answer and told
 * all that it sent until then: its call comes through where the answer does not.
 */
export function greet(state: GateState, call: EngineCall, now: number, lost: boolean): Greeting {
  forgetOld(state, call, now)
  const isSameMemory = call.epoch === state.epoch
  const learnsAnew = (lost || call.away) && !hasLearnt(state, call, now)
  if (state.epoch === 0) state.epoch = call.newEpoch
  if (!call.away && !call.leaves) takeIn(state, call, now)
  if (learnsAnew || isFirstBack(state, call, now)) beginLearning(state, call, now, { lost, isSameMemory })
  if (call.leaves) return leave(state, call, now)
  const learning = isLearning(state, call, now)
  const heard = Math.max(live(state, call, now), learning ? state.learning.expected : 0, 1)
  const members = call.away ? Math.max(heard, call.members) : heard
  const parts = call.holdBackUs === 0 ? members : partsHeldBack(state, call, now, learning)
  if (!call.away) state.members.set(call.member, { heardAt: now, parts: fewer(call.parts, parts) })
  return { learning, members, parts }
}

/** One that is away, or while others are waited for, keeps the part that it has. */
function partsHeldBack(state: GateState, call: EngineCall, now: number, learning: boolean): number {
  return learning || call.away ? call.parts : partsAlone(state, call, now)
}

function takeIn(state: GateState, { member, epoch }: EngineCall, now: number): void {
  if (epoch !== 0 && !state.members.has(member)) state.nameless.count = Math.max(0, state.nameless.count - 1)
  state.members.set(member, { heardAt: now, parts: 0 })
}

/** Whether this member is back while others may still go by themselves, and nobody waits for them yet. */
function isFirstBack(state: GateState, call: EngineCall, now: number): boolean {
  if (!call.back || state.learning.expected > 0) return false
  return inTouch(state, now - call.patienceUs, now) < call.members
}

/** Learning that began by a clock that has been set back since is taken to begin now. */
export function holdLearning(state: GateState, { heartbeatUs, patienceUs }: EngineCall, now: number): void {
  const { learning } = state
  const latestUntil = now + LEARNING_BEATS * heartbeatUs
  state.learntAt = Math.min(state.learntAt, now)
  if (learning.until <= latestUntil) return
  learning.until = latestUntil
  learning.sinceAt = Math.min(learning.sinceAt, now - patienceUs)
}

/**
 * Whoever made this call has given up on it, and goes by itself until it comes again: what it sends meanwhile has to be known before
 * anything more is granted. True where that is news.
 */
export function noteGone(state: GateState, call: EngineCall, now: number): boolean {
  if (state.epoch === 0 || call.epoch !== state.epoch || hasLearnt(state, call, now)) return false
  beginLearning(state, call, now, { lost: false, isSameMemory: true })
  return call.members > 1
}

/** Of members that configure different limits the smallest holds, as long as one does that is not gone. */
export function configure({ limits }: GateState, call: EngineCall, now: number): void {
  for (const { id, limit } of call.limits) {
    const { smallest } = limits.get(id)!
    const isOld = smallest.limit === 0 || smallest.at < goneBefore(call, now)
    if (call.leaves || (limit > smallest.limit && !isOld)) continue
    smallest.limit = limit
    smallest.at = now
  }
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
  state.learning = {
    sinceAt: sinceAt(call, now, { lost, isSameMemory }),
    until: now + LEARNING_BEATS * call.heartbeatUs,
    expected: Math.max(call.members, state.learning.expected),
  }
  state.learntAt = now
}

/** Since when members have to have been heard of: one who was answered no longer ago than it waits for an answer does not go by itself. */
function sinceAt(
  { away, patienceUs }: EngineCall,
  now: number,
  { lost, isSameMemory }: { lost: boolean; isSameMemory: boolean },
): number {
  if (isSameMemory) return lost ? now : now - patienceUs
  return away ? now - patienceUs : 0
}

function isLearning(state: GateState, call: EngineCall, now: number): boolean {
  const { sinceAt, until, expected } = state.learning
  if (expected === 0) return false
  const heard = inTouch(state, sinceAt, now)
  if (now < until && heard < expected) return true
  state.learning = { sinceAt: 0, until: 0, expected: 0 }
  if (call.holdBackUs > 0) state.nameless = { count: Math.max(0, expected - heard), parts: expected, at: now }
  return false
}

function leave(state: GateState, call: EngineCall, now: number): Greeting {
  const { member } = call
  state.members.set(member, { heardAt: goneBefore(call, now) - 1, parts: 0 })
  endTurn(state, member)
  if (state.probe === member) state.probe = undefined
  return { learning: false, members: 1, parts: 0 }
}

function forgetOld({ members, limits }: GateState, call: EngineCall, now: number): void {
  const oldAt = goneBefore(call, now) - Math.max(REMEMBERED_WINDOWS * longestWindowUs(call), call.holdBackUs)
  for (const [member, { heardAt }] of members) {
    if (heardAt >= oldAt || member === call.member) continue
    members.delete(member)
    for (const { accounts } of limits.values()) accounts.delete(member)
  }
}
