import fc from 'fast-check'
import { Redis } from 'ioredis'
import { afterEach, describe, expect, test } from 'vitest'
import { Gate, systemClock } from '../../src/index.ts'
import { fromIoredis, sharedBudget } from '../../src/shared/index.ts'
import { needingServer, serverProgram } from '../support/redis-server.ts'
import { useServer } from '../support/use-server.ts'
import { played, settings, steps } from './calls.ts'
import { CLIENTS } from './clients.ts'
import { engineAt } from '../support/timed-engine.ts'

/** All that the protocol runs. What makes a connection (AUTH, HELLO) needs no right. */
const COMMANDS =
  'evalsha eval time hmget hset hdel hget lrange lindex llen rpush lset lpop del zadd zscore zcount zrem zrangebyscore pexpire publish'.split(
    ' ',
  )

/** What a subscriber runs besides. */
const SUBSCRIBING = ['subscribe', 'unsubscribe']

const access = { username: 'hg', password: 'secret' }

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

describe.skipIf(serverProgram === undefined)(needingServer('a user with few rights'), () => {
  const used = useServer()
  const open: Redis[] = []

  const grant = (commands: readonly string[]) =>
    used.client.call('ACL', [
      'SETUSER',
      'hg',
      'reset',
      'on',
      '>secret',
      '~hg1:*',
      '&hg1:*',
      ...commands.map((each) => `+${each}`),
    ])

  const connect = (): Redis => {
    const client = new Redis(used.server.port, '127.0.0.1', { ...access, enableReadyCheck: false })
    open.push(client)
    return client
  }

  afterEach(() => {
    for (const client of open.splice(0)) client.disconnect()
  })

  const runs = fc
    .sample(fc.tuple(settings, steps), { seed: 3, numRuns: 150 })
    .map(([setting, run]) => played(setting, run))
  let gates = 0

  /** Everything that the script does, over a connection of the user: how many calls were refused, and in how many the time was read. */
  async function refusals(client: Redis): Promise<string[]> {
    const engine = fromIoredis(client)
    const all = runs.map(({ calls }) => {
      const gate = `g${(gates += 1)}`
      return Promise.all([
        engine.call(`t${gate}`, calls[0]!.call),
        ...calls.map(({ clockUs, call }) => engineAt(client, clockUs).call(gate, call)),
      ])
    })
    const ends = await Promise.allSettled(all)
    return ends.flatMap((end) => (end.status === 'rejected' ? [String((end.reason as Error).message)] : []))
  }

  test('runs the whole protocol', async () => {
    await grant(COMMANDS)
    expect(await refusals(connect())).toEqual([])
  })

  test.each(COMMANDS)('and needs %s', async (command) => {
    await used.client.script('FLUSH')
    await grant(COMMANDS.filter((other) => other !== command))
    const refused = await refusals(connect())
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.every((message) => /no permissions|executing the script can't|ACL failure/.test(message))).toBe(true)
  })

  test.each([
    ['flushall'],
    ['keys', '*'],
    ['get', 'hg1:{x}:state'],
    ['script', 'flush'],
    ['acl', 'list'],
    ['config', 'get', '*'],
  ])('may not %s %s', async (...command) => {
    await grant([...COMMANDS, ...SUBSCRIBING])
    const [name, ...args] = command as [string, ...string[]]
    await expect(connect().call(name, ...args)).rejects.toThrow('NOPERM')
  })

  test('may not touch other keys or channels, in a script or out of one', async () => {
    await grant([...COMMANDS, ...SUBSCRIBING])
    const client = connect()
    await expect(client.hset('other', 'a', 'b')).rejects.toThrow('NOPERM')
    await expect(client.eval("return redis.call('HSET', KEYS[1], 'a', 'b')", 1, 'other')).rejects.toThrow(
      /NOPERM|access/,
    )
    await expect(client.publish('other', 'x')).rejects.toThrow('NOPERM')
    await expect(client.subscribe('other')).rejects.toThrow('NOPERM')
  })

  test.each(CLIENTS)('is enough for $name, with $needs', async (client) => {
    const { needs, subscribes } = client
    await grant([...COMMANDS, ...(subscribes ? SUBSCRIBING : []), ...needs])
    const connection = await client.connect(used.server.port, access)
    const { engine } = connection
    const told: string[] = []
    const gate = new Gate(
      { clock: systemClock, limits: { limit: 2, windowMs: 100 } },
      {
        openShare: sharedBudget({ engine, name: `account${(gates += 1)}`, deadlineMs: 2_000 }).share('gate'),
        observer: { degraded: (via, why) => told.push(`${via} ${why}`) },
      },
    )
    await Promise.all([1, 2, 3].map(() => gate.run(() => {})))
    const hears = async () => ((await used.client.pubsub('NUMSUB', 'hg1:events')) as [string, number])[1] > 0
    for (let tries = 0; (await hears()) !== subscribes && tries < 200; tries += 1) await sleep(5)
    expect(await hears()).toBe(subscribes)
    await gate.close()
    await connection.close()
    expect(told).toEqual([])
  })
})
