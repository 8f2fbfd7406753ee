import type { Redis } from 'ioredis'
import { describe, expect, test } from 'vitest'
import { Gate, systemClock } from '../../src/index.ts'
import { fromIoredis, sharedBudget } from '../../src/shared/index.ts'
import { SCRIPT } from '../../src/shared/script/script.ts'
import { RedisCluster } from '../support/redis-cluster.ts'
import { needingServer, serverProgram } from '../support/redis-server.ts'
import { useServer } from '../support/use-server.ts'
import { peak } from './fleet.ts'

const limit = { limit: 8, windowMs: 400 }
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function fleetOver(client: Redis, name: string, processes = 2) {
  const told: string[] = []
  const sent: number[] = []
  const gates = Array.from({ length: processes }, () => {
    const budget = sharedBudget({ engine: fromIoredis(client), name, deadlineMs: 2_000, heartbeatMs: 400 })
    return new Gate(
      { clock: systemClock, limits: limit },
      { openShare: budget.share('gate'), observer: { degraded: (via, why) => told.push(`${via} ${why}`) } },
    )
  })
  const keepOn = (count: number) =>
    Promise.all(
      gates.flatMap((gate) => Array.from({ length: count }, () => gate.run(() => sent.push(performance.now())))),
    )
  return { told, sent, keepOn, close: () => Promise.all(gates.map((gate) => gate.close())) }
}

test('the script has no key but those that it is given', () => {
  const named = [...SCRIPT.matchAll(/redis_call\('([A-Z]+)', ?([^,)]*)/g)].map(
    ([, command, key]) => `${command} ${key}`,
  )
  const keys = new Set(named.filter((each) => !each.startsWith('TIME')).map((each) => each.split(' ')[1]))
  expect(keys).toEqual(new Set(['CHANNEL', 'KEYS[2', 'MEMBERS', 'STATE', 'key', 'log.key']))
})

describe.skipIf(serverProgram === undefined)(needingServer('keys of a gate'), () => {
  const used = useServer()

  test('expire, all of them, some minutes after they were used', async () => {
    const { keepOn, close } = fleetOver(used.client, 'expiring')
    await keepOn(2)
    const keys = await used.client.keys('hg1:*')
    const ttls = await Promise.all(keys.map((key) => used.client.pttl(key)))
    expect(keys).toHaveLength(3)
    expect(ttls.every((ttl) => ttl > 120_000 && ttl < 125_000)).toBe(true)
    await close()
  })

  test('carry one hash tag and nothing of what they are for', async () => {
    await used.client.flushall()
    const { keepOn, close } = fleetOver(used.client, 'secret-account')
    await keepOn(1)
    const keys = await used.client.keys('*')
    const tags = new Set(keys.map((key) => /^hg1:(\{[\w-]{22}\}):(?:state|members|log:[\w-]{11})$/.exec(key)?.[1]))
    expect([tags.size, tags.has(undefined)]).toEqual([1, false])
    await close()
  })

  test.each(['state', 'members', 'log'])('lost one by one draw no overshoot and no error: %s', async (kind) => {
    await used.client.flushall()
    const { told, sent, keepOn, close } = fleetOver(used.client, `losing ${kind}`)
    await keepOn(1)
    const done = keepOn(12)
    for (const pauseMs of [130, 350, 500]) {
      await sleep(pauseMs)
      const [key] = (await used.client.keys('hg1:*')).filter((each) => each.includes(`:${kind}`))
      await used.client.del(key!)
    }
    await done
    expect([sent.length, peak(sent, limit.windowMs - 1) <= 8, told]).toEqual([26, true, []])
    await close()
  })
})

describe.skipIf(serverProgram === undefined)(needingServer('a server of a cluster'), () => {
  test('is asked for one slot at a time', async () => {
    const cluster = await RedisCluster.start(1)
    const client = cluster.servers[0]!.client()
    try {
      const fleets = ['one', 'two', 'three'].map((name) => fleetOver(client, name))
      await Promise.all(fleets.map(({ keepOn }) => keepOn(6)))
      expect(fleets.map(({ told, sent }) => [told, sent.length])).toEqual([
        [[], 12],
        [[], 12],
        [[], 12],
      ])
      const slots = new Set(
        await Promise.all((await client.keys('*')).map((key) => client.call('CLUSTER', 'KEYSLOT', key))),
      )
      expect(slots.size).toBe(3)
      await Promise.all(fleets.map(({ close }) => close()))
    } finally {
      client.disconnect()
      await cluster.stop()
    }
  })
})
