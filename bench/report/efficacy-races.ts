import type { EfficacyResult } from '../efficacy/result.ts'
import type { Race } from './losses.ts'
import { count, percent, seconds } from './numbers.ts'

const OURS = 'headgate'

/** By what is compared. */
export function efficacyRaces(results: readonly EfficacyResult[]): Map<string, Race[]> {
  const own = results.filter(({ contender }) => contender === OURS)
  const races = (of: (field: readonly EfficacyResult[], ours: EfficacyResult) => Race): Race[] =>
    own.map((ours) => of(fieldOf(ours, results), ours))
  return new Map([
    ['Share of the ceiling', races(shareRace)],
    ['429s', races((field, ours) => raceOf(field, ours, ({ throttled }) => throttled, count))],
    ['Calls that failed', races((field, ours) => raceOf(field, ours, ({ failed }) => failed, count))],
    ['Attempts for each call served', races(attemptsRace)],
    ['Waits of those that failed no more calls, median, s', races(waitRace('p50'))],
    ['Waits of those that failed no more calls, 99th percentile, s', races(waitRace('p99'))],
  ])
}

/** Those who ran the same, `ours` among them. */
function fieldOf(ours: EfficacyResult, results: readonly EfficacyResult[]): EfficacyResult[] {
  return results.filter(
    ({ scenario, latencyMs, time, headers }) =>
      scenario === ours.scenario &&
      latencyMs === ours.latencyMs &&
      time === ours.time &&
      (headers === ours.headers || headers === 'either'),
  )
}

function shareRace(field: readonly EfficacyResult[], ours: EfficacyResult): Race {
  return { ...raceOf(field, ours, ({ share }) => share, percent), better: 'more' }
}

function attemptsRace(field: readonly EfficacyResult[], ours: EfficacyResult): Race {
  return raceOf(
    field,
    ours,
    ({ attemptsPerServed }) => attemptsPerServed,
    (value) => value.toFixed(3),
  )
}

function waitRace(percentile: 'p50' | 'p99') {
  return (field: readonly EfficacyResult[], ours: EfficacyResult): Race => {
    const comparable = field.filter(({ failed }) => failed <= ours.failed)
    return raceOf(comparable, ours, ({ waitMs }) => waitMs?.[percentile], seconds)
  }
}

function raceOf(
  field: readonly EfficacyResult[],
  ours: EfficacyResult,
  figureOf: (result: EfficacyResult) => number | undefined,
  format: (value: number) => string,
): Race {
  const runners = field.flatMap((result) => {
    const value = figureOf(result)
    return value === undefined ? [] : [{ name: result.contender, value, note: noteOf(result) }]
  })
  return { what: labelOf(ours), better: 'less', ours: OURS, runners, format }
}

function noteOf({ throttled, failed }: EfficacyResult): string {
  return `${count(throttled)} 429s, ${count(failed)} failed`
}

function labelOf({ title, latencyMs, headers, group }: EfficacyResult): string {
  const stated = group === 'core' ? `, rate headers ${headers === false ? 'not stated' : 'stated'}` : ''
  return `${title}, ${latencyMs} ms${stated}`
}
