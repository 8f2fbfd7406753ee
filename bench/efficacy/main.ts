/** Efficacy alone: `node efficacy/main.ts [--smoke] [name of a contender ...]`, tables to the terminal. */
import Table from 'cli-table3'
import { contenders } from '../contenders/index.ts'
import type { EfficacyResult } from './result.ts'
import { runEfficacy } from './run.ts'

const names = process.argv.slice(2).filter((argument) => argument !== '--smoke')
const chosen = contenders.filter(({ name }) => names.length === 0 || names.includes(name))
const { results, claims, tookMs } = await runEfficacy(chosen, { smoke: process.argv.includes('--smoke') })
for (const [scenario, rows] of Map.groupBy(results, rowTitle)) console.log(`\n${scenario}\n${tableOf(rows)}`)
for (const { text, holds, figures } of claims)
  console.log(`\n${holds ? 'holds' : 'FAILS'}: ${text}\n  ${figures.join('\n  ')}`)
console.log(`\n${Math.round(tookMs / 1000)} s`)

function rowTitle({ scenario, title, latencyMs }: EfficacyResult): string {
  return `${scenario}: ${title}, ${latencyMs} ms`
}

function tableOf(rows: readonly EfficacyResult[]): string {
  const head = [
    '',
    'headers',
    'share',
    '429s',
    'served',
    'failed',
    'attempts',
    'busiest',
    'wait p50/p99/max',
    'omniscient',
    'fair',
    'cut',
  ]
  const table = new Table({ head, style: { head: [], compact: true } })
  for (const row of rows) table.push(cells(row))
  return table.toString()
}

function cells(row: EfficacyResult): (string | number)[] {
  const spread = ({ p50, p99, max } = { p50: NaN, p99: NaN, max: NaN }): string =>
    [p50, p99, max].map(Math.round).join('/')
  const { contender, headers, share, throttled, served, failed, attempts, busiestWindow, fairness, cutBy } = row
  const shareText = `${(share * 100).toFixed(1)} %`
  const waits = [spread(row.waitMs), spread(row.omniscientWaitMs)]
  return [
    contender,
    String(headers),
    shareText,
    throttled,
    served,
    failed,
    attempts,
    busiestWindow,
    ...waits,
    fairness?.toFixed(3) ?? '',
    cutBy ?? '',
  ]
}
