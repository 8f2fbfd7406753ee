/** The same axes several times over, two beside each other. */

import { type Series, seriesOf } from './chart.ts'
import { type Axis, axisOf, CARD_STYLE, type Heading, INK, legendAt, titleOf } from './style.ts'
import { svgOf } from './svg.ts'

export interface Panels extends Heading {
  xAxis: Axis
  yAxis: Axis
  panels: readonly Panel[]
}

export interface Panel {
  title: string
  /** Series of the same name have the same colour in all panels. */
  series: readonly Series[]
}

const COLUMNS = 2
const WIDTH = 860
const PANEL = { width: 366, height: 150 }
const LEFT = 72
const TOP = 138
const GAP = { x: 34, y: 48 }
const BELOW = 54

export function panels({ panels: drawn, xAxis, yAxis, ...heading }: Panels): string {
  const places = drawn.map((_, index) => placeOf(index))
  const height = TOP + rowsOf(drawn.length) * (PANEL.height + GAP.y) - GAP.y + BELOW
  const option = {
    ...CARD_STYLE,
    title: [titleOf(heading), ...drawn.map(({ title }, index) => panelTitle(title, placeOf(index)))],
    legend: legendAt(82),
    grid: places.map(({ left, top }) => ({ left, top, ...PANEL })),
    xAxis: places.map(({ isLast }, gridIndex) => ({
      ...axisOf({ ...xAxis, name: isLast(drawn.length) ? xAxis.name : '' }),
      gridIndex,
      nameGap: 28,
      splitLine: { show: false },
    })),
    yAxis: places.map(({ isFirst }, gridIndex) => ({
      ...axisOf({ ...yAxis, name: isFirst ? yAxis.name : '' }),
      gridIndex,
      nameGap: 44,
    })),
    series: drawn.flatMap(({ series }, index) =>
      series.map((each) => ({
        ...seriesOf(each),
        xAxisIndex: index,
        yAxisIndex: index,
        ...(each.type === 'area' && { stack: `areas ${index}` }),
      })),
    ),
  }
  return svgOf(option, { width: WIDTH, height })
}

function rowsOf(count: number): number {
  return Math.ceil(count / COLUMNS)
}

function placeOf(index: number) {
  const column = index % COLUMNS
  const row = Math.floor(index / COLUMNS)
  return {
    left: LEFT + column * (PANEL.width + GAP.x),
    top: TOP + row * (PANEL.height + GAP.y),
    isFirst: column === 0,
    isLast: (count: number) => index + COLUMNS >= count,
  }
}

function panelTitle(text: string, { left, top }: { left: number; top: number }) {
  return { text, left: left - 5, top: top - 28, textStyle: { color: INK, fontSize: 14 } }
}
