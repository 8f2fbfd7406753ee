import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the blocks of a document use and do not declare. */
export interface Prelude {
  /** A line that imports all of it but what these imports name. */
  importBeside: (imports: string[]) => string
}

/** `preludes/recovery.ts` is that of `docs/recovery.md`. A document may have none. */
export function preludeOf(document: string): Prelude | undefined {
  const path = join(import.meta.dirname, 'preludes', document.replace(/^docs\//, '').replace(/\.md$/, '.ts'))
  if (!existsSync(path)) return undefined
  const names = exportsOf(readFileSync(path, 'utf8'))
  return {
    importBeside(imports) {
      const named = namesIn(imports)
      return `import { ${names.filter((name) => !named.has(name)).join(', ')} } from '${path}'`
    },
  }
}

function exportsOf(source: string): string[] {
  const declared = source.matchAll(/^export (?:const|function|async function|class) (\w+)/gm)
  const passedOn = source.matchAll(/^export \{ (.*) \} from/gm)
  return [...declared, ...passedOn].flatMap(([, names = '']) => names.split(', '))
}

function namesIn(imports: string[]): Set<string> {
  const text = imports.join(' ').replaceAll(/'[^']*'/g, '')
  return new Set(text.match(/\w+/g))
}
