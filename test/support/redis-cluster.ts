import { setTimeout as pause } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { freePort, RedisServer } from './redis-server.ts'

const SLOTS = 16_384

/** Servers that are one cluster, each with an equal part of its slots. */
export class RedisCluster {
  readonly servers: readonly RedisServer[]

  private constructor(servers: readonly RedisServer[]) {
    this.servers = servers
  }

  static async start(size = 3): Promise<RedisCluster> {
    const cluster = new RedisCluster(await Promise.all(Array.from({ length: size }, startMember)))
    const clients = cluster.servers.map((server) => server.client())
    await cluster.#meet(clients)
    await Promise.all(clients.map(isWhole))
    for (const client of clients) client.disconnect()
    return cluster
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop()))
  }

  async #meet(clients: readonly Redis[]): Promise<void> {
    const [first] = clients
    for (const [index, client] of clients.entries()) {
      const [from, until] = [index, index + 1].map((part) => Math.floor((SLOTS * part) / clients.length))
      await client.call('CLUSTER', 'ADDSLOTSRANGE', String(from), String(until! - 1))
      await client.call('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1))
      const { port } = this.servers[index]!
      if (client !== first) await first!.call('CLUSTER', 'MEET', '127.0.0.1', String(port), await busPortOf(client))
    }
  }
}

/** The port of the cluster's own bus is by default too high for every other free port. */
async function startMember(): Promise<RedisServer> {
  return RedisServer.start(['--cluster-enabled', 'yes', '--cluster-port', String(await freePort())])
}

async function busPortOf(client: Redis): Promise<string> {
  const [, port] = (await client.config('GET', 'cluster-port')) as [string, string]
  return port
}

/** Waits until a member knows all slots, by all members. */
async function isWhole(client: Redis, _index: number, { length }: readonly Redis[]): Promise<void> {
  for (;;) {
    const info = String(await client.call('CLUSTER', 'INFO'))
    if (info.includes('cluster_state:ok') && info.includes(`cluster_size:${length}`)) return
    await pause(20)
  }
}
