import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, release, totalmem, type } from 'node:os'
import { rounded } from './report/numbers.ts'
import { versionOf } from './contenders/versions.ts'
import type { Claim, Efficacy } from './efficacy/result.ts'
import type { OverheadResult } from './overhead/result.ts'

/** All that one run of the benchmarks came to. */
export interface Results {
  ran: Ran
  efficacy: Efficacy
  overhead: OverheadResult
}

/** What was run, on what, and when. */
export interface Ran {
  /** `2026-11-30`. */
  date: string
  tookMs: number
  cpu: string
  cores: number
  memoryBytes: number
  os: string
  node: string
  /** Of headgate and of all that is installed beside it, by package. */
  versions: Record<string, string>
}

const FILE = new URL('results.json', import.meta.url)

export function saveResults(results: Results): void {
  writeFileSync(FILE, `${JSON.stringify(results)}\n`)
}

export function savedResults(): Results {
  if (!existsSync(FILE)) throw new Error('there are no results yet: run the benchmarks first')
  return JSON.parse(readFileSync(FILE, 'utf8')) as Results
}

export function ranHere(tookMs: number): Ran {
  return {
    date: new Date().toISOString().slice(0, 10),
    tookMs,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    os: `${type()} ${release()} ${process.arch}`,
    node: process.versions.node,
    versions: installedVersions(),
  }
}

function installedVersions(): Record<string, string> {
  const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const names = ['headgate', ...Object.keys(dependencies)].filter((name) => !name.startsWith('@types/'))
  return Object.fromEntries(names.map((name) => [name, versionOf(name)]))
}

/** What must show, of both parts. */
export function claimsOf({ efficacy, overhead }: Results): Claim[] {
  const ofOverhead = overhead.claims.map(({ figures, ...claim }) => ({ ...claim, figures: figureTexts(figures) }))
  return [...efficacy.claims, ...ofOverhead]
}

/** Without a figure: it took longer than it may. */
function figureTexts(figures: Record<string, number | null>): string[] {
  return Object.entries(figures).map(([name, figure]) => `${name}: ${figure === null ? 'too slow' : rounded(figure)}`)
}
