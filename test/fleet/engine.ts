import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Redis } from 'ioredis'
import { RedisServer } from '../support/redis-server.ts'
import { atExit } from './at-exit.ts'
import { wait } from './wait.ts'

/** Whether servers with another time of day can be made here. */
export const canSkew = process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0

/** The engine of a fleet, and what can happen to it. */
export class FleetEngine {
  readonly #servers: RedisServer[] = []
  readonly #isStopped = atExit(() => this.#servers.forEach((server) => server.signal('SIGKILL')))
  #directory: string | undefined

  private constructor() {}

  static async start(): Promise<FleetEngine> {
    const engine = new FleetEngine()
    engine.#servers.push(await RedisServer.start(['--repl-diskless-sync-delay', '0']))
    return engine
  }

  /** Of the server that is in charge. */
  get port(): number {
    return this.#server.port
  }

  get #server(): RedisServer {
    return this.#servers.at(-1)!
  }

  async kill(): Promise<void> {
    await this.#server.kill()
  }

  /** A killed one comes back without its data. */
  async restart(): Promise<void> {
    await this.#server.run()
  }

  /** It stands still, and goes on as if nothing had been. */
  async stall(forMs: number): Promise<void> {
    this.#server.signal('SIGSTOP')
    await wait(forMs)
    this.#server.signal('SIGCONT')
  }

  async command(...words: [string, ...string[]]): Promise<unknown> {
    return this.ask((client) => client.call(...words))
  }

  async ask<T>(question: (client: Redis) => Promise<T>): Promise<T> {
    const client = this.#server.client()
    client.on('error', () => {})
    try {
      return await question(client)
    } finally {
      client.disconnect()
    }
  }

  /** Starts another server, which is in charge once it is promoted. Until then it replicates everything, or nothing. */
  async standBy({ replicates, skewS = 0 }: Standby): Promise<void> {
    const options = replicates ? ['--replicaof', '127.0.0.1', String(this.port)] : []
    const server = await RedisServer.start(options, skewS === 0 ? {} : { LD_PRELOAD: this.#skew(), SKEW_S: `${skewS}` })
    this.#servers.unshift(server)
    if (replicates) await inSync(server)
  }

  /** Puts the server that stands by in charge. */
  async promote(): Promise<void> {
    this.#servers.push(this.#servers.shift()!)
    await this.command('REPLICAOF', 'NO', 'ONE')
  }

  async stop(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.stop()))
    this.#isStopped()
    if (this.#directory) rmSync(this.#directory, { recursive: true, force: true })
  }

  /** The library that shifts a server's time of day. */
  #skew(): string {
    this.#directory ??= mkdtempSync(join(tmpdir(), 'headgate-skew-'))
    const library = join(this.#directory, 'skew.so')
    const source = fileURLToPath(new URL('skew.c', import.meta.url))
    const { status, stderr } = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source])
    if (status !== 0) throw new Error(`skew.c: ${stderr.toString()}`)
    return library
  }
}

export interface Standby {
  replicates: boolean
  /** By how much its time of day is ahead. */
  skewS?: number
}

async function inSync(server: RedisServer): Promise<void> {
  const client = server.client()
  for (let left = 100; left > 0; left--) {
    if ((await client.info('replication')).includes('master_link_status:up')) break
    await wait(50)
  }
  client.disconnect()
}
