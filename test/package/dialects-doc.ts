/** Writes the tables of docs/dialects.md from the code, with `--update`, or says that they are out of date. */
import { readFile, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import type { Dialect } from '../../src/headers/index.ts'
import type { NamedDialect } from '../../src/headers/dialects.ts'
import { DIALECTS } from '../../src/headers/index.ts'
import { families } from '../../src/headers/families/index.ts'

const FILE = new URL('../../docs/dialects.md', import.meta.url)
const SECTION = (name: string) => new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end -->)`)

/** The document with its tables as they should be. */
export async function updated(): Promise<{ before: string; after: string }> {
  const before = await readFile(FILE, 'utf8')
  const after = before
    .replace(SECTION('headers'), `$1${headersTable()}\n$2`)
    .replace(SECTION('names'), `$1${namesTable()}\n$2`)
  return { before, after }
}

function headersTable(): string {
  const rows = families.map(({ headers }) => `| ${Object.values(headers).map(code).join(', ')} |`)
  return ['| headers of one limit |', '|---|', ...new Set(rows)].join('\n')
}

function namesTable(): string {
  const rows = Object.entries(DIALECTS as Record<string, NamedDialect>).map(([name, dialect]) => [
    code(name),
    windows(dialect),
    dialect.kind ?? '',
    Object.entries(dialect.throttles ?? {})
      .map(([status, when]) => (when === 'always' ? status : `${status} when told`))
      .join(', '),
    others(dialect),
    (dialect.signs ?? []).map(code).join(', '),
  ])
  const head = ['dialect', 'window', 'kind', 'throttles beside 429', 'also knows', '`auto` knows it by']
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function windows({ windowMs }: Dialect): string {
  if (typeof windowMs === 'number') return seconds(windowMs)
  return Object.entries(windowMs ?? {})
    .map(([name, ms]) => (name === '' ? seconds(ms) : `${name} ${seconds(ms)}`))
    .join(', ')
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toLocaleString('en').replaceAll(',', ' ')} s`
}

function others({ limit, units = {}, resetUnit, bucket, cost = {} }: Dialect): string {
  return [
    limit === undefined ? [] : [`limit ${JSON.stringify(limit)}`],
    Object.entries(units).map(([name, unit]) => (name === '' ? `counts ${unit}` : `${name} counts ${unit}`)),
    resetUnit === undefined ? [] : [`resets in ${resetUnit}`],
    bucket === undefined ? [] : ['budgets by path'],
    Object.entries(cost).map(([unit, header]) => `${unit} spent, from ${code(header)}`),
  ]
    .flat()
    .join(', ')
}

function code(text: string): string {
  return `\`${text}\``
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) void main()

async function main(): Promise<void> {
  const { before, after } = await updated()
  if (process.argv.includes('--update')) await writeFile(FILE, after)
  else if (before !== after) throw new Error('docs/dialects.md is out of date: npm run docs:dialects')
}
