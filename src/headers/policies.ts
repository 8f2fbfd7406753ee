import { type Member, readMembers } from './lists.ts'
import { readDecimal, readInteger, readThousandths } from './numbers.ts'
import { maxWaitMs } from './waits.ts'
import { MAX_NAME_CHARS } from './text.ts'

const NONE: readonly Policy[] = []

/** What a limit header says: `100`, `100;w=60`, `10;w=1;name="per-ip"`. */
export interface Policy {
  /** 0 to `Number.MAX_SAFE_INTEGER`. */
  limit: number
  windowMs?: number | undefined
  name?: string | undefined
}

/** The policy that `remaining` and `reset` belong to, and the others. */
export interface Policies {
  own: Policy
  others: readonly Policy[]
}

/**
 * The limit header of draft-ietf-httpapi-ratelimit-headers 00 to 05, which plain numbers and Docker Hub's `100;w=21600`
 * also fit: `5000, 1000;w=3600, 5000;w=86400`. The first member is the limit that is closest to its end; where it
 * states no window, the one policy of the same limit does. Two such policies leave it open. Undefined where the first
 * member is no limit.
 *
 * @param policy policies that are told apart from the limit
 */
export function readPolicies(limit: string | undefined, policy?: string): Policies | undefined {
  const alone = readInteger(limit)
  if (alone !== undefined && policy === undefined) return { own: { limit: alone }, others: NONE }
  const [first, ...rest] = [...readMembers(limit), ...readMembers(policy)]
  const expiring = first && readPolicy(first)
  if (!expiring) return undefined
  const listed = rest.map(readPolicy).filter((policy) => policy?.windowMs !== undefined) as Policy[]
  const own = expiring.windowMs === undefined ? (onlyMatch(listed, expiring) ?? expiring) : expiring
  return { own, others: listed.filter((policy) => !isSame(policy, own)) }
}

/**
 * The window that a member states, in milliseconds: `w` in seconds, which draft-polli-ratelimit-headers-00 called
 * `window`.
 */
export function readWindow({ parameters }: Member): number | undefined {
  return windowOf(readThousandths(parameters.get('w') ?? parameters.get('window')))
}

/** A window of no length, or of more than `maxWaitMs`, is taken for malformed. */
export function windowOf(ms: number | undefined): number | undefined {
  return ms !== undefined && ms > 0 && ms <= maxWaitMs ? ms : undefined
}

function readPolicy(member: Member): Policy | undefined {
  const limit = readDecimal(member.value)
  if (limit === undefined || limit < 0) return undefined
  return { limit, windowMs: readWindow(member), name: nameOf(member.parameters.get('name')) }
}

/** What a limit is called, where that is neither nothing nor too long. */
export function nameOf(text: string | undefined): string | undefined {
  return text && text.length <= MAX_NAME_CHARS ? text : undefined
}

function onlyMatch(listed: readonly Policy[], expiring: Policy): Policy | undefined {
  const matches = listed.filter(({ limit }) => limit === expiring.limit)
  return matches.length === 1 ? matches[0] : undefined
}

/** A header that is repeated and joined states the same policy twice. */
function isSame(one: Policy, other: Policy): boolean {
  return one.limit === other.limit && one.windowMs === other.windowMs
}
