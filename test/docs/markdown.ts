import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const ROOT = resolve(import.meta.dirname, '../..')

/** A fenced block. */
export interface Block {
  /** Number of its first line inside the fence, 1 for the first of the document. */
  line: number
  language: string
  /** What the fence says after the language. */
  flag: string
  lines: string[]
}

export interface Document {
  /** Path from the root of the repository. */
  name: string
  blocks: Block[]
}

/** README.md and all of docs, but for the API reports, which a tool writes. */
export function readDocuments(): Document[] {
  const names = globSync('docs/**/*.md', { cwd: ROOT, exclude: ['docs/api'] })
  return ['README.md', ...names.toSorted()].map((name) => parse(name, readFileSync(join(ROOT, name), 'utf8')))
}

export function parse(name: string, text: string): Document {
  const blocks: Block[] = []
  let open: Block | undefined
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^\s*```(\S*) ?(.*)$/.exec(line)
    if (open && fence) open = undefined
    else if (open) open.lines.push(line)
    else if (fence) blocks.push((open = { line: index + 2, language: fence[1] ?? '', flag: fence[2] ?? '', lines: [] }))
  }
  if (open) throw new Error(`${name}:${open.line - 1}: the block is not closed`)
  return { name, blocks }
}
