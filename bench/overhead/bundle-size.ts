/** What a package adds to a bundle: one line that imports what is needed of it, minified, and that compressed. Node's own modules do not count. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { build } from 'esbuild'
import { folderOf, type Import, IMPORTS } from './packages.ts'

export interface BundleRow {
  package: string
  minifiedBytes: number
  gzipBytes: number
}

export function measureBundleSize(): Promise<BundleRow[]> {
  return Promise.all(IMPORTS.map(bundle))
}

async function bundle(each: Import): Promise<BundleRow> {
  const { outputFiles } = await build({
    stdin: { contents: `${each.line}; export { it }`, resolveDir: folderOf(each) },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    write: false,
    logLevel: 'error',
  })
  const { contents } = outputFiles[0]!
  const { byteLength } = await promisify(gzip)(contents)
  return { package: each.name, minifiedBytes: contents.byteLength, gzipBytes: byteLength }
}
