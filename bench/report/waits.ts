import type { EfficacyResult } from '../efficacy/result.ts'
import { stack, table } from './markdown.ts'
import { count, seconds } from './numbers.ts'
import { byScenario, cutOf, latenciesOf, nameOf, OMNISCIENT, ofGroup, threeOf, titleOf, unique } from './rows.ts'

export function waitsSection(results: readonly EfficacyResult[]): string {
  return stack(
    '## Waits',
    'Latency is constant here. Seconds from a call to the sending of the attempt that served it, p50 / p99 / max, and how many calls failed.',
    ...byScenario(ofGroup(results, 'waits')).map(waitScenario),
  )
}

function waitScenario(rows: readonly EfficacyResult[]): string {
  const latencies = latenciesOf(rows)
  const at = (ms: number): readonly EfficacyResult[] => rows.filter(({ latencyMs }) => latencyMs === ms)
  const best = latencies.flatMap((ms) => [threeOf(at(ms)[0]?.omniscientWaitMs).join(' / '), ''])
  const allowed = latencies.flatMap((ms) => [`p99 ${seconds(at(ms)[0]?.allowedWaitMs ?? 0)}`, ''])
  const body = unique(rows.map(({ contender }) => contender)).map((name) => [
    nameOf(name),
    ...latencies.flatMap((ms) => {
      const row = at(ms).find(({ contender }) => contender === name)
      return row === undefined ? ['', ''] : [threeOf(row.waitMs).join(' / ') + cutOf(row), count(row.failed)]
    }),
  ])
  const head = ['', ...latencies.flatMap((ms) => [`${ms} ms`, 'failed'])]
  return stack(
    `### ${titleOf(rows)}`,
    table(head, [[OMNISCIENT, ...best], ['*what the claim allows*', ...allowed], ...body]),
  )
}
