import type { Engine } from './engine/engine.ts'
import { ScriptEngine } from './script-engine.ts'
import { Subscriptions } from './subscriptions.ts'

/** How an engine uses a client. The client stays its owner's: it is never configured or closed here. */
export interface ClientOptions<Subscriber> {
  /** What every key and the channel begin with. Default `hg`. */
  prefix?: string
  /**
   * A connection that subscribes, such as `client.duplicate()`: with it a park reaches the other processes at once, and without it as they
   * next call the engine, at most half a heartbeat later. Default none.
   */
  subscriber?: Subscriber
}

/** What is used of an ioredis or iovalkey client, or of a cluster of either. */
export interface IoredisClient {
  evalsha(sha: string, keyCount: number, ...keysAndArgs: string[]): Promise<unknown>
  eval(script: string, keyCount: number, ...keysAndArgs: string[]): Promise<unknown>
  on(event: 'ready', listener: () => void): unknown
}

/** What is used of an ioredis or iovalkey client that subscribes. */
export interface IoredisSubscriber {
  subscribe(channel: string): Promise<unknown>
  unsubscribe(channel: string): Promise<unknown>
  on(event: 'message', listener: (channel: string, message: string) => void): unknown
}

/** What is used of a node-redis client, or of a cluster. */
export interface NodeRedisClient {
  evalSha(sha: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
  on(event: 'ready', listener: () => void): unknown
}

/** What is used of a node-redis client that subscribes. */
export interface NodeRedisSubscriber {
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>
  unsubscribe(channel: string): Promise<unknown>
}

/** What is used of a Valkey GLIDE client, or of a cluster. */
export interface GlideClient {
  customCommand(args: string[]): Promise<unknown>
}

const PREFIX = 'hg'

/** An engine over an ioredis client (5 or 6), or a cluster of one. */
export function fromIoredis(client: IoredisClient, options: ClientOptions<IoredisSubscriber> = {}): Engine {
  const { prefix = PREFIX, subscriber } = options
  return new ScriptEngine(
    {
      evalsha: (sha, keys, args) => client.evalsha(sha, keys.length, ...keys, ...args),
      eval: (script, keys, args) => client.eval(script, keys.length, ...keys, ...args),
      connections: countReady(client),
      ...(subscriber && { subscribe: hearIoredis(subscriber) }),
    },
    prefix,
  )
}

/** An engine over an iovalkey client, or a cluster of one. */
export const fromIovalkey: typeof fromIoredis = fromIoredis

/** An engine over a node-redis client (5 or 6), or a cluster. */
export function fromNodeRedis(client: NodeRedisClient, options: ClientOptions<NodeRedisSubscriber> = {}): Engine {
  const { prefix = PREFIX, subscriber } = options
  return new ScriptEngine(
    {
      evalsha: (sha, keys, args) => client.evalSha(sha, { keys, arguments: args }),
      eval: (script, keys, args) => client.eval(script, { keys, arguments: args }),
      connections: countReady(client),
      ...(subscriber && { subscribe: hearNodeRedis(subscriber) }),
    },
    prefix,
  )
}

/** An engine over a Valkey GLIDE client, or a cluster. It tells of no connection and subscribes to nothing after it is made. */
export function fromGlide(client: GlideClient, { prefix = PREFIX }: Pick<ClientOptions<never>, 'prefix'> = {}): Engine {
  return new ScriptEngine(
    {
      evalsha: (sha, keys, args) => client.customCommand(['EVALSHA', sha, String(keys.length), ...keys, ...args]),
      eval: (script, keys, args) => client.customCommand(['EVAL', script, String(keys.length), ...keys, ...args]),
    },
    prefix,
  )
}

/** Counts the connections that a client makes from now on: behind a new one there may be another server. */
function countReady(client: { on(event: 'ready', listener: () => void): unknown }): () => number {
  let connections = 0
  client.on('ready', () => (connections += 1))
  return () => connections
}

/** One listener for all, since clients keep listeners for good. */
function hearIoredis(subscriber: IoredisSubscriber) {
  const subscriptions = new Subscriptions({
    begin: (channel) => subscriber.subscribe(channel),
    end: (channel) => subscriber.unsubscribe(channel),
  })
  subscriber.on('message', (channel, message) => subscriptions.tell(channel, message))
  return subscriptions.add
}

function hearNodeRedis(subscriber: NodeRedisSubscriber) {
  const subscriptions = new Subscriptions({
    begin: (channel) => subscriber.subscribe(channel, (message) => subscriptions.tell(channel, message)),
    end: (channel) => subscriber.unsubscribe(channel),
  })
  return subscriptions.add
}
