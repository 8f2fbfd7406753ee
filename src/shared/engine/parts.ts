import type { Charges } from '../accounts.ts'

/** On what ground a member has its part. */
export interface Claim {
  /** It was told to come back. */
  readonly hasTurn: boolean
  /** Attempts that are due whatever they weigh. */
  readonly least: number
}

/** An equal part of each limit for each of the members. One that is alone has no part: it takes what it can get. */
export function partsOf(limits: readonly { readonly limit: number }[], members: number): readonly number[] {
  return limits.map(({ limit }) => (members > 1 ? limit / members : Infinity))
}

/**
 * Of attempts in order those that are due to a member: its part of every limit. One that has a turn has its part rounded up, and another
 * down: so what is left over goes to each in turn.
 */
export function dueOf(
  wanted: readonly Charges[],
  parts: readonly number[],
  { hasTurn, least }: Claim,
): readonly Charges[] {
  const taken = parts.map(() => 0)
  const isBeyond = (charge: number, index: number): boolean => {
    const [before, part] = [taken[index]!, parts[index]!]
    return charge > 0 && (hasTurn ? before >= part : before + charge > part)
  }
  for (const [place, charges] of wanted.entries()) {
    if (place >= least && charges.some(isBeyond)) return wanted.slice(0, place)
    charges.forEach((charge, index) => (taken[index]! += charge))
  }
  return wanted
}
