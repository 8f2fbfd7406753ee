import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import type * as gate from '../../src/gate/index.ts'

const gateDir = fileURLToPath(new URL('../../src/gate/', import.meta.url))

/** One rule of the source: the text of `file` (in `src/gate`) that is it, and what stands there instead when it is gone. */
export interface Rule {
  file: string
  snippet: string
  instead: string
}

/**
 * The gate with one rule removed, compiled from the source as it is.
 * @throws Error if the snippet is not found exactly once: a rule that was rewritten must not pass for one that was removed.
 */
export async function without(rule: Rule): Promise<typeof gate> {
  const dir = await mkdtemp(join(tmpdir(), 'headgate-'))
  try {
    const outfile = join(dir, 'gate.mjs')
    const { outputFiles } = await build({
      entryPoints: [join(gateDir, 'index.ts')],
      bundle: true,
      format: 'esm',
      target: 'es2023',
      write: false,
      logLevel: 'silent',
      plugins: [removing(rule)],
    })
    await writeFile(outfile, outputFiles[0]!.contents)
    return await import(/* @vite-ignore */ pathToFileURL(outfile).href)
  } finally {
    await rm(dir, { recursive: true })
  }
}

function removing({ file, snippet, instead }: Rule): Plugin {
  const path = join(gateDir, file)
  return {
    name: 'without',
    setup(bundle) {
      bundle.onLoad({ filter: /\.ts$/ }, async (loaded) => {
        if (loaded.path !== path) return undefined
        const [before, after, ...more] = (await readFile(path, 'utf8')).split(snippet)
        if (after === undefined || more.length > 0) throw new Error(`not found exactly once in ${file}: ${snippet}`)
        return { contents: before + instead + after, loader: 'ts' }
      })
    },
  }
}
