/** Charts as SVG text. */

import { type Axis, axisOf, CARD_STYLE, type Heading, legendAt, titleOf } from './style.ts'
import { svgOf } from './svg.ts'

export interface Chart extends Heading {
  xAxis: Axis
  yAxis: Axis
  series: readonly Series[]
  /** Pixels. Default 760. */
  width?: number
  /** Pixels. Default 420. */
  height?: number
}

export interface Series {
  name: string
  points: readonly (readonly [x: number, y: number])[]
  /** Default `line`. Bars of several series stand on each other, and so do areas. */
  type?: 'line' | 'bar' | 'area'
  /** A line to compare with. */
  dashed?: true
  /** Default: the next of those that are told apart. */
  colour?: string
}

const AREA = { type: 'line' as const, symbol: 'none', lineStyle: { width: 0 }, areaStyle: { opacity: 0.85 } }

/** The same chart gives the same text, if it is drawn in the same place in a process's order. */
export function chart({ width = 760, height = 420, ...drawn }: Chart): string {
  const option = {
    ...CARD_STYLE,
    title: titleOf(drawn),
    legend: legendAt(62),
    grid: { left: 84, right: 32, top: 104, bottom: 56 },
    xAxis: { ...axisOf(drawn.xAxis), nameGap: 30, splitLine: { show: false } },
    yAxis: { ...axisOf(drawn.yAxis), nameGap: 56 },
    series: drawn.series.map(seriesOf),
  }
  return svgOf(option, { width, height })
}

export function seriesOf({ name, points, type = 'line', dashed, colour }: Series) {
  const data = points.map((point) => [...point])
  const own = { name, data, ...(colour !== undefined && { itemStyle: { color: colour } }) }
  if (type === 'bar') return { ...own, type, stack: 'all', barCategoryGap: '12%' }
  if (type === 'area') return { ...own, ...AREA }
  const lineStyle = { width: dashed ? 1.5 : 2.5, type: dashed ? ('dashed' as const) : ('solid' as const) }
  return { ...own, type, symbol: 'none', lineStyle }
}
