import type { EngineAnswer, EngineCall, EngineReply } from '../protocol.ts'
import { chargeMissing } from './accounts.ts'
import { grant, type Grants, refuse } from './grants.ts'
import { configure, greet, type Greeting, holdLearning, noteGone } from './members.ts'
import { takeParking } from './parking.ts'
import { judge } from './readings.ts'
import { type GateState, newLimitMemory } from './state.ts'
import { isLate, logicalNow } from './time.ts'

/** How soon those who wait for the others to tell what they have sent come back. */
const LEARNING_BACK_US = 50_000

export interface Decision {
  readonly reply: EngineReply
  /** The other members have to know at once. */
  readonly isNews: boolean
}

/**
 * What an engine answers: everything it knows of one gate and one call make the next memory and the reply. `clockUs` is its own
 * clock. The script that Valkey and Redis run is this in Lua, and the two are held against each other.
 */
export function decide(state: GateState, call: EngineCall, clockUs: number): Decision {
  const now = logicalNow(state, call, clockUs)
  if (isLate(call, now)) return { reply: { late: true, now }, isNews: noteGone(state, call, now) }
  for (const { id, windowUs } of call.limits) {
    if (!state.limits.has(id)) state.limits.set(id, newLimitMemory(windowUs))
    state.limits.get(id)!.log.advance(now)
  }
  holdLearning(state, call, now)
  const { learntAt } = state
  const lost = chargeMissing(state, call, now)
  const greeting = greet(state, call, now, lost)
  const isNews = takeParking(state, call, now) || (state.learntAt !== learntAt && call.members > 1)
  configure(state, call, now)
  judge(state, call, now)
  const isFirst = call.leaves || (!greeting.learning && !call.away)
  const grants = isFirst ? grant(state, call, now) : refuse(LEARNING_BACK_US)
  return { reply: { ...standing(state, call, now), ...grants, ...greeting }, isNews }
}

function described({ until, ...park }: NonNullable<GateState['park']>, now: number): NonNullable<EngineAnswer['park']> {
  return { ...park, forUs: Math.max(0, until - now) }
}

function standing(
  { epoch, park, probe, limits }: GateState,
  { member, limits: called }: EngineCall,
  now: number,
): Omit<EngineAnswer, keyof Grants | keyof Greeting> {
  return {
    late: false,
    now,
    epoch,
    park: park && described(park, now),
    probing: probe === undefined ? 'nobody' : probe === member ? 'this' : 'another',
    limits: called.map(({ id, limit }) => {
      const memory = limits.get(id)
      const smallest = memory?.smallest.limit || limit
      return { granted: memory?.accounts.get(member)?.granted ?? 0, limit: Math.min(limit, smallest) }
    }),
  }
}
