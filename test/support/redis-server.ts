import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'

const PROGRAMS = ['valkey-server', 'redis-server']

/** The server program of this machine; undefined where there is none. */
export const serverProgram = PROGRAMS.find((program) => spawnSync(program, ['--version']).status === 0)

if (serverProgram === undefined && process.env['HEADGATE_REQUIRE_ENGINE'])
  throw new Error(`None of ${PROGRAMS.join(', ')} is installed`)

/** Title of a suite that needs a server: it says so where it is skipped. */
export function needingServer(title: string): string {
  return serverProgram === undefined ? `${title} (skipped: install redis-server or valkey-server)` : title
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A server of this test's own, without persistence, on a free port of the loopback interface. */
export class RedisServer {
  readonly port: number
  readonly #directory = mkdtempSync(join(tmpdir(), 'headgate-engine-'))
  readonly #options: readonly string[]
  #env: NodeJS.ProcessEnv
  #process: ChildProcess | undefined

  private constructor(port: number, options: readonly string[], env: NodeJS.ProcessEnv) {
    this.port = port
    this.#options = options
    this.#env = env
  }

  static async start(options: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), options, env)
    await server.run()
    return server
  }

  /** A connection for the test itself. */
  client(): Redis {
    return new Redis(this.port, '127.0.0.1', { retryStrategy: () => 50, maxRetriesPerRequest: null })
  }

  async run(): Promise<void> {
    const fixed = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
    const args = [...fixed, '--dir', this.#directory, ...this.#options]
    this.#process = spawn(serverProgram!, args, { stdio: 'ignore', env: { ...process.env, ...this.#env } })
    const client = this.client()
    client.on('error', () => {})
    await client.ping()
    client.disconnect()
  }

  signal(signal: NodeJS.Signals): void {
    this.#process?.kill(signal)
  }

  async kill(): Promise<void> {
    const running = this.#process
    this.#process = undefined
    if (running === undefined || running.exitCode !== null) return
    const gone = new Promise((resolve) => running.once('exit', resolve))
    running.kill('SIGKILL')
    await gone
  }

  async stop(): Promise<void> {
    await this.kill()
    rmSync(this.#directory, { recursive: true, force: true })
  }
}
