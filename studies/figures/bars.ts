/** Bars that lie, by name, with the figure beside each. Several panels share the names. */

import { type Axis, axisOf, CARD_STYLE, COLOURS, type Heading, INK, PALE, titleOf } from './style.ts'
import { svgOf } from './svg.ts'

export interface Bars extends Heading {
  /** The first on top. */
  names: readonly string[]
  /** Whose bars are coloured; the others' are pale. */
  marked: readonly string[]
  panels: readonly BarPanel[]
  /** Pixels for what is written beside the bars. Default 96. */
  labelsWidth?: number
}

export interface BarPanel {
  axis: Axis
  /** By name; undefined where there is none. On a log axis what is below its `min` is a figure without a bar. */
  values: readonly (number | undefined)[]
  /** Where each bar begins. Default 0. */
  from?: readonly (number | undefined)[]
  /** What is written beside each bar. */
  labels: readonly string[]
  /** A part of the width. Default 1. */
  width?: number
}

const WIDTH = 860
const ROW = 21
const TOP = 88
const BELOW = 56
const NAMES_WIDTH = 244

export function bars({ names, marked, panels, labelsWidth = 96, ...heading }: Bars): string {
  const places = placesOf(panels, labelsWidth)
  const option = {
    ...CARD_STYLE,
    title: titleOf(heading),
    grid: places.map((place) => ({ ...place, top: TOP, height: names.length * ROW })),
    xAxis: panels.map(({ axis }, gridIndex) => ({
      ...axisOf(axis),
      gridIndex,
      nameGap: 30,
      startValue: leastOf(axis),
    })),
    yAxis: panels.map((_, gridIndex) => ({
      gridIndex,
      type: 'category',
      inverse: true,
      data: names,
      axisTick: { show: false },
      axisLine: { lineStyle: { color: PALE } },
      axisLabel: { show: gridIndex === 0, color: INK, fontSize: 13 },
    })),
    series: panels.flatMap((panel, index) => {
      const common = { type: 'bar', xAxisIndex: index, yAxisIndex: index, barCategoryGap: '28%', stack: `${index}` }
      const drawn = {
        ...common,
        ...(panel.from && { barMinHeight: 3 }),
        label: { show: true, position: 'right', color: INK, fontSize: 12 },
        data: names.map((name, row) => barOf(panel, row, marked.includes(name))),
      }
      return panel.from ? [{ ...common, itemStyle: { color: 'none' }, data: panel.from }, drawn] : [drawn]
    }),
  }
  return svgOf(option, { width: WIDTH, height: TOP + names.length * ROW + BELOW })
}

function placesOf(panels: readonly BarPanel[], labelsWidth: number): { left: number; width: number }[] {
  const parts = panels.map(({ width = 1 }) => width)
  const whole = parts.reduce((sum, part) => sum + part, 0)
  const free = WIDTH - NAMES_WIDTH - labelsWidth * panels.length
  let left = NAMES_WIDTH
  return parts.map((part) => {
    const place = { left, width: (free * part) / whole }
    left += place.width + labelsWidth
    return place
  })
}

function barOf({ axis, values, labels, from }: BarPanel, row: number, isMarked: boolean) {
  const value = values[row]
  const least = leastOf(axis)
  return {
    value: Math.max(value ?? least, least) - (from?.[row] ?? 0),
    itemStyle: { color: isMarked ? COLOURS[0] : PALE },
    label: { formatter: () => labels[row] ?? '', ...(isMarked && { fontWeight: 'bold' as const }) },
  }
}

/** Where bars begin. */
function leastOf({ type, min = 1 }: Axis): number {
  return type === 'log' ? min : 0
}
