import type { Panel, Panels } from '../../studies/figures/panels.ts'
import { INK } from '../../studies/figures/style.ts'
import type { Timeline } from '../efficacy/result.ts'
import { count } from '../report/numbers.ts'

/** Whose window is drawn: headgate's, and those of three of what is used most. */
export const SHOWN = ['headgate', 'p-queue', 'bottleneck (reservoir)', 'p-throttle (strict)'] as const

const SHOWN_MS = 6 * 60_000
const STEP_MS = 1_000
const MINUTE_MS = 60_000

/** What the upstream counts in its window, over the first minutes. */
export function windowFigure(timelines: readonly Timeline[], versions: string): Panels {
  const drawn = SHOWN.flatMap((name) => timelines.filter(({ contender }) => contender === name))
  const { limit = 0, latencyMs = 0, countedAtMs = [] } = drawn[0] ?? {}
  const minutes = SHOWN_MS / MINUTE_MS
  return {
    title: `What an upstream that allows ${limit} in any minute gets to see`,
    subtitle:
      `${minutes} minutes of 25 workers that share ${count(countedAtMs.length)} calls. Latency of about ${latencyMs} ms. ` +
      `What is refused counts, too.\n${versions}`,
    xAxis: { name: 'minutes', max: minutes, interval: 1 },
    yAxis: { name: 'requests in the last minute', min: 0, max: 800, interval: 200 },
    panels: drawn.map(panelOf),
  }
}

function panelOf(timeline: Timeline): Panel {
  const { contender, limit, countedAtMs, throttled } = timeline
  const [letIn, refused] = [false, true].map((is) => countedAtMs.filter((_, index) => throttled[index] === is))
  const inSight = refused!.filter((atMs) => atMs <= SHOWN_MS).length
  const ends = [0, SHOWN_MS / MINUTE_MS]
  const [letInPoints, refusedPoints] = turning([letIn!, refused!].map((atMs) => trailing(atMs, timeline)))
  return {
    title: `${contender}: ${inSight === 0 ? 'no' : count(inSight)} 429s`,
    series: [
      { name: 'let in', type: 'area', points: letInPoints! },
      { name: 'refused with 429', type: 'area', points: refusedPoints! },
      { name: `the limit, ${limit}`, dashed: true, colour: INK, points: ends.map((minute) => [minute, limit]) },
    ],
  }
}

type Point = readonly [minute: number, count: number]

/** How many of them were counted in the window before each instant. */
function trailing(atMs: readonly number[], { windowMs }: Timeline): Point[] {
  const sorted = atMs.toSorted((a, b) => a - b)
  const until = (instantMs: number): number => bisectRight(sorted, instantMs)
  return Array.from({ length: SHOWN_MS / STEP_MS + 1 }, (_, step) => {
    const endMs = step * STEP_MS
    return [endMs / MINUTE_MS, until(endMs) - until(endMs - windowMs)]
  })
}

/** Without the points at which all of them stay level, which the lines between the others go through. */
function turning(all: readonly Point[][]): Point[][] {
  const isLevel = (points: readonly Point[], index: number): boolean =>
    points[index - 1]?.[1] === points[index]?.[1] && points[index]?.[1] === points[index + 1]?.[1]
  return all.map((points) => points.filter((_, index) => !all.every((each) => isLevel(each, index))))
}

/** How many are at or before `instantMs`. */
function bisectRight(sorted: readonly number[], instantMs: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! <= instantMs) low = middle + 1
    else high = middle
  }
  return low
}
