// Installs the packed tarball elsewhere and runs the same checks from it in every runtime: `npm run runtimes`, after a build.
// `--update` writes the tables into docs/runtimes.md, `--allow-missing` forgives runtimes that cannot be had, and names such as
// `bun workerd` choose some.
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Lab, Missing } from './runtimes-lab.ts'
import { NODE_VERSIONS, type Runtime, RUNTIMES } from './runtimes-list.ts'
import { startServer } from './runtimes-server.ts'
import { LOADS, measureStartup, type Startup } from './runtimes-startup.ts'
import type { CheckResult } from './runtimes-types.ts'

interface Row {
  cells: string[]
  state: 'passed' | 'failed' | 'not run'
}

const FILE = new URL('../../docs/runtimes.md', import.meta.url)
const SECTION = (name: string) => new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end -->)`)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { update: { type: 'boolean', default: false }, 'allow-missing': { type: 'boolean', default: false } },
})
if (values.update && positionals.length > 0) throw new Error('--update wants all runtimes')
const chosen = (name: string): boolean => positionals.length === 0 || positionals.includes(name.toLowerCase())

const lab = new Lab()
try {
  await lab.prepare()
  const rows = await runAll(RUNTIMES.filter(({ name }) => chosen(name)))
  const startups = chosen('node') ? await startupOfAll() : []
  report(rows, startups)
} finally {
  lab.remove()
}

async function runAll(runtimes: readonly Runtime[]): Promise<Row[]> {
  const server = await startServer(lab.project)
  const rows: Row[] = []
  for (const runtime of runtimes) rows.push(await rowOf(runtime, server.url))
  server.close()
  return rows
}

async function rowOf(runtime: Runtime, server: string): Promise<Row> {
  const { name, version, loaded } = runtime
  const said = `${name} ${version} (${loaded})`
  try {
    const outcome = await runtime.run(lab, server)
    const failed = outcome.results.filter(({ error }) => error !== undefined)
    for (const { name: check, error } of failed) console.error(`${said}, ${check}: ${error}`)
    return row([name, outcome.version, loaded, namesOf(outcome.results)], failed)
  } catch (error) {
    if (error instanceof Missing)
      return { cells: [name, version, loaded, '', `not run: ${error.message}`], state: 'not run' }
    console.error(said, error)
    return { cells: [name, version, loaded, '', 'failed'], state: 'failed' }
  }
}

function row(cells: string[], failed: CheckResult[]): Row {
  if (failed.length === 0) return { cells: [...cells, 'passed'], state: 'passed' }
  return { cells: [...cells, `failed: ${namesOf(failed)}`], state: 'failed' }
}

function namesOf(results: CheckResult[]): string {
  return results.map(({ name }) => name).join(', ')
}

async function startupOfAll(): Promise<Startup[]> {
  const startups: Startup[] = []
  for (const version of NODE_VERSIONS) {
    const measured = await measureStartup(lab, version).catch((error: unknown) => {
      if (error instanceof Missing) return undefined
      throw error
    })
    if (measured) startups.push(measured)
  }
  return startups
}

function report(rows: Row[], startups: Startup[]): void {
  const checks = table([['runtime', 'version', 'loaded as', 'what ran', 'result'], ...rows.map(({ cells }) => cells)])
  const times = table([startupHead(), ...startups.map(startupCells)])
  console.log(startups.length > 0 ? `${checks}\n\n${times}` : checks)
  const states = new Set(rows.map(({ state }) => state))
  const strange = startups.some(({ strangers }) => strangers.length > 0)
  if (states.has('failed') || strange || (states.has('not run') && !values['allow-missing'])) process.exitCode = 1
  else if (values.update) update(checks, times)
}

function startupHead(): string[] {
  return ['Node', ...LOADS.map(({ how, entry }) => `${how} \`${entry}\``), 'loads of undici and OpenTelemetry']
}

function startupCells({ version, medians, strangers }: Startup): string[] {
  return [version, ...medians.map((ms) => `${ms.toFixed(1)} ms`), strangers.join(', ') || 'nothing']
}

function table([head = [], ...rows]: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function update(checks: string, times: string): void {
  const before = readFileSync(FILE, 'utf8')
  const after = before
    .replace(SECTION('runtimes'), (_, start: string, end: string) => `${start}${checks}\n${end}`)
    .replace(SECTION('startup'), (_, start: string, end: string) => `${start}${times}\n${end}`)
  writeFileSync(FILE, after)
}
