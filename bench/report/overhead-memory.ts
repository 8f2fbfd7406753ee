import type { OverheadResult } from '../overhead/result.ts'
import { stack, table } from './markdown.ts'
import { count, rounded } from './numbers.ts'
import { abortText, boldOurs, leftOutOf, signalsText, tooSlow } from './overhead-names.ts'
import { pivot } from './pivot.ts'

/** What those who wait and what nobody uses take up, and what it takes to send the former away. */
export function memorySection(result: OverheadResult): string {
  return stack('## Memory and aborts', waiters(result), gates(result), aborts(result))
}

function waiters(result: OverheadResult): string {
  const { columns, body } = pivot(
    result.waiters,
    ({ signals }) => signalsText(signals),
    ({ bytes }) => count(bytes),
  )
  const rows = body.map(([peer, cells]) => [boldOurs(peer), ...cells])
  return stack(
    '### Bytes of one who waits',
    `Among ${count(result.waiters[0]?.waiters ?? 0)}; signals not counted. An empty cell: it cannot be aborted so.`,
    table(['', ...columns], [...rows, ...leftOutOf(result, 'waiters')]),
  )
}

function gates({ gates: all }: OverheadResult): string {
  const rows = all.map(({ kind, bytes, cpuUs }) => [`headgate: ${kind}`, count(bytes), rounded(cpuUs)])
  return stack(
    '### Gates that nobody uses',
    `Among ${count(all[0]?.gates ?? 0)}. *Idle*: used once, and its window is over.`,
    table(['', 'bytes', 'of the processor to make and use it, µs'], rows),
  )
}

function aborts({ aborts: all }: OverheadResult): string {
  const { columns, body } = pivot(all, abortText, ({ ms, capMs }) => (ms === undefined ? tooSlow(capMs) : rounded(ms)))
  return stack(
    '### Aborting all who wait',
    `${count(all[0]?.waiters ?? 0)} of them; milliseconds for which nothing else runs. *Bare listeners* are promises that an abort rejects, without a queue.`,
    table(
      ['', ...columns],
      body.map(([peer, cells]) => [boldOurs(peer), ...cells]),
    ),
  )
}
