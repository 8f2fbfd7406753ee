import type { Charges } from '../accounts.ts'
import type { EngineCall } from '../protocol.ts'
import type { Claim } from './parts.ts'
import type { GateState, Turn } from './state.ts'

/** Turns kept; whoever comes beyond them has to come again. */
const MOST_TURNS = 32

/** One who did not come in time has lost its turn. */
export function dropLapsed(state: GateState, now: number): void {
  state.turns = state.turns.filter(({ until }) => until >= now)
}

/** Where nobody else waits two attempts are due at least: with many members, by one a call a limit would not be used up. */
export function claimOf({ turns }: GateState, member: string): Claim {
  const hasTurn = turns.some((turn) => turn.member === member)
  return { hasTurn, least: turns.length > (hasTurn ? 1 : 0) ? 1 : 2 }
}

/** Turns before a member's own, or all where it has none. */
export function turnsAhead({ turns }: GateState, member: string): readonly Turn[] {
  const own = turns.findIndex((turn) => turn.member === member)
  return own === -1 ? turns : turns.slice(0, own)
}

/** A turn reserves what its member is going to be given. One that got something goes behind the others, and one that got its part has none. */
export function keepTurn(
  state: GateState,
  { member, limits }: EngineCall,
  { reserved, granted, until }: { reserved: readonly Charges[]; granted: number; until: number },
): void {
  const place = granted > 0 ? -1 : state.turns.findIndex((turn) => turn.member === member)
  endTurn(state, member)
  if (reserved.length === 0 || state.turns.length >= MOST_TURNS) return
  const charges = new Map(limits.map(({ id }, index) => [id, reserved.reduce((sum, each) => sum + each[index]!, 0)]))
  state.turns.splice(place === -1 ? state.turns.length : place, 0, { member, until, charges })
}

/** A member asks for nothing more, or is gone: it has no turn. */
export function endTurn(state: GateState, member: string): void {
  state.turns = state.turns.filter((turn) => turn.member !== member)
}
