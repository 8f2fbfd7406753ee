/** Charts as SVG text, on a card of their own: they are read on light and on dark pages. */

import { svgOf } from './svg.ts'

export interface Chart {
  title: string
  /** What was computed or simulated, with its numbers. */
  subtitle: string
  xAxis: Axis
  yAxis: Axis
  series: readonly Series[]
  /** Pixels. Default 760. */
  width?: number
  /** Pixels. Default 420. */
  height?: number
}

export interface Axis {
  name: string
  /** `category` names bars by their first number. Default `value`. */
  type?: 'value' | 'log' | 'category'
  min?: number
  max?: number
  /** Default: the number as it is. */
  format?: (value: number) => string
}

export interface Series {
  name: string
  points: readonly (readonly [x: number, y: number])[]
  /** Default `line`. Bars of several series stand on each other. */
  type?: 'line' | 'bar'
  /** A line to compare with. */
  dashed?: true
}

/** Told apart by those who do not see all colours, too. (Okabe and Ito.) */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#e69f00']
const INK = '#24292f'
const FAINT = '#6b7280'
const CARD = '#fbfbf8'
const GRID = '#dddfe3'
const FONT = 'Helvetica, Arial, sans-serif'

/** The same chart gives the same text, if it is drawn in the same place in a process's order. */
export function chart({ width = 760, height = 420, ...drawn }: Chart): string {
  const option = {
    backgroundColor: CARD,
    color: COLOURS,
    textStyle: { fontFamily: FONT, color: INK },
    title: titleOf(drawn),
    legend: {
      top: 62,
      left: 12,
      icon: 'roundRect',
      itemWidth: 22,
      itemHeight: 6,
      itemGap: 30,
      textStyle: { color: INK, fontSize: 13 },
    },
    grid: { left: 84, right: 32, top: 104, bottom: 56 },
    xAxis: { ...axisOf(drawn.xAxis), nameGap: 30, splitLine: { show: false } },
    yAxis: { ...axisOf(drawn.yAxis), nameGap: 56 },
    series: drawn.series.map(seriesOf),
  }
  return svgOf(option, { width, height })
}

function titleOf({ title, subtitle }: Pick<Chart, 'title' | 'subtitle'>) {
  return {
    text: title,
    subtext: subtitle,
    left: 12,
    top: 10,
    textStyle: { color: INK, fontSize: 17 },
    subtextStyle: { color: FAINT, fontSize: 13 },
  }
}

function axisOf({ name, type = 'value', min, max, format }: Axis) {
  return {
    type,
    name,
    min,
    max,
    nameLocation: 'middle' as const,
    nameTextStyle: { color: INK, fontSize: 13 },
    axisLabel: { color: INK, fontSize: 12, formatter: format && ((value: number | string) => format(Number(value))) },
    axisLine: { show: true, lineStyle: { color: FAINT } },
    splitLine: { lineStyle: { color: GRID } },
  }
}

function seriesOf({ name, points, type = 'line', dashed }: Series) {
  const data = points.map((point) => [...point])
  if (type === 'bar') return { type, name, stack: 'all', barCategoryGap: '12%', data }
  const lineStyle = { width: dashed ? 1.5 : 2.5, type: dashed ? ('dashed' as const) : ('solid' as const) }
  return { type, name, symbol: 'none', lineStyle, data }
}
