import { Cluster } from 'ioredis'
import { createCluster } from 'redis'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createHeadgate } from '../../src/index.ts'
import { type Engine, fromIoredis, fromNodeRedis, sharedBudget } from '../../src/shared/index.ts'
import { outcomeOf } from '../fetch/support.ts'
import { RedisCluster } from '../support/redis-cluster.ts'
import { needingServer, serverProgram } from '../support/redis-server.ts'

// A limiter was moved to a store in cluster mode. Its keys lay in different slots, each script failed with CROSSSLOT, and people gave the
// cluster up.

const limits = { limit: 10, windowMs: 1_000 }

const clients: [name: string, connect: (ports: readonly number[]) => Promise<Engine>][] = [
  [
    'ioredis',
    async (ports) => {
      const client = new Cluster(ports.map((port) => ({ host: '127.0.0.1', port })))
      onTestFinished(() => client.disconnect())
      return fromIoredis(client)
    },
  ],
  [
    'node-redis',
    async (ports) => {
      const client = createCluster({ rootNodes: ports.map((port) => ({ url: `redis://127.0.0.1:${port}` })) })
      await client.connect()
      onTestFinished(() => client.destroy())
      return fromNodeRedis(client)
    },
  ],
]

/** Calls that share one budget of this name. */
async function callAll(engine: Engine, name: string, count: number) {
  const fetch = () => Promise.resolve(new Response())
  const headgate = createHeadgate({
    default: { limits },
    fetch,
    shared: sharedBudget({ engine, name, deadlineMs: 5_000 }),
  })
  const told: string[] = []
  headgate.on('headgate:degrade', ({ via, why }) => told.push(`${via}: ${why}`))
  const calls = Array.from({ length: count }, () => outcomeOf(headgate.fetch('https://api.example/')))
  const outcomes = await Promise.all(calls)
  await headgate.close()
  return { outcomes, told }
}

describe.skipIf(serverProgram === undefined)(needingServer('a store in cluster mode'), () => {
  let cluster: RedisCluster
  beforeAll(async () => void (cluster = await RedisCluster.start()))
  afterAll(() => cluster.stop())

  test.each(clients)('bottleneck-180: keeps the keys of each budget together: %s', async (client, connect) => {
    const engine = await connect(cluster.servers.map(({ port }) => port))
    const played = await Promise.all(['one', 'two'].map((name) => callAll(engine, `${client} ${name}`, 20)))
    expect(played).toEqual(Array(2).fill({ outcomes: Array(20).fill(200), told: [] }))
  })
})
