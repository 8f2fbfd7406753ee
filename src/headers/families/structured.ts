import type { Reading } from '../../gate/observation.ts'
import { type Context, type Family, stated } from '../family.ts'
import { type Member, readMembers, unquote } from '../lists.ts'
import { readDecimal, readUnsigned } from '../numbers.ts'
import { readPolicies, readWindow } from '../policies.ts'
import { readWait } from '../waits.ts'
import { MAX_NAME_CHARS, splitOnce } from '../text.ts'

/**
 * `RateLimit` and `RateLimit-Policy` of draft-ietf-httpapi-ratelimit-headers: a list of named limits since 08
 * (`"day";r=100;t=36000` beside `"day";q=5000;w=86400`), one dictionary in 07 (`limit=100, remaining=50, reset=5`). What is stated
 * is joined by name; a policy that says nothing of what is left is a reading of its own.
 */
export const structured: Family = {
  headers: { states: 'ratelimit', policies: 'ratelimit-policy' },
  common: true,
  read: (get, context) => {
    const states = readMembers(get('states'))
    const policies = get('policies')
    return states.some(({ value }) => value.includes('='))
      ? readDictionary(states, policies, context)
      : readList(states, policies, context)
  },
}

function readDictionary(
  members: readonly Member[],
  policyText: string | undefined,
  context: Context,
): readonly Reading[] {
  const entries = new Map(members.map(({ value }) => splitPair(value)))
  const policies = readPolicies(entries.get('limit'), policyText)
  const reset = readWait(entries.get('reset'), context.now)
  const main = stated({
    limit: policies?.own.limit,
    remaining: readDecimal(entries.get('remaining')),
    windowMs: policies?.own.windowMs,
    resetInMs: reset?.waitMs,
    resetStepMs: reset?.stepMs,
  })
  return Object.keys(main).length > 0 ? [main, ...(policies?.others ?? []).map((policy) => stated({ ...policy }))] : []
}

function splitPair(text: string): [key: string, value: string] {
  const [key, value] = splitOnce(text, '=')
  return [key.trim().toLowerCase(), value.trim()]
}

function readList(states: readonly Member[], policyText: string | undefined, context: Context): readonly Reading[] {
  const policies = new Map(readMembers(policyText).map((member) => [nameOf(member), member]))
  const told = states.flatMap((state) => {
    const policy = policies.get(nameOf(state))
    policies.delete(nameOf(state))
    return readLimit(nameOf(state), state, policy, context)
  })
  return [...told, ...[...policies].flatMap(([name, policy]) => readLimit(name, undefined, policy, context))]
}

function readLimit(name: string, state: Member | undefined, policy: Member | undefined, context: Context): Reading[] {
  const limit = readUnsigned(policy?.parameters.get('q'))
  const remaining = readDecimal(state?.parameters.get('r'))
  const reset = readWait(state?.parameters.get('t'), context.now)
  if (limit === undefined && remaining === undefined && reset === undefined) return []
  return [
    stated({
      name,
      limit,
      remaining,
      windowMs: policy && readWindow(policy),
      resetInMs: reset?.waitMs,
      resetStepMs: reset?.stepMs,
      unit: countedIn(policy?.parameters.get('qu')),
    }),
  ]
}

/** Requests go without saying, and a unit is a word. */
function countedIn(unit = ''): string | undefined {
  return unit === '' || unit === 'requests' || unit.length > MAX_NAME_CHARS ? undefined : unit
}

/** A name is a quoted string or a bare word; a long one is cut. */
function nameOf({ value }: Member): string {
  return unquote(value).slice(0, MAX_NAME_CHARS)
}
