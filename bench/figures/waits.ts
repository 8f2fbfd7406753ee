import type { BarPanel, Bars } from '../../studies/figures/bars.ts'
import type { EfficacyResult, Spread } from '../efficacy/result.ts'
import { count, seconds } from '../report/numbers.ts'

const SHOWN_MS = 100
const KNOWS = 'a scheduler that knows'

/** How long calls wait, from the median to the 99th percentile, beside the least that they must. */
export function waitsFigure(results: readonly EfficacyResult[], versions: string): Bars {
  const shown = results.filter(({ group, latencyMs }) => group === 'waits' && latencyMs === SHOWN_MS)
  const names = [...new Set(shown.map(({ contender }) => contender))]
  const scenarios = Map.groupBy(shown, ({ scenario }) => scenario)
  return {
    title: 'How long calls wait: median to 99th percentile',
    subtitle: `600 in any minute, latency of ${SHOWN_MS} ms, rate headers stated. Calls that failed waited for nothing, and are not in the bars.\n${versions}`,
    names: [KNOWS, ...names],
    marked: ['headgate'],
    labelsWidth: 152,
    panels: [...scenarios.values()].map((rows) => panelOf(rows, names)),
  }
}

function panelOf(rows: readonly EfficacyResult[], names: readonly string[]): BarPanel {
  const of = names.map((name) => rows.find(({ contender }) => contender === name))
  const { title = '', calls = 0, omniscientWaitMs } = rows[0] ?? {}
  const waits = [omniscientWaitMs, ...of.map((row) => row?.waitMs)]
  const failed = [0, ...of.map((row) => row?.failed ?? 0)]
  return {
    axis: { name: `${title}, ${count(calls)} calls, s`, min: 0 },
    from: waits.map((wait) => toSeconds(wait?.p50)),
    values: waits.map((wait) => toSeconds(wait?.p99)),
    labels: waits.map((wait, index) => labelOf(wait, failed[index] ?? 0)),
  }
}

function toSeconds(ms = 0): number {
  return ms / 1_000
}

function labelOf(wait: Spread | undefined, failed: number): string {
  const waited = wait === undefined ? 'none served' : `${seconds(wait.p50)} – ${seconds(wait.p99)}`
  return failed === 0 ? waited : `${waited}, ${count(failed)} failed`
}
