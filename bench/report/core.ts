import type { Contender } from '../contenders/contender.ts'
import type { EfficacyResult, Spread } from '../efficacy/result.ts'
import { stack, table } from './markdown.ts'
import { count, percent, ratio, seconds } from './numbers.ts'
import { byScenario, cutOf, latenciesOf, nameOf, OMNISCIENT, ofGroup, titleOf, unique } from './rows.ts'

/** Of the latencies, the one that tables of several scenarios are of. */
const USUAL_MS = 100

export function coreSection(results: readonly EfficacyResult[], contenders: readonly Contender[]): string {
  const core = ofGroup(results, 'core')
  return stack(
    '## The core scenarios',
    'Shares of the ceiling and 429s, by latency. Two rows for a contender that reads rate headers.',
    ...byScenario(core).map((rows) => coreScenario(rows, contenders)),
    ...sideFigures(core),
  )
}

function coreScenario(rows: readonly EfficacyResult[], contenders: readonly Contender[]): string {
  const latencies = latenciesOf(rows)
  const head = ['', 'rate headers', ...latencies.flatMap((ms) => [`${ms} ms`, '429s'])]
  const body = contenders.flatMap((contender) => {
    const own = rows.filter((row) => row.contender === contender.name)
    if (own.length === 0) return [[contender.name, whyNot(contender)]]
    return headersOf(own).map((headers) => {
      const of = (ms: number) => own.find((row) => row.headers === headers && row.latencyMs === ms)
      return [nameOf(contender.name), headersText(headers), ...latencies.flatMap((ms) => shareAndThrottled(of(ms)))]
    })
  })
  return stack(`### ${titleOf(rows)}`, table(head, body, 2))
}

function whyNot({ time }: Contender): string {
  return time === 'real' ? 'its time cannot be faked: see *over a socket* below' : 'not run'
}

function shareAndThrottled(row: EfficacyResult | undefined): [string, string] {
  return row === undefined ? ['', ''] : [percent(row.share) + cutOf(row), count(row.throttled)]
}

/** What the tables of the core scenarios have no room for. */
function sideFigures(core: readonly EfficacyResult[]): string[] {
  const usual = core.filter(({ latencyMs, headers }) => latencyMs === USUAL_MS && headers !== false)
  if (usual.length === 0) return []
  const side = (title: string, figure: (row: EfficacyResult) => string, omniscient?: typeof figure): string =>
    stack(`#### ${title}`, acrossScenarios(usual, figure, omniscient))
  return [
    `### At ${USUAL_MS} ms, with rate headers`,
    side('Calls that failed', ({ failed, calls }) => `${count(failed)} of ${count(calls)}`),
    side('Attempts for each call served', ({ attemptsPerServed }) => attemptsPerServed?.toFixed(3) ?? ''),
    side(
      'Waits, p50 / p99, s',
      ({ waitMs }) => (waitMs === undefined ? '' : halfAndMost(waitMs)),
      ({ omniscientWaitMs }) => halfAndMost(omniscientWaitMs),
    ),
    side("Fairness among the workers, Jain's index", ({ fairness }) => (fairness === undefined ? '' : ratio(fairness))),
  ]
}

function acrossScenarios(
  rows: readonly EfficacyResult[],
  figure: (row: EfficacyResult) => string,
  omniscient?: (row: EfficacyResult) => string,
): string {
  const scenarios = unique(rows.map(({ scenario }) => scenario))
  const cells = (of: readonly EfficacyResult[], text: typeof figure): string[] =>
    scenarios.map((scenario) => of.filter((row) => row.scenario === scenario).map(text)[0] ?? '')
  const names = unique(rows.map(({ contender }) => contender))
  const best = omniscient === undefined ? [] : [[OMNISCIENT, ...cells(rows, omniscient)]]
  const body = names.map((name) => [
    nameOf(name),
    ...cells(
      rows.filter(({ contender }) => contender === name),
      figure,
    ),
  ])
  return table(['', ...scenarios], [...best, ...body])
}

function headersOf(rows: readonly EfficacyResult[]): EfficacyResult['headers'][] {
  return unique(rows.map(({ headers }) => headers))
}

function headersText(headers: EfficacyResult['headers']): string {
  return headers === 'either' ? 'not read' : headers ? 'stated' : 'not stated'
}

function halfAndMost({ p50, p99 }: Spread): string {
  return `${seconds(p50)} / ${seconds(p99)}`
}
