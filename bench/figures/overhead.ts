import type { BarPanel, Bars } from '../../studies/figures/bars.ts'
import type { ContendedRow } from '../overhead/contended.ts'
import type { OverheadResult } from '../overhead/result.ts'
import type { UncontendedRow } from '../overhead/uncontended.ts'
import { count, time } from '../report/numbers.ts'

/** What a call costs when it waits for nobody, and in the largest crowd that was measured. */
export function overheadFigure({ uncontended, contended }: OverheadResult, versions: string): Bars {
  const most = Math.max(...contended.map(({ calls }) => calls))
  const crowd = contended.filter(({ calls }) => calls === most)
  const names = namesOf(uncontended, crowd)
  return {
    title: 'What a call costs',
    subtitle: `Around a task of nothing; medians of interleaved rounds; the shorter the better, and log axes.\n${versions}`,
    names,
    marked: names.filter((name) => name.startsWith('headgate')),
    panels: [alonePanel(uncontended, names), crowdPanel(crowd, names, most)],
  }
}

/** The cheapest first, and last those who were not measured alone. */
function namesOf(uncontended: readonly UncontendedRow[], crowd: readonly ContendedRow[]): string[] {
  const alone = uncontended.toSorted((a, b) => a.ns - b.ns)
  return [...new Set([...alone, ...crowd].map(({ peer }) => peer))]
}

function alonePanel(rows: readonly UncontendedRow[], names: readonly string[]): BarPanel {
  const values = names.map((name) => rows.find(({ peer }) => peer === name)?.ns)
  return {
    axis: { name: 'nobody waits', type: 'log', min: 10, interval: 2, format: time },
    values,
    labels: values.map((value) => (value === undefined ? '' : time(value))),
  }
}

function crowdPanel(rows: readonly ContendedRow[], names: readonly string[], most: number): BarPanel {
  const of = names.map((name) => rows.find(({ peer }) => peer === name))
  return {
    axis: { name: `${count(most)} wait: time of the processor`, type: 'log', min: 100, format: time },
    values: of.map((row) => row?.cpuUs && row.cpuUs * 1e3),
    labels: of.map((row) => (row === undefined ? '' : crowdLabel(row))),
  }
}

function crowdLabel({ cpuUs, capMs, calls }: ContendedRow): string {
  return cpuUs === undefined ? `> ${time((capMs * 1e6) / calls)}` : time(cpuUs * 1e3)
}
