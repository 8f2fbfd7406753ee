import type { OverheadResult } from '../overhead/result.ts'
import { stack, table } from './markdown.ts'
import { count, rounded } from './numbers.ts'

/** How what headgate costs grows with the work. */
export function growthSection({ growth }: OverheadResult): string {
  const most = Math.max(...growth.map(({ points }) => points.length))
  const scales = Array.from({ length: most }, (_, index) => (index === 0 ? 'milliseconds for' : ''))
  const rows = growth.map(({ of, what, points, exponent }) => [
    of,
    what,
    ...scales.map((_, index) => pointText(points[index])),
    exponent.toFixed(2),
  ])
  return stack(
    '## Growth',
    'Of headgate: what so many cost in all, at 1, 10, 100 and 1 000 times the work, and the exponent that fits: 1 where the cost grows in line with the work.',
    table(['', '', ...scales, 'exponent'], rows, 2),
  )
}

function pointText(point: OverheadResult['growth'][number]['points'][number] | undefined): string {
  return point === undefined ? '' : `${count(point.size)}: ${rounded(point.totalMs)}`
}
