import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

interface Package {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  allowScripts?: Record<string, boolean>
}

interface Locked {
  integrity?: string
  resolved?: string
  hasInstallScript?: boolean
}

const at = (path: string): URL => new URL(`../../${path}`, import.meta.url)
const read = <T>(path: string): T => JSON.parse(readFileSync(at(path), 'utf8')) as T

/** Their install scripts are not run: what they would build or tell is not used. */
const UNRUN = ['protobufjs']

test('the package has no dependency at run time', () => {
  expect(read<Package>('package.json')).not.toHaveProperty('dependencies')
})

describe.each(['', 'bench/'])('what %spackage.json installs', (folder) => {
  const { dependencies = {}, devDependencies = {}, allowScripts = {} } = read<Package>(`${folder}package.json`)
  const { packages } = read<{ packages: Record<string, Locked> }>(`${folder}package-lock.json`)
  const locked = Object.entries(packages).filter(([path]) => path !== '')

  test('is pinned exactly', () => {
    const versions = Object.values({ ...dependencies, ...devDependencies })
    expect(versions.filter((version) => !/^(npm:[@/\w-]+@)?\d+\.\d+\.\d+$/.test(version))).toEqual([])
  })

  test('comes from the registry, with its digest', () => {
    const strangers = locked.filter(([, { integrity, resolved }]) => integrity === undefined || resolved !== undefined)
    expect(strangers.map(([path]) => path)).toEqual([])
  })

  test('runs no script that nobody looked at', () => {
    const scripts = locked
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.replace(/^.*node_modules\//, ''))
    const known = [...Object.keys(allowScripts), ...UNRUN]
    expect(scripts.filter((name) => !known.includes(name))).toEqual([])
  })
})
