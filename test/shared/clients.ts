import { GlideClient, ProtocolVersion } from '@valkey/valkey-glide'
import { Redis } from 'ioredis'
import { Redis as Redis5 } from 'ioredis5'
import { Redis as Iovalkey } from 'iovalkey'
import { createClient } from 'redis'
import { createClient as createClient5 } from 'redis5'
import { type Engine, fromGlide, fromIoredis, fromIovalkey, fromNodeRedis } from '../../src/shared/index.ts'

export interface Access {
  username?: string
  password?: string
}

/** A client of a server on this machine, as an engine. */
export interface Connection {
  engine: Engine
  close(): unknown
}

export interface Client {
  name: string
  /** It can subscribe after it is made. */
  subscribes: boolean
  /** Commands that it needs beyond those of the engine, to be made without a complaint. */
  needs: readonly string[]
  connect(port: number, access?: Access): Promise<Connection>
}

const host = '127.0.0.1'
const ignore = (): void => {}

interface IoredisLike {
  on(event: 'error', listener: () => void): unknown
  disconnect(): void
}

function overIoredis<C extends IoredisLike>(
  name: string,
  make: (port: number, access: Access) => C,
  from: (client: C, subscriber: C) => Engine,
): Client {
  return {
    name,
    subscribes: true,
    needs: ['info'],
    connect: async (port, access = {}) => {
      const [client, subscriber] = [make(port, access), make(port, access)]
      for (const each of [client, subscriber]) each.on('error', ignore)
      return {
        engine: from(client, subscriber),
        close: () => {
          client.disconnect()
          subscriber.disconnect()
        },
      }
    },
  }
}

type NodeRedisClient = Parameters<typeof fromNodeRedis>[0]
type NodeRedisSubscriber = NonNullable<NonNullable<Parameters<typeof fromNodeRedis>[1]>['subscriber']>

interface NodeRedisLike extends Omit<NodeRedisClient, 'on'>, NodeRedisSubscriber {
  on(event: 'error' | 'ready', listener: () => void): unknown
  connect(): Promise<unknown>
  destroy(): void
}

function overNodeRedis(name: string, make: (port: number, access: Access) => NodeRedisLike): Client {
  return {
    name,
    subscribes: true,
    needs: [],
    connect: async (port, access = {}) => {
      const [client, subscriber] = [make(port, access), make(port, access)]
      for (const each of [client, subscriber]) each.on('error', ignore)
      const engine = fromNodeRedis(client, { subscriber })
      await Promise.all([client.connect(), subscriber.connect()])
      return {
        engine,
        close: () => {
          client.destroy()
          subscriber.destroy()
        },
      }
    },
  }
}

const socket = (port: number) => ({ socket: { host, port } })

function overGlide(name: string, protocol: ProtocolVersion): Client {
  return {
    name,
    subscribes: false,
    needs: ['info'],
    connect: async (port, { username, password } = {}) => {
      const client = await GlideClient.createClient({
        addresses: [{ host, port }],
        protocol,
        ...(username !== undefined && password !== undefined && { credentials: { username, password } }),
      })
      return { engine: fromGlide(client), close: () => client.close() }
    },
  }
}

/** Every client that there is an adapter for, by both protocols where it speaks both. */
export const CLIENTS: readonly Client[] = [
  overIoredis('ioredis 6', (port, access) => new Redis(port, host, access), fromIoredisPair),
  overIoredis('ioredis 6, RESP2', (port, access) => new Redis(port, host, { ...access, protocol: 2 }), fromIoredisPair),
  overIoredis('ioredis 5', (port, access) => new Redis5(port, host, access), fromIoredisPair),
  overIoredis(
    'iovalkey',
    (port, access) => new Iovalkey(port, host, access),
    (client, subscriber) => fromIovalkey(client, { subscriber }),
  ),
  overNodeRedis('node-redis 6', (port, access) => createClient({ ...socket(port), ...access })),
  overNodeRedis('node-redis 6, RESP2', (port, access) => createClient({ ...socket(port), ...access, RESP: 2 })),
  overNodeRedis('node-redis 5', (port, access) => createClient5({ ...socket(port), ...access })),
  overNodeRedis('node-redis 5, RESP3', (port, access) => createClient5({ ...socket(port), ...access, RESP: 3 })),
  overGlide('Valkey GLIDE', ProtocolVersion.RESP3),
  overGlide('Valkey GLIDE, RESP2', ProtocolVersion.RESP2),
]

function fromIoredisPair(client: Redis | Redis5, subscriber: Redis | Redis5): Engine {
  return fromIoredis(client, { subscriber })
}
