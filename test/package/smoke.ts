// Packs the package, installs the tarball into an empty project, type-checks a consumer against it and runs it as ESM and
// as CommonJS. `npm run smoke -- 20 22` runs it on those versions of Node as well.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const tsc = join(root, 'node_modules/@typescript/native/bin/tsc')
const project = mkdtempSync(join(tmpdir(), 'headgate-smoke-'))

try {
  install(pack())
  typecheck('DOM types', { lib: ['ES2023', 'DOM'], types: [] })
  mkdirSync(join(project, 'node_modules/@types'), { recursive: true })
  symlinkSync(join(root, 'node_modules/@types/node'), join(project, 'node_modules/@types/node'))
  typecheck('Node types', { lib: ['ES2023'], types: ['node'] })
  for (const file of ['esm.mjs', 'cjs.cjs']) {
    run(process.execPath, [file])
    for (const version of process.argv.slice(2)) run('npx', ['--yes', '-p', `node@${version}`, 'node', file])
  }
  console.log('smoke: the packed tarball installs, type-checks and runs as ESM and as CommonJS')
} finally {
  rmSync(project, { recursive: true, force: true })
}

function pack(): string {
  const output = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], {
    cwd: root,
  })
  const [packed] = JSON.parse(output.toString()) as { filename: string }[]
  if (packed === undefined) throw new Error('npm pack made no tarball')
  return join(project, packed.filename)
}

function install(tarball: string): void {
  cpSync(join(import.meta.dirname, 'consumer'), project, { recursive: true })
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'consumer', private: true }))
  const quietly = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline']
  run('npm', ['install', ...quietly, tarball, ...optionalPeers()])
}

/** The optional peers at the versions that are tested here: an entry that wants one is loaded, too. */
function optionalPeers(): string[] {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    peerDependencies: Record<string, string>
    devDependencies: Record<string, string>
  }
  return Object.keys(manifest.peerDependencies).map((name) => `${name}@${manifest.devDependencies[name]}`)
}

function typecheck(what: string, options: { lib: string[]; types: string[] }): void {
  const compilerOptions = {
    ...options,
    target: 'ES2023',
    module: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
  }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['types.mts', 'types.cts'] }))
  run(process.execPath, [tsc, '-p', 'tsconfig.json'])
  console.log(`smoke: types check with ${what}`)
}

function run(command: string, args: string[]): void {
  execFileSync(command, args, { cwd: project, stdio: 'inherit' })
}
