import type { Contender } from '../contenders/contender.ts'
import type { Ran } from '../results.ts'
import { stack, table } from './markdown.ts'

/** What a service could use too, and why it has no row of its own. */
export interface LeftOut {
  name: string
  why: string
}

/** Who ran, how each was set up, and the words of its documentation that this follows. */
export function contendersSection(
  contenders: readonly Contender[],
  leftOut: readonly LeftOut[],
  { versions }: Ran,
): string {
  const rows = contenders.map((contender) => [
    contender.name,
    versionOf(contender, versions),
    contender.setUp,
    quotationOf(contender),
    contender.retries ? 'yes' : 'no',
  ])
  const missing = leftOut.map(({ name, why }) => [name, '', `Not run. ${why}`])
  return stack(
    '## The contenders',
    'As their own documentation sets them up, at their defaults otherwise. *Retries*: whether a call is tried again by default.',
    table(['', 'version', 'set-up', 'which follows', 'retries'], [...rows, ...missing], 5),
  )
}

function versionOf({ package: name }: Contender, versions: Ran['versions']): string {
  if (name === undefined) return ''
  return versions[name] ?? 'unknown'
}

function quotationOf({ source: { quote, url } }: Contender): string {
  return `“${quote}” (${url === '' ? 'what its package contains' : `[source](${url})`})`
}
