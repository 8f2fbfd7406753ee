import { test } from '@fast-check/vitest'
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { sha1 } from '../../src/node-crypto.ts'
import { SCRIPT } from '../../src/shared/script.ts'
import { ScriptEngine } from '../../src/shared/script-engine.ts'
import { needingServer, RedisServer, serverProgram } from '../support/redis-server.ts'
import { played, settings, steps } from './calls.ts'

describe.skipIf(serverProgram === undefined)(
  needingServer('the script decides as the engine in this process does'),
  () => {
    let server: RedisServer
    let client: Redis

    beforeAll(async () => {
      server = await RedisServer.start()
      client = server.client()
    })

    afterAll(async () => {
      client.disconnect()
      await server.stop()
    })

    test.prop([settings, steps], { numRuns: 10_000 })(
      'over generated runs of four members',
      async (setting, run) => {
        const { calls, replies } = played(setting, run)
        const gate = `g${(gates += 1)}`
        const answers = await Promise.all(calls.map(({ clockUs, call }) => engineAt(client, clockUs).call(gate, call)))
        expect(answers).toEqual(replies)
      },
      300_000,
    )
  },
)

let gates = 0

/** The script with the time that the test says. */
const TIMED = SCRIPT.replace("local time = redis_call('TIME')", 'local time = {ARGV[5], ARGV[6]}')

function engineAt(client: Redis, clockUs: number): ScriptEngine {
  const time = [String(Math.floor(clockUs / 1e6)), String(clockUs % 1e6)]
  return new ScriptEngine(
    {
      evalsha: (_sha, keys, args) => client.evalsha(sha1(TIMED), keys.length, ...keys, ...args, ...time),
      eval: (_script, keys, args) => client.eval(TIMED, keys.length, ...keys, ...args, ...time),
    },
    'hg',
  )
}
