import type { Redis } from 'ioredis'
import { sha1 } from '../../src/node-crypto.ts'
import { SCRIPT } from '../../src/shared/script/script.ts'
import { ScriptEngine } from '../../src/shared/script-engine.ts'

/** The script with the time that the caller says. */
const TIMED = SCRIPT.replace("local time = redis_call('TIME')", 'local time = {ARGV[5], ARGV[6]}')

/** An engine whose clock stands at an instant. */
export function engineAt(client: Redis, clockUs: number): ScriptEngine {
  const time = [String(Math.floor(clockUs / 1e6)), String(clockUs % 1e6)]
  return new ScriptEngine(
    {
      evalsha: (_sha, keys, args) => client.evalsha(sha1(TIMED), keys.length, ...keys, ...args, ...time),
      eval: (_script, keys, args) => client.eval(TIMED, keys.length, ...keys, ...args, ...time),
    },
    'hg',
  )
}
