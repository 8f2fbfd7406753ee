import { createRequire } from 'node:module'

/** As much of echarts as is used here. Its own types need those of a browser. */
interface Echarts {
  init(dom: null, theme: null, options: { renderer: 'svg'; ssr: true; width: number; height: number }): Chart
}

interface Chart {
  setOption(option: object): void
  renderToSVGString(): string
  dispose(): void
}

const echarts = createRequire(import.meta.url)('echarts') as Echarts

/** The chart that echarts draws from `option`, as SVG. */
export function svgOf(option: object, size: { width: number; height: number }): string {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, ...size })
  chart.setOption({ animation: false, ...option })
  const svg = chart.renderToSVGString()
  chart.dispose()
  return `${svg}\n`
}
