import type { EngineCall } from '../protocol.ts'
import { flatten, longestWindowUs } from '../wants.ts'
import { heldBack, live } from './members.ts'
import { endTurn, type GateState, type LimitMemory } from './state.ts'

/** Attempts granted at once to all members together, and to each of them at least. */
const MOST_GRANTED = 64
const LEAST_GRANTED = 4

/** Turns kept; whoever comes beyond them has to come again. */
const MOST_TURNS = 32

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
  readonly limit: number
  /** Charges of those whose turn is before this member's, and when it may start at the earliest where they fill the limit. */
  readonly ahead: number
  readonly behindAt: number
  readonly reading: { readonly stated: number; readonly foreign: number; readonly until: number } | undefined
}

/** Grants what waits, in order, as far as it may start within the horizon. The rest is told when to come back and keeps a turn. */
export function grant(state: GateState, call: EngineCall, now: number): Grants {
  const wanted = flatten(call.wants)
  if (wanted.length === 0) return grantNothing(state, call.member)
  if (state.park && now < state.park.until) return refuse(state.park.until - now)
  if (state.park && state.probe !== undefined) return refuse(Math.floor(call.heartbeatUs / 2))
  const probes = state.park !== undefined
  const cap = probes ? 1 : Math.max(LEAST_GRANTED, Math.floor(MOST_GRANTED / Math.max(1, live(state, call, now))))
  const ahead = turnsAhead(state, call.member, now)
  const bounds = boundsOf(state, call, ahead, now)
  const starts: number[] = []
  let back = 0
  for (const charges of wanted.slice(0, cap)) {
    const start = startOf(state, bounds, charges, now)
    if (start > now + call.horizonUs) {
      back = start - call.horizonUs
      break
    }
    bounds.forEach(({ memory }, index) => memory.log.add(charges[index]!, start))
    credit(bounds, charges, call.member)
    state.lastStart = start
    starts.push(start - now)
  }
  if (probes && starts.length > 0) state.probe = call.member
  if (back === 0)
    back = probes ? now + Math.floor(call.heartbeatUs / 2) : state.lastStart - Math.floor(call.horizonUs / 4)
  const backUs = keepTurn(state, call, wanted.slice(starts.length, starts.length + cap), {
    now,
    back,
    granted: starts.length,
  })
  return { starts, backUs, grantsProbe: probes && starts.length > 0 }
}

/** Nothing now: what is wanted is worth asking for again after so long. */
export function refuse(backUs: number): Grants {
  return { starts: [], backUs: Math.max(backUs, SOONEST_BACK_US), grantsProbe: false }
}

function grantNothing(state: GateState, member: string): Grants {
  endTurn(state, member)
  return { starts: [], backUs: 0, grantsProbe: false }
}

/** Turns before this member's own, or all where it has none. */
function turnsAhead({ turns }: GateState, member: string, now: number): GateState['turns'] {
  const own = turns.findIndex((turn) => turn.member === member)
  return turns.slice(0, own === -1 ? turns.length : own).filter(({ until }) => until >= now)
}

function boundsOf(state: GateState, call: EngineCall, ahead: GateState['turns'], now: number): Bound[] {
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

/** Where all of a limit is held back nothing goes. Foreign use leaves when its reading does: more than it leaves room for waits until then. */
function roomAt({ memory: { log }, limit, ahead, behindAt, reading }: Bound, charge: number): number {
  const ownAt = limit > 0 ? log.roomAt(charge, ahead, limit, behindAt) : Infinity
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

/** When to come back for what was not granted; a turn is kept until then. One that got something goes behind the others. */
function keepTurn(
  state: GateState,
  call: EngineCall,
  rest: readonly (readonly number[])[],
  { now, back, granted }: { now: number; back: number; granted: number },
): number {
  state.turns = state.turns.filter(({ until }) => until >= now)
  const place = granted > 0 ? -1 : state.turns.findIndex(({ member }) => member === call.member)
  endTurn(state, call.member)
  if (rest.length === 0) return 0
  const backUs = Math.min(Math.max(back - now, SOONEST_BACK_US), Math.max(longestWindowUs(call), SOONEST_BACK_US))
  if (state.turns.length >= MOST_TURNS) return backUs
  const charges = new Map(call.limits.map(({ id }, index) => [id, rest.reduce((sum, each) => sum + each[index]!, 0)]))
  const turn = { member: call.member, until: now + backUs + call.patienceUs, charges }
  state.turns.splice(place === -1 ? state.turns.length : place, 0, turn)
  return backUs
}
