import { readFileSync } from 'node:fs'

const OWN = 'headgate'

/** The installed version of a contender's package; of headgate, that of this repository. */
export function versionOf(name: string): string {
  const path = name === OWN ? '../../package.json' : `../node_modules/${name}/package.json`
  const { version } = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as { version: string }
  return version
}
