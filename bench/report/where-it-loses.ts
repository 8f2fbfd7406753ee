import { NOISE } from './overhead-races.ts'
import { type Loss, lossesOf, type Race } from './losses.ts'
import { stack, table } from './markdown.ts'

/** Every figure by which somebody else is better. */
export function lossesSection(races: ReadonlyMap<string, readonly Race[]>): string {
  return stack(
    '## Where headgate loses',
    `Every figure of this run by which another contender is better, found by the program that wrote this page. Times and bytes that differ by less than ${NOISE * 100} % count as equal.`,
    ...[...races].map(([title, of]) => stack(`### ${title}`, lossesTable(lossesOf(of)))),
  )
}

function lossesTable(losses: readonly Loss[]): string {
  if (losses.length === 0) return 'Nowhere.'
  const rows = losses.map(({ what, bestsName, bestsNote, ours, best, alsoBetter }) => [
    what,
    bestsNote === '' ? bestsName : `${bestsName} (${bestsNote})`,
    alsoBetter.join(', '),
    ours,
    best,
  ])
  return table(['', 'the best', 'also better', 'headgate', 'the best'], rows, 3)
}
