import { bars } from '../../studies/figures/bars.ts'
import { panels } from '../../studies/figures/panels.ts'
import type { Results } from '../results.ts'
import { overheadFigure } from './overhead.ts'
import { throttledFigure } from './throttled.ts'
import { versionsLine } from './versions-line.ts'
import { waitsFigure } from './waits.ts'
import { SHOWN, windowFigure } from './window.ts'

/** The figures of `docs/benchmarks.md` as SVG, by file name. */
export function figuresOf({ ran, overhead, efficacy: { results, timelines } }: Results): Record<string, string> {
  const all = versionsLine(ran)
  return {
    'bench-window.svg': panels(windowFigure(timelines, versionsLine(ran, SHOWN))),
    'bench-throttled.svg': bars(throttledFigure(results, all)),
    'bench-waits.svg': bars(waitsFigure(results, all)),
    'bench-overhead.svg': bars(overheadFigure(overhead, all)),
  }
}
