import type { EfficacyResult, Spread } from '../efficacy/result.ts'
import { list, stack } from './markdown.ts'
import { seconds } from './numbers.ts'

/** In tables: what knows the upstream, and every trip before it is made. */
export const OMNISCIENT = '*a scheduler that knows*'
const CUT = '†'
const CUTS: Record<NonNullable<EfficacyResult['cutBy']>, string> = {
  'virtual-time': 'an hour of virtual time was over',
  'cpu-time': 'the time of the processor that a run is granted was up',
  stuck: 'nothing was left that could go on',
}

export function cutNote(results: readonly EfficacyResult[]): string {
  const reasons = unique(results.flatMap(({ cutBy }) => (cutBy === undefined ? [] : [cutBy])))
  if (reasons.length === 0) return ''
  const cut = (reason: (typeof reasons)[number]): string => {
    const names = unique(results.filter(({ cutBy }) => cutBy === reason).map(({ contender }) => contender))
    return `${CUTS[reason]}: ${names.join(', ')}`
  }
  return stack(`${CUT} Ended before all its calls had; those still open count as failed.`, list(reasons.map(cut)))
}

export function cutOf({ cutBy }: EfficacyResult): string {
  return cutBy === undefined ? '' : ` ${CUT}`
}

export function ofGroup(results: readonly EfficacyResult[], group: EfficacyResult['group']): EfficacyResult[] {
  return results.filter((row) => row.group === group)
}

export function byScenario(results: readonly EfficacyResult[]): EfficacyResult[][] {
  return [...Map.groupBy(results, ({ scenario }) => scenario).values()]
}

export function byScenarioAndLatency(results: readonly EfficacyResult[]): EfficacyResult[][] {
  return [...Map.groupBy(results, ({ scenario, latencyMs }) => `${scenario} ${latencyMs}`).values()]
}

export function latenciesOf(rows: readonly EfficacyResult[]): number[] {
  return unique(rows.map(({ latencyMs }) => latencyMs)).toSorted((a, b) => a - b)
}

export function titleOf([first]: readonly EfficacyResult[]): string {
  const title = first?.title ?? ''
  return title.charAt(0).toUpperCase() + title.slice(1)
}

export function nameOf(contender: string): string {
  return contender === 'headgate' ? '**headgate**' : contender
}

export function threeOf(spread: Spread | undefined): string[] {
  return spread === undefined ? ['', '', ''] : [spread.p50, spread.p99, spread.max].map(seconds)
}

export function unique<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)]
}
