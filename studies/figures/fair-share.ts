/**
 * Draws docs/figures/fair-share.svg: what each of four clients of one account is served, without `fairShare` and with it. The fourth comes when
 * the others have been at it for ten minutes.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MINUTE_MS, type Run, run, STEP_MS, total } from '../fleet-run.ts'
import { svgOf } from './svg.ts'

const MINUTES = 30
const JOINS = 10
const SIZE = { width: 900, height: 420 }

/** Colours that stand out on white and on black alike. */
const COLOURS = ['#3b82f6', '#16a34a', '#d97706', '#db2777']
const GREY = '#808080'

const NAMES = ['client 1', 'client 2', 'client 3', `client 4, from minute ${JOINS}`]
const TITLES = ['without fairShare', 'with fairShare']

await main()

async function main(): Promise<void> {
  const runs = [await runOf(false), await runOf(true)]
  writeFileSync(join(import.meta.dirname, '../../docs/figures/fair-share.svg'), svgOf(optionOf(runs), SIZE))
}

function runOf(fairShare: boolean): Promise<Run> {
  const clients = [0, 0.3, 0.6, JOINS].map((minute) => ({ startMs: minute * MINUTE_MS, fairShare }))
  return run({ clients, medianMs: 100, seed: 3, minutes: MINUTES })
}

function optionOf(runs: readonly Run[]): object {
  const axisLine = { lineStyle: { color: GREY } }
  const splitLine = { lineStyle: { color: GREY, opacity: 0.25 } }
  const axisLabel = { color: GREY, fontSize: 12 }
  return {
    backgroundColor: 'transparent',
    color: COLOURS,
    textStyle: { fontFamily: 'sans-serif' },
    legend: {
      top: 4,
      data: NAMES,
      icon: 'roundRect',
      itemWidth: 20,
      itemHeight: 4,
      itemGap: 28,
      textStyle: { color: GREY, fontSize: 12 },
    },
    title: TITLES.map((text, index) => ({
      text,
      left: index === 0 ? '29%' : '76%',
      top: 32,
      textAlign: 'center',
      textStyle: { color: GREY, fontSize: 14 },
    })),
    grid: [
      { left: 60, width: 380, top: 64, bottom: 48 },
      { right: 20, width: 380, top: 64, bottom: 48 },
    ],
    xAxis: runs.map((_, index) => ({
      gridIndex: index,
      type: 'value',
      max: MINUTES,
      interval: 5,
      name: 'minutes',
      nameLocation: 'middle',
      nameGap: 28,
      nameTextStyle: axisLabel,
      axisLine,
      axisLabel,
      splitLine: { show: false },
    })),
    yAxis: runs.map((_, index) => ({
      gridIndex: index,
      type: 'value',
      max: 600,
      interval: 150,
      ...(index === 0 && { name: 'requests served in the last minute', nameLocation: 'middle', nameGap: 40 }),
      nameTextStyle: axisLabel,
      axisLabel,
      splitLine,
    })),
    series: runs.flatMap((each, index) => each.served.map((steps, client) => seriesOf(steps, client, index))),
  }
}

function seriesOf(steps: readonly number[], client: number, index: number) {
  return {
    name: NAMES[client],
    type: 'line',
    xAxisIndex: index,
    yAxisIndex: index,
    showSymbol: false,
    lineStyle: { width: client === NAMES.length - 1 ? 3 : 1.5 },
    data: trailingMinutes(steps).filter(([minute]) => client < NAMES.length - 1 || minute >= JOINS),
  }
}

/** What was served in the minute before each instant. */
function trailingMinutes(steps: readonly number[]): [minute: number, served: number][] {
  const perMinute = MINUTE_MS / STEP_MS
  const ends = Array.from({ length: steps.length - perMinute + 1 }, (_, index) => index + perMinute)
  return ends.map((end) => [end / perMinute, total(steps.slice(end - perMinute, end))])
}
