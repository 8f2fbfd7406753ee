/** What all figures look like: a card of their own, that is read on light and on dark pages. */

/** Told apart by those who do not see all colours, too. (Okabe and Ito.) */
export const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#e69f00']
/** For what is there to be compared with. */
export const PALE = '#a9b0b8'
export const INK = '#24292f'
export const FAINT = '#6b7280'
export const GRID = '#dddfe3'

const CARD = '#fbfbf8'
const FONT = 'Helvetica, Arial, sans-serif'

export interface Heading {
  title: string
  /** What was computed, simulated or measured, with its numbers. Its lines are short enough for the figure. */
  subtitle: string
}

export interface Axis {
  name: string
  /** `category` names bars by their first number. Default `value`. */
  type?: 'value' | 'log' | 'category'
  min?: number
  max?: number
  /** Between two marks; on a log axis in powers of ten. */
  interval?: number
  /** Default: the number as it is. */
  format?: (value: number) => string
}

export const CARD_STYLE = {
  backgroundColor: CARD,
  color: COLOURS,
  textStyle: { fontFamily: FONT, color: INK },
}

export function titleOf({ title, subtitle }: Heading) {
  return {
    text: title,
    subtext: subtitle,
    left: 12,
    top: 10,
    textStyle: { color: INK, fontSize: 17 },
    subtextStyle: { color: FAINT, fontSize: 13 },
  }
}

export function legendAt(top: number) {
  return {
    top,
    left: 12,
    icon: 'roundRect',
    itemWidth: 22,
    itemHeight: 6,
    itemGap: 30,
    textStyle: { color: INK, fontSize: 13 },
  }
}

export function axisOf({ name, type = 'value', min, max, interval, format }: Axis) {
  return {
    type,
    name,
    min,
    max,
    ...(interval !== undefined && { interval }),
    nameLocation: 'middle' as const,
    nameTextStyle: { color: INK, fontSize: 13 },
    axisLabel: { color: INK, fontSize: 12, formatter: format && ((value: number | string) => format(Number(value))) },
    axisLine: { show: true, lineStyle: { color: FAINT } },
    splitLine: { lineStyle: { color: GRID } },
  }
}
