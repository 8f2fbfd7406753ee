import type { Calls } from './calls.ts'
import { ConfigError } from './gate/errors.ts'

const all = new WeakMap<object, Calls>()

/** Lets the other entries of the package make calls of this headgate. */
export function shareCalls(headgate: object, calls: Calls): void {
  all.set(headgate, calls)
}

/** Throws a `ConfigError` for what this copy of the package did not make. */
export function sharedCalls(headgate: object): Calls {
  const calls = all.get(headgate)
  if (calls) return calls
  throw new ConfigError([
    {
      option: 'headgate',
      value: headgate,
      expected: 'what createHeadgate of this copy of the package made (import and require load two)',
    },
  ])
}
