import type { OverheadResult } from '../overhead/result.ts'
import { stack, table } from './markdown.ts'
import { count, rounded } from './numbers.ts'
import { boldOurs, leftOutOf, tooSlow } from './overhead-names.ts'
import { pivot } from './pivot.ts'

/** Nanoseconds and microseconds of one call. */
export function callsSection(result: OverheadResult): string {
  return stack(
    '## What a call costs',
    '![What a call costs](figures/bench-overhead.svg)',
    alone(result),
    crowded(result),
  )
}

function alone(result: OverheadResult): string {
  const rows = result.uncontended.map(({ peer, how, setUp, ns, cpuNs }) => [
    boldOurs(peer),
    how,
    setUp,
    ...[ns, cpuNs].map(rounded),
  ])
  return stack(
    '### Nobody has to wait',
    '*Try* takes at once or is refused; *call* is awaited, with a task of nothing in it.',
    table(['', '', 'set-up', 'ns a call', 'of the processor, ns'], [...rows, ...leftOutOf(result, 'uncontended')], 3),
  )
}

function crowded(result: OverheadResult): string {
  const { columns, body } = pivot(
    result.contended,
    ({ calls }) => `${count(calls)} at once`,
    ({ cpuUs, capMs }) => (cpuUs === undefined ? tooSlow(capMs) : rounded(cpuUs)),
  )
  const rows = body.map(([peer, cells]) => {
    const own = result.contended.filter((row) => row.peer === peer)
    const heldBy = own.slice(0, 1).map(({ by, setUp }) => `${by}: ${setUp}`)
    return [boldOurs(peer), ...heldBy, own.every(({ inOrder }) => inOrder) ? 'yes' : '**no**', ...cells]
  })
  return stack(
    '### Others wait, too',
    'So many are asked for at once behind something that holds them, and are then let go. Microseconds of the processor a call.',
    table(['', 'held by', 'keeps order', ...columns], [...rows, ...leftOutOf(result, 'contended')], 3),
  )
}
