/**
 * Turns the blocks of a document into programs whose line numbers are those of the document:
 *
 * - A block with imports begins a program. Blocks without go on in it, each in a scope inside the one before, so that it sees what was
 *   declared there and may declare it again.
 * - A block that begins with a comment of a file name, `// upstreams.ts`, is that file. The programs of the document may import it.
 * - Names that no block declares come from the document's file in `preludes`.
 * - `ts no-run` is type-checked and not run. `js other` is code of another library, and left out.
 */
import { dirname, join, relative } from 'node:path'
import { type Block, type Document, ROOT } from './markdown.ts'
import { type Prelude, preludeOf } from './prelude.ts'

export interface Program {
  /** The document and the line that it begins at, `README.md:18`. */
  name: string
  /** Path of its file in the folder that programs are written to. */
  file: string
  source: string
  /** Who runs it; nobody where it is a file that others import. */
  runner: 'node' | 'vitest' | undefined
}

/** The blocks of one program. */
type Group = [Block, ...Block[]]

const CODE = /^([cm]?[jt]sx?|typescript|javascript)$/
const FILE_NAME = /^\/\/ ([\w-]+\.ts)$/
const FLAGS = ['', 'no-run', 'other']

export function programsOf(document: Document, folder: string): Program[] {
  const prelude = preludeOf(document.name)
  return groupsOf(document).map((blocks) => programOf(document.name, blocks, prelude, folder))
}

function groupsOf({ name, blocks }: Document): Group[] {
  const groups: Group[] = []
  let current: Group | undefined
  for (const block of blocks.filter(({ language }) => CODE.test(language))) {
    if (!FLAGS.includes(block.flag)) throw new Error(`${name}:${block.line}: no such flag: ${block.flag}`)
    if (block.flag === 'other') continue
    if (current && !fileNameOf(current[0]) && !beginsAnew(block)) current.push(block)
    else groups.push((current = [block]))
  }
  return groups
}

function programOf(document: string, group: Group, prelude: Prelude | undefined, folder: string): Program {
  const [first] = group
  const fileName = fileNameOf(first)
  const file = join(document, fileName ?? `${first.line}.ts`)
  const page = fileName === undefined ? programPage(group, prelude) : putLines([], first)
  const from = join(folder, file)
  const source = page
    .join('\n')
    .replaceAll(/( from |import\()'([^']+)'/g, (_, before: string, name: string) => `${before}'${resolve(name, from)}'`)
  return { name: `${document}:${first.line}`, file, source, runner: fileName ? undefined : runnerOf(source) }
}

/** A function whose scopes open on the lines of the fences, or behind the imports, and close at the end. */
function programPage(group: Group, prelude: Prelude | undefined): string[] {
  const [first] = group
  const page = [prelude?.importBeside(importsOf(first)) ?? '']
  for (const block of group) {
    putLines(page, block)
    const fence = block.line - 2
    if (block === first) append(page, fence + importsOf(first).length, 'export default async function () {')
    else append(page, fence, '{')
    if (block.flag !== 'no-run') continue
    append(page, fence + importsOf(block).length, 'if (false as boolean) {')
    append(page, fence + block.lines.length + 1, '}')
  }
  return [...page, '}'.repeat(group.length)]
}

function putLines(page: string[], { line, lines }: Block): string[] {
  for (const [index, text] of lines.entries()) page[line - 1 + index] = text
  return page
}

function append(page: string[], index: number, text: string): void {
  page[index] = `${page[index] ?? ''};${text}`
}

function runnerOf(source: string): 'node' | 'vitest' {
  return source.includes(` from 'vitest'`) ? 'vitest' : 'node'
}

function beginsAnew(block: Block): boolean {
  return importsOf(block).length > 0 || fileNameOf(block) !== undefined
}

function fileNameOf({ lines }: Block): string | undefined {
  return FILE_NAME.exec(lines[0] ?? '')?.[1]
}

/** The lines from the first of a block to its last import. */
function importsOf({ lines }: Block): string[] {
  return lines.slice(0, lines.findLastIndex((line) => /^(import\b.*|\} from )'[^']+'$/.test(line)) + 1)
}

/** The package's own entries are its sources, and absolute paths are written from where the program is. */
function resolve(specifier: string, from: string): string {
  const [, entry] = /^headgate(?:\/(\w+))?$/.exec(specifier) ?? []
  if (specifier.startsWith('/')) return relative(dirname(from), specifier)
  if (specifier === 'headgate' || entry !== undefined) return relative(dirname(from), join(ROOT, 'src', fileOf(entry)))
  return specifier
}

function fileOf(entry: string | undefined): string {
  if (entry === undefined) return 'index.ts'
  return entry === 'gate' ? 'gate-entry.ts' : `${entry}/index.ts`
}
