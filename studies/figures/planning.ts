/** Draws the figures of `docs/planning.md` into `docs/figures`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  expectedRejections,
  overshootProbability,
  rollingRejections,
  waitingRejections,
} from '../../src/planning/index.ts'
import { type Chart, chart } from './chart.ts'

const FOLDER = join(import.meta.dirname, '../../docs/figures')
const RATE = 136.28
const LIMIT = 150
const PROCESSES = 6

const CHARTS: Record<string, () => Chart> = {
  'planning-second': secondChart,
  'planning-shards': shardsChart,
  'planning-waiting': waitingChart,
}

for (const [name, drawing] of Object.entries(CHARTS))
  writeFileSync(join(FOLDER, `${name}.svg`), `${chart(drawing())}\n`)

/** P(X = count). */
function probability(count: number): number {
  const above = (limit: number): number => overshootProbability({ rate: RATE, limit })
  return above(count - 1) - above(count)
}

function secondChart(): Chart {
  const counts = range(104, 172)
  const bars = (counted: (count: number) => boolean) =>
    counts.map((count): [number, number] => [count, counted(count) ? probability(count) : 0])
  const share = percent(overshootProbability({ rate: RATE, limit: LIMIT }))
  return {
    title: 'How many calls a second brings',
    subtitle: `Poisson, ${RATE} a second on average. ${share} of all seconds bring more than ${LIMIT}. Computed.`,
    xAxis: { name: 'calls in one second', type: 'category' },
    yAxis: { name: 'share of all seconds', format: percent },
    series: [
      { name: `up to ${LIMIT}`, type: 'bar', points: bars((count) => count <= LIMIT) },
      { name: `more than ${LIMIT}`, type: 'bar', points: bars((count) => count > LIMIT) },
    ],
  }
}

function shardsChart(): Chart {
  const shards = range(1, LIMIT).filter((count) => LIMIT % count === 0)
  const sum = (rejections: typeof expectedRejections) =>
    shards.map((count): [number, number] => [count, count * rejections({ rate: RATE / count, limit: LIMIT / count })])
  const fixed = expectedRejections({ rate: RATE, limit: LIMIT })
  return {
    title: 'What splitting a limit costs',
    subtitle: `${RATE} calls a second, ${LIMIT} allowed, divided evenly, nobody waits. Computed.`,
    xAxis: { name: 'processes, each with its share of the limit', type: 'log', max: LIMIT },
    yAxis: { name: 'refused calls a second', type: 'log', min: 0.5, max: 120 },
    series: [
      { name: 'shares that roll', points: sum(rollingRejections) },
      { name: 'shares that reset each second', points: sum(expectedRejections) },
      {
        name: 'in proportion to the processes',
        dashed: true,
        points: [1, LIMIT].map((count) => [count, count * fixed]),
      },
    ],
  }
}

function waitingChart(): Chart {
  const line = (rate: number, limit: number, mostMs: number) =>
    range(0, mostMs / 10).map((step): [number, number] => {
      const maxWaitMs = step * 10
      return [maxWaitMs, waitingRejections({ rate, limit, maxWaitMs }).rejections / rate]
    })
  return {
    title: 'What waiting saves',
    subtitle: `${RATE} calls a second, ${LIMIT} allowed in any second, ${PROCESSES} processes. Simulated, half a million calls a point.`,
    xAxis: { name: 'the longest that a call waits, ms', min: 0, max: 500 },
    yAxis: { name: 'calls that fail', type: 'log', min: 0.001, max: 0.1, format: percent },
    series: [
      { name: `${PROCESSES} shares of ${LIMIT / PROCESSES}`, points: line(RATE / PROCESSES, LIMIT / PROCESSES, 500) },
      { name: 'one window and 100 ms', points: line(RATE * 1.1, LIMIT, 500) },
      { name: 'one window and 20 ms', points: line(RATE * 1.02, LIMIT, 200) },
      { name: 'one window', points: line(RATE, LIMIT, 160) },
    ],
  }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))} %`
}
