import type { Ran } from '../results.ts'
import { list, stack } from './markdown.ts'
import { count } from './numbers.ts'

const GIBIBYTE = 2 ** 30

export function whatRanSection(ran: Ran): string {
  return stack('## What was run', list(whatRanLines(ran)))
}

/** Machine, versions and date, a line each. */
export function whatRanLines(ran: Ran): string[] {
  const { date, tookMs, cpu, cores, memoryBytes, os, node, versions } = ran
  const packages = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return [
    `Date: ${date}; it took ${Math.ceil(tookMs / 60_000)} minutes.`,
    `Machine: ${cpu}, ${count(cores)} cores, ${(memoryBytes / GIBIBYTE).toFixed(0)} GiB; ${os}.`,
    `Node ${node}. Packages: ${packages.join(', ')}.`,
  ]
}
