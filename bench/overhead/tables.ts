import Table from 'cli-table3'
import type { OverheadResult } from './result.ts'

type Cell = string | number
type Rows = readonly Record<string, Cell>[]

/** The result for a terminal, a table for each part. */
export function tablesOf(result: OverheadResult): string {
  const head = `Node ${result.node}, ${Math.round(result.tookMs / 1_000)} s${result.smoke ? ', smoke: no figures' : ''}`
  return [head, ...callTables(result), ...memoryTables(result), ...packageTables(result), ...endTables(result)].join(
    '\n',
  )
}

function callTables({ uncontended, contended }: OverheadResult): string[] {
  return [
    table(
      'uncontended',
      uncontended.map(({ peer, how, ns, cpuNs }) => ({ peer, how, ns: whole(ns), 'cpu ns': whole(cpuNs) })),
    ),
    table(
      'contended',
      contended.map(({ peer, by, calls, cpuUs, capMs, inOrder }) => ({
        peer,
        by,
        calls,
        'cpu us a call': cpuUs === undefined ? tooSlow(capMs) : cpuUs.toFixed(2),
        'in order': inOrder ? '' : 'no',
      })),
    ),
  ]
}

function memoryTables({ waiters, gates, aborts }: OverheadResult): string[] {
  return [
    table(
      'waiters',
      waiters.map(({ peer, signals, bytes }) => ({ peer, signals, bytes: whole(bytes) })),
    ),
    table(
      'gates',
      gates.map(({ kind, bytes, cpuUs }) => ({ kind, bytes: whole(bytes), 'cpu us': cpuUs.toFixed(1) })),
    ),
    table(
      'aborts',
      aborts.map(({ peer, signals, order, waiters: count, ms, capMs }) => ({
        peer,
        signals,
        order,
        waiters: count,
        ms: ms === undefined ? tooSlow(capMs) : whole(ms),
      })),
    ),
  ]
}

function packageTables({ importTime, bundleSize, loopback, headerReading }: OverheadResult): string[] {
  const kB = (bytes: number): string => (bytes / 1_000).toFixed(1)
  return [
    table(
      'import',
      importTime.rows.map((row) => ({ package: row.package, ms: row.ms.toFixed(1) })),
    ),
    table(
      'bundle',
      bundleSize.map((row) => ({
        package: row.package,
        'min kB': kB(row.minifiedBytes),
        'gzip kB': kB(row.gzipBytes),
      })),
    ),
    table(
      'loopback',
      loopback.map(({ bare, paced, barePerSecond, pacedPerSecond, ratio, addedCpuUs }) => ({
        bare,
        paced,
        'bare per second': whole(barePerSecond),
        'paced per second': whole(pacedPerSecond),
        ratio: ratio.median.toFixed(3),
        'adds cpu us': addedCpuUs.toFixed(1),
      })),
    ),
    table(
      'header reading',
      headerReading.map(({ headers, way, ns }) => ({ headers, way, ns: whole(ns) })),
    ),
  ]
}

function endTables({ growth, leftOut, claims }: OverheadResult): string[] {
  return [
    table(
      'growth',
      growth.map(({ of, points, exponent }) => ({
        of,
        'size: ms': points.map(({ size, totalMs }) => `${size}: ${totalMs.toPrecision(3)}`).join(', '),
        exponent: exponent.toFixed(2),
      })),
    ),
    table('left out', leftOut),
    table(
      'claims',
      claims.map(({ text, holds, figures }) => ({
        claim: text,
        holds: holds ? 'yes' : 'NO',
        figures: Object.entries(figures)
          .map(([name, figure]) => `${name} ${figure?.toPrecision(3) ?? '-'}`)
          .join('\n'),
      })),
    ),
  ]
}

function table(title: string, rows: Rows | OverheadResult['leftOut']): string {
  const columns = Object.keys(rows[0] ?? {})
  const head = [title, ...columns.slice(1)]
  const lines = new Table({ head, style: { head: [], border: [] } })
  for (const row of rows) lines.push(Object.values(row) as string[])
  return lines.toString()
}

function whole(value: number): string {
  return Math.round(value).toString()
}

function tooSlow(capMs: number): string {
  return `> ${capMs / 1_000} s`
}
