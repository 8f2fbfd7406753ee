/** What it costs to import a package: a process that imports it and ends, less one that imports nothing. */
import { spawnSync } from 'node:child_process'
import { folderOf, type Import, IMPORTS } from './packages.ts'
import { median } from './statistics.ts'

const ROUNDS = { full: 11, smoke: 1 }

export interface ImportRow {
  package: string
  /** Milliseconds more than a process that imports nothing, median of the rounds. */
  ms: number
  /** Milliseconds of whole processes. */
  rounds: number[]
}

export function measureImportTime(smoke: boolean): { bareMs: number; rows: ImportRow[] } {
  const bare: number[] = []
  const rows = IMPORTS.map((each) => ({ each, rounds: [] as number[] }))
  for (let round = 0; round < ROUNDS[smoke ? 'smoke' : 'full']; round += 1) {
    bare.push(processMs('', folderOf(IMPORTS[0]!)))
    for (const { each, rounds } of rows) rounds.push(importMs(each))
  }
  const costOf = (rounds: readonly number[]): number => median(rounds.map((ms, round) => ms - bare[round]!))
  return {
    bareMs: median(bare),
    rows: rows.map(({ each, rounds }) => ({ package: each.name, ms: costOf(rounds), rounds })),
  }
}

function importMs(each: Import): number {
  return processMs(`${each.line}; it`, folderOf(each))
}

function processMs(code: string, cwd: string): number {
  const startMs = performance.now()
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd, encoding: 'utf8' })
  const ms = performance.now() - startMs
  if (status !== 0) throw new Error(`${code}: ${stderr}`)
  return ms
}
