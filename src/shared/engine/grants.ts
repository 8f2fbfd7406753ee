import type { Charges } from '../accounts.ts'
import type { EngineCall } from '../protocol.ts'
import { flatten, longestWindowUs } from '../wants.ts'
import { heldBack } from './alone.ts'
import { live } from './presence.ts'
import { dueOf, partsOf } from './parts.ts'
import type { GateState, LimitMemory, Turn } from './state.ts'
import { claimOf, dropLapsed, endTurn, keepTurn, turnsAhead } from './turns.ts'

/** Attempts granted at once to all members together, and to each of them at least. */
const MOST_GRANTED = 64
const LEAST_GRANTED = 4

/** No sooner than this is it worth coming back. */
const SOONEST_BACK_US = 5_000

/** What is granted to one call. */
export interface Grants {
  readonly starts: readonly number[]
  readonly backUs: number
  readonly grantsProbe: boolean
}

/** What binds the charges of one limit now. */
interface Bound {
  readonly memory: LimitMemory
  /** What is not held back of it. */
  readonly limit: number
  /** Charges of those whose turn is before this member's, and when it may start at the earliest where they fill the limit. */
  readonly ahead: number
  readonly behindAt: number
  readonly reading: { readonly stated: number; readonly foreign: number; readonly until: number } | undefined
}

/**
 * Grants what waits, in order, up to the member's part and as far as it may start within the horizon. The rest is told when to come
 * back, and one that has not had its part keeps a turn.
 */
export function grant(state: GateState, call: EngineCall, now: number): Grants {
  const wanted = flatten(call.wants)
  if (wanted.length === 0) return grantNothing(state, call.member)
  if (state.park && now < state.park.until) return refuse(state.park.until - now)
  if (state.park && state.probe !== undefined) return refuse(Math.floor(call.heartbeatUs / 2))
  dropLapsed(state, now)
  const probes = state.park !== undefined
  const members = live(state, call, now)
  const most = probes ? 1 : Math.max(LEAST_GRANTED, Math.floor(MOST_GRANTED / Math.max(1, members)))
  const bounds = boundsOf(state, call, turnsAhead(state, call.member), now)
  const parts = partsOf(bounds, members)
  const due = dueOf(wanted, parts, claimOf(state, call.member))
  const { starts, backAt } = grantDue(state, call, { bounds, due: due.slice(0, most), now })
  const grantsProbe = probes && starts.length > 0
  if (grantsProbe) state.probe = call.member
  const granted = starts.length
  const rest = wanted.slice(granted)
  const soonest = probes ? now + Math.floor(call.heartbeatUs / 2) : state.lastStart - Math.floor(call.horizonUs / 4)
  const backUs = rest.length === 0 ? 0 : backAfter(call, (backAt ?? soonest) - now)
  const left = backAt === undefined ? due.slice(granted) : dueOf(rest, parts, { hasTurn: true, least: 1 })
  const reserved = backAt === Infinity ? [] : left.slice(0, most)
  keepTurn(state, call, { reserved, granted, until: now + backUs + call.patienceUs })
  return { starts, backUs, grantsProbe }
}

/** Starts of what is due, and when the first that may not start within the horizon is worth asking for again. */
function grantDue(
  state: GateState,
  call: EngineCall,
  { bounds, due, now }: { bounds: readonly Bound[]; due: readonly Charges[]; now: number },
): { starts: readonly number[]; backAt?: number } {
  const starts: number[] = []
  for (const charges of due) {
    const start = startOf(state, bounds, charges, now)
    if (start > now + call.horizonUs) return { starts, backAt: start - call.horizonUs }
    bounds.forEach(({ memory }, index) => memory.log.add(charges[index]!, start))
    credit(bounds, charges, call.member)
    state.lastStart = start
    starts.push(start - now)
  }
  return { starts }
}

function backAfter(call: EngineCall, us: number): number {
  return Math.min(Math.max(us, SOONEST_BACK_US), Math.max(longestWindowUs(call), SOONEST_BACK_US))
}

/** Nothing now: what is wanted is worth asking for again after so long. */
export function refuse(backUs: number): Grants {
  return { starts: [], backUs: Math.max(backUs, SOONEST_BACK_US), grantsProbe: false }
}

function grantNothing(state: GateState, member: string): Grants {
  endTurn(state, member)
  return { starts: [], backUs: 0, grantsProbe: false }
}

function boundsOf(state: GateState, call: EngineCall, ahead: readonly Turn[], now: number): Bound[] {
  const dueAt = ahead.reduce((least, { until }) => Math.min(least, until - call.patienceUs), Infinity)
  const behindAt = Math.max(now + SOONEST_BACK_US, dueAt) + call.horizonUs
  return call.limits.map(({ id }) => {
    const memory = state.limits.get(id)!
    const { limit } = memory.smallest
    const isRead = memory.reading.until > now && !(state.park?.hinted ?? false)
    return {
      memory,
      limit: limit - heldBack(state, call, limit, now),
      ahead: ahead.reduce((sum, { charges }) => sum + (charges.get(id) ?? 0), 0),
      behindAt,
      reading: isRead ? memory.reading : undefined,
    }
  })
}

/** Nobody starts before those who were granted earlier. */
function startOf({ lastStart }: GateState, bounds: readonly Bound[], charges: readonly number[], now: number): number {
  return bounds.reduce(
    (latest, bound, index) => (charges[index] === 0 ? latest : Math.max(latest, roomAt(bound, charges[index]!))),
    Math.max(now, lastStart),
  )
}

/**
 * What is heavier than a limit goes alone, but not where some of that is held back: it would not be alone. Foreign use leaves when its
 * reading does: more than it leaves room for waits until then.
 */
function roomAt({ memory: { log, smallest }, limit, ahead, behindAt, reading }: Bound, charge: number): number {
  const isHeldBack = limit < smallest.limit
  const ownAt = isHeldBack && charge > limit ? Infinity : log.roomAt(charge, ahead, limit, behindAt)
  if (reading === undefined) return ownAt
  const left = reading.stated - reading.foreign
  const readAt = Math.min(charge, reading.stated) <= left ? log.roomAt(charge, ahead, left, behindAt) : Infinity
  return Math.max(ownAt, Math.min(readAt, reading.until))
}

function credit(bounds: readonly Bound[], charges: readonly number[], member: string): void {
  bounds.forEach(({ memory: { accounts } }, index) => {
    const account = accounts.get(member)!
    account.granted += charges[index]!
  })
}
