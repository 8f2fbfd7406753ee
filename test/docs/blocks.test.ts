import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { parse, readDocuments, ROOT } from './markdown.ts'
import { type Program, programsOf } from './program.ts'

const run = promisify(execFile)
const TIMEOUT_MS = 60_000

// Inside the repository, so that packages are found from there.
mkdirSync(join(ROOT, 'temp'), { recursive: true })
const folder = mkdtempSync(join(ROOT, 'temp/docs-'))
// The sources are compiled once, not for each document.
const env = { ...process.env, NODE_COMPILE_CACHE: join(ROOT, 'temp/compiled') }
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What must be found: an option, a method and a name that do not exist. */
const WRONG = parse(
  'wrong.md',
  `
\`\`\`ts
import { createHeadgate } from 'headgate'
const headgate = createHeadgate({ upstreams: { 'api.example.com': { limit: 600 } } })
\`\`\`

\`\`\`ts no-run
headgate.pause()
missing(headgate)
\`\`\`
`,
)

const documents = readDocuments()
  .map((document) => ({ ...document, programs: programsOf(document, folder) }))
  .filter(({ programs }) => programs.length > 0)
const programs = documents.flatMap((document) => document.programs)
for (const program of [...programs, ...programsOf(WRONG, folder)]) write(program)

it('every block type-checks, and a wrong one would not', { timeout: TIMEOUT_MS }, async () => {
  const faults = await typecheck()
  expect(faults.filter((fault) => !fault.startsWith(WRONG.name))).toEqual([])
  expect(faults.map((fault) => fault.split(': ')[0])).toEqual(['wrong.md:4', 'wrong.md:8', 'wrong.md:9'])
})

it.concurrent.each(documents)('the blocks of $name run', { timeout: TIMEOUT_MS }, async ({ blocks, programs }) => {
  const files = programs.filter(({ runner }) => runner === 'node').map(({ file }) => join(folder, file))
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'run.ts'), ...files], {
    timeout: TIMEOUT_MS,
    env,
  })
  const printed = blocks.filter(({ language }) => language === 'text').flatMap(({ lines }) => lines)
  expect(printed.length === 0 ? [] : stdout.trimEnd().split('\n')).toEqual(printed)
})

// Their tests become tests of this file.
describe.each(programs.filter(({ runner }) => runner === 'vitest'))('$name', async ({ file }) => {
  const { default: declareTests } = (await import(join(folder, file))) as { default: () => Promise<void> }
  await declareTests()
})

function write({ file, source }: Program): void {
  const path = join(folder, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, source)
}

/** What the compiler finds, as `README.md:20: error ...`. */
async function typecheck(): Promise<string[]> {
  const config = join(folder, 'tsconfig.json')
  const compilerOptions = { noUnusedLocals: false, noUnusedParameters: false }
  writeFileSync(config, JSON.stringify({ extends: '../../tsconfig.json', compilerOptions, include: ['.'] }))
  const tsc = join(ROOT, 'node_modules/@typescript/native/bin/tsc')
  const found = await run(process.execPath, [tsc, '-p', config, '--pretty', 'false'], { cwd: ROOT }).catch(
    (error: { stdout: string }) => error,
  )
  const prefix = `${relative(ROOT, folder)}/`
  const lines = found.stdout.split('\n').filter((line) => line.startsWith(prefix) && line.includes(': error '))
  return lines.map((line) => line.replace(prefix, '').replace(/\/[^/]+\.ts\((\d+),\d+\)/, ':$1')).toSorted()
}
