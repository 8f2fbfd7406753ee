/** Writes the code of docs/recipes.md from the files in `recipes`, with `--update`, or says that it is out of date. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'

const DOCUMENT = new URL('../../docs/recipes.md', import.meta.url)
const RECIPES = new URL('recipes/', import.meta.url)

/** A block that names its file in the first line. */
const BLOCK = /^(```ts[ \w-]*\n\/\/ ([\w-]+\.ts)\n)[^]*?(^```$)/gm

/** What a user imports instead. */
const PACKAGES: Record<string, string> = {
  '../../../src/index.ts': 'headgate',
  '../stand-ins/nestjs-common.ts': '@nestjs/common',
  '../stand-ins/nestjs-core.ts': '@nestjs/core',
  '../stand-ins/bullmq.ts': 'bullmq',
  '../stand-ins/client-sqs.ts': '@aws-sdk/client-sqs',
}

/** The document as it is and as it should be, the files that it shows, and those that there are. */
export async function compared() {
  const before = await readFile(DOCUMENT, 'utf8')
  const files = (await readdir(RECIPES)).toSorted()
  const codes = new Map(await Promise.all(files.map(async (file) => [file, await codeOf(file)] as const)))
  const after = before.replaceAll(BLOCK, (_, head: string, file: string, end: string) => head + codes.get(file) + end)
  const shown = Array.from(before.matchAll(BLOCK), ([, , file = '']) => file).toSorted()
  return { before, after, shown, files, fences: before.match(/^```./gm)?.length }
}

async function codeOf(file: string): Promise<string> {
  const text = await readFile(new URL(file, RECIPES), 'utf8')
  const code = text.replaceAll(/^ *\/\/ oxlint-.*\n/gm, '')
  return code.replaceAll(/ from '([^']+)'/g, (_, name: string) => ` from '${PACKAGES[name] ?? name}'`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { before, after } = await compared()
  if (process.argv.includes('--update')) await writeFile(DOCUMENT, after)
  else if (before !== after) throw new Error('docs/recipes.md is out of date: run this with --update')
}
