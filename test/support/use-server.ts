import type { Redis } from 'ioredis'
import { afterAll, beforeAll } from 'vitest'
import { RedisServer } from './redis-server.ts'

/** A server for all tests of a suite, and a connection to it: both are there once the tests run. */
export function useServer(): { readonly server: RedisServer; client: Redis } {
  const used = {} as { server: RedisServer; client: Redis }
  beforeAll(async () => {
    used.server = await RedisServer.start()
    used.client = used.server.client()
  })
  afterAll(async () => {
    used.client.disconnect()
    await used.server.stop()
  })
  return used
}
