import type { EfficacyResult } from '../efficacy/result.ts'
import { stack, table } from './markdown.ts'
import { count, percent } from './numbers.ts'
import { byScenarioAndLatency, cutOf, nameOf, OMNISCIENT, ofGroup, threeOf, titleOf } from './rows.ts'

export function otherSection(results: readonly EfficacyResult[]): string {
  return stack('## Other scenarios', ...byScenarioAndLatency(ofGroup(results, 'other')).map(otherScenario))
}

function otherScenario(rows: readonly EfficacyResult[]): string {
  const { latencyMs, calls, omniscientWaitMs } = rows[0]!
  const head = ['', 'share', '429s', 'failed', 'attempts', 'busiest window', 'wait p50, s', 'p99', 'max']
  const best = [OMNISCIENT, percent(1), '', '', '', '', ...threeOf(omniscientWaitMs)]
  const body = rows.map((row) => [
    nameOf(row.contender),
    percent(row.share) + cutOf(row),
    ...[row.throttled, row.failed, row.attempts, row.busiestWindow].map(count),
    ...threeOf(row.waitMs),
  ])
  return stack(`### ${titleOf(rows)}, ${latencyMs} ms`, `${count(calls)} calls.`, table(head, [best, ...body]))
}
