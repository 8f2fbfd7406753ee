/** A temporary folder with the packed tarball installed, the checks, and the runtimes that npm carries. */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'

const ROOT = resolve(import.meta.dirname, '../..')
const QUIETLY = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline']
const TIMEOUT_MS = 300_000

/** What the entries that want a peer are checked with, at the versions of the repository. */
const PEERS = ['undici', 'undici7', '@opentelemetry/api', '@opentelemetry/sdk-metrics']

/** A runtime that cannot be had here. */
export class Missing extends Error {}

export class Lab {
  readonly folder = mkdtempSync(join(tmpdir(), 'headgate-runtimes-'))
  readonly project = join(this.folder, 'project')
  readonly #tools = new Map<string, Promise<string>>()

  /** Packs what `npm run build` has left in `dist`. */
  async prepare(): Promise<void> {
    cpSync(join(import.meta.dirname, 'runtime-checks'), this.project, { recursive: true })
    await install(this.project, [await this.#pack(), ...peers()])
    await this.#bundle('worker')
    await this.#bundle('browser')
  }

  /** Runs a program in the project and returns what it prints. */
  async run(command: string, args: readonly string[], timeoutMs = TIMEOUT_MS): Promise<string> {
    const env = { ...process.env, TMPDIR: this.folder, NO_COLOR: '1' }
    const { stdout } = await execute(command, [...args], { cwd: this.project, timeout: timeoutMs, env })
    return stdout.trim()
  }

  /** A folder of its own with these packages, installed once. */
  tools(...packages: string[]): Promise<string> {
    const key = packages.join()
    const found = this.#tools.get(key) ?? missing(install(join(this.folder, `tools-${this.#tools.size}`), packages))
    this.#tools.set(key, found)
    return found
  }

  /** The path of a Node of this version. */
  node(version: string): Promise<string> {
    return missing(this.run('npx', ['--yes', '-p', `node@${version}`, 'node', '-p', 'process.execPath']))
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 })
  }

  async #pack(): Promise<string> {
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', this.folder]
    const { stdout } = await execute('npm', args, { cwd: ROOT })
    const [packed] = JSON.parse(stdout) as { filename: string }[]
    if (packed === undefined) throw new Error('npm pack made no tarball')
    return join(this.folder, packed.filename)
  }

  async #bundle(name: string): Promise<void> {
    await build({
      absWorkingDir: this.project,
      entryPoints: [`${name}.mjs`],
      outfile: `${name}.js`,
      bundle: true,
      format: 'esm',
      platform: 'browser',
      // Imported by what opens a socket, and only then.
      external: ['node:http'],
      logLevel: 'warning',
    })
  }
}

const execute = promisify(execFile)

async function install(folder: string, packages: readonly string[]): Promise<string> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true }))
  await execute('npm', ['install', ...QUIETLY, ...packages], { cwd: folder, timeout: TIMEOUT_MS })
  return folder
}

function peers(): string[] {
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  return PEERS.map((name) => `${name}@${devDependencies[name]}`)
}

async function missing<T>(obtained: Promise<T>): Promise<T> {
  return obtained.catch((error: Error & { stderr?: string }) => {
    const lines = (error.stderr || error.message).trim().split('\n')
    throw new Missing(lines.slice(0, 2).join('; '))
  })
}
