import type { Bars } from '../../studies/figures/bars.ts'
import type { EfficacyResult } from '../efficacy/result.ts'
import { count, percent } from '../report/numbers.ts'

interface Sums {
  contender: string
  throttled: number
  leastShare: number
}

/** 429s of the core scenarios, and what reaching so few costs. */
export function throttledFigure(results: readonly EfficacyResult[], versions: string): Bars {
  const core = results.filter(({ group, headers }) => group === 'core' && headers !== false)
  const runs = new Set(core.map(({ scenario, latencyMs }) => `${scenario} ${latencyMs}`)).size
  const calls = core.filter(({ contender }) => contender === 'headgate').reduce((sum, row) => sum + row.calls, 0)
  const sums = [...Map.groupBy(core, ({ contender }) => contender)].map(([contender, rows]) => sumsOf(contender, rows))
  const ranked = sums.toSorted((a, b) => a.throttled - b.throttled || b.leastShare - a.leastShare)
  return {
    title: 'Refused, and how much of the limit is used',
    subtitle: `${runs} runs of the core scenarios, ${count(calls)} calls each contender, limits told right, latency of 20, 100 and 400 ms.\n${versions}`,
    names: ranked.map(({ contender }) => contender),
    marked: ['headgate'],
    panels: [
      {
        axis: { name: '429s, all runs', type: 'log', min: 1, max: 100_000, format: thousands },
        values: ranked.map(({ throttled }) => throttled),
        labels: ranked.map(({ throttled }) => count(throttled)),
      },
      {
        axis: {
          name: 'share of the ceiling, the least of all runs',
          min: 0,
          max: 1,
          interval: 0.25,
          format: wholePercent,
        },
        values: ranked.map(({ leastShare }) => leastShare),
        labels: ranked.map(({ leastShare }) => percent(leastShare)),
      },
    ],
  }
}

function sumsOf(contender: string, rows: readonly EfficacyResult[]): Sums {
  return {
    contender,
    throttled: rows.reduce((sum, row) => sum + row.throttled, 0),
    leastShare: Math.min(...rows.map(({ share }) => share)),
  }
}

function wholePercent(share: number): string {
  return `${Math.round(share * 100)} %`
}

/** `10 k` */
function thousands(value: number): string {
  return value < 1_000 ? count(value) : `${value / 1_000} k`
}
