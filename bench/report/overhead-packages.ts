import type { OverheadResult } from '../overhead/result.ts'
import { stack, table } from './markdown.ts'
import { count, rounded } from './numbers.ts'
import { boldOurs } from './overhead-names.ts'

const KILOBYTE = 1_000

export function packagesSection({ importTime, bundleSize }: OverheadResult): string {
  const rows = bundleSize.map(({ package: name, minifiedBytes, gzipBytes }) => {
    const ms = importTime.rows.find((row) => row.package === name)?.ms
    const sizes = [minifiedBytes, gzipBytes].map((bytes) => rounded(bytes / KILOBYTE))
    return [boldOurs(name), ms === undefined ? '' : rounded(ms), ...sizes]
  })
  return stack(
    '## Packages',
    `Milliseconds that a process which imports it takes more than one that imports nothing (${rounded(importTime.bareMs)} ms), and what a bundler makes of the import.`,
    table(['', 'import, ms', 'minified, kB', 'and gzipped, kB'], rows),
  )
}

export function socketSection({ loopback, headerReading }: OverheadResult): string {
  const pairs = loopback.map(({ bare, paced, barePerSecond, pacedPerSecond, ratio, addedCpuUs }) => [
    `${boldOurs(paced)} beside ${bare}`,
    ...[barePerSecond, pacedPerSecond].map(count),
    `${ratio.median.toFixed(3)} (${ratio.lowerQuartile.toFixed(3)} – ${ratio.upperQuartile.toFixed(3)})`,
    rounded(addedCpuUs),
  ])
  const readings = headerReading.map(({ headers, way, ns }) => [headers, way, rounded(ns)])
  return stack(
    '## Over a socket',
    'Requests per second to a server of the same machine, with a limit that holds nobody, rate headers on every answer and a listener on. Of the ratio the median of the rounds, and its quartiles. Each round is a process of its own: V8 decides for the life of one which objects of a request it makes in the old generation, and a process is up to a third slower by that, with headgate or without.',
    table(['', 'bare', 'headgate', 'ratio', 'adds µs of the processor'], pairs),
    '### Reading the headers of an answer',
    table(['rate headers', 'by', 'ns'], readings, 2),
  )
}
