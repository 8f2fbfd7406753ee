import type { Calls } from './calls.ts'
import { ConfigError } from './gate/errors.ts'
import type { Headgate } from './headgate.ts'

const all = new WeakMap<Headgate, Calls>()

/** Lets the other entries of the package make calls of this headgate. */
export function shareCalls(headgate: Headgate, calls: Calls): void {
  all.set(headgate, calls)
}

/** Throws a `ConfigError` for what this copy of the package did not make. */
export function sharedCalls(headgate: Headgate): Calls {
  const calls = all.get(headgate)
  if (calls) return calls
  throw new ConfigError([{ option: 'headgate', value: headgate, expected: 'what createHeadgate of this package made' }])
}
