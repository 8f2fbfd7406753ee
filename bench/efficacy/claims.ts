import { percent } from '../report/numbers.ts'
import type { Claim, EfficacyResult } from './result.ts'

const OURS = 'headgate'
const LEAST_SHARE = 0.98

export function claimsOf(results: readonly EfficacyResult[]): Claim[] {
  const core = results.filter(({ group, time }) => group === 'core' && time === 'virtual')
  const waits = results.filter(({ group, contender }) => group === 'waits' && contender === OURS)
  return [oursReachesBoth(core), noPeerReachesBoth(core), waitsAreBounded(waits)]
}

function oursReachesBoth(core: readonly EfficacyResult[]): Claim {
  const ours = core.filter(({ contender }) => contender === OURS)
  return {
    text: `${OURS}: no 429 and at least 98 % of the ceiling in each core scenario, at each latency, with and without rate headers`,
    holds: ours.length > 0 && ours.every(reachesBoth),
    figures: ours.map((result) => `${labelOf(result)}: ${figuresOf(result)}`),
  }
}

function noPeerReachesBoth(core: readonly EfficacyResult[]): Claim {
  const peers = Map.groupBy(
    core.filter(({ contender }) => contender !== OURS),
    ({ contender }) => contender,
  )
  const missed = [...peers].map(([peer, all]) => ({ peer, all, missed: all.filter((result) => !reachesBoth(result)) }))
  return {
    text: 'no peer reaches both in all of them',
    holds: missed.length > 0 && missed.every((each) => each.missed.length > 0),
    figures: missed.map(
      (each) => `${each.peer}: misses ${each.missed.length} of ${each.all.length}, ${worst(each.all)}`,
    ),
  }
}

function waitsAreBounded(waits: readonly EfficacyResult[]): Claim {
  return {
    text:
      `${OURS}: the 99th percentile of waits is at most that of the scheduler that knows, and a latency for each full window ` +
      'since the busy period began, and one of cold start',
    holds:
      waits.length > 0 &&
      waits.every(({ waitMs, allowedWaitMs = 0 }) => waitMs !== undefined && waitMs.p99 <= allowedWaitMs),
    figures: waits.map(
      (result) =>
        `${labelOf(result)}: ${result.waitMs?.p99.toFixed(1)} ms of ${result.allowedWaitMs?.toFixed(1)} ms allowed`,
    ),
  }
}

function reachesBoth({ throttled, share }: EfficacyResult): boolean {
  return throttled === 0 && share >= LEAST_SHARE
}

function worst(all: readonly EfficacyResult[]): string {
  const share = Math.min(...all.map((result) => result.share))
  const throttled = Math.max(...all.map((result) => result.throttled))
  return `${percent(share)} at the least, ${throttled} 429s at the most`
}

function labelOf({ scenario, latencyMs, headers }: EfficacyResult): string {
  return `${scenario}, ${latencyMs} ms, ${headers === false ? 'without' : 'with'} rate headers`
}

function figuresOf({ throttled, share }: EfficacyResult): string {
  return `${percent(share)}, ${throttled} 429s`
}
