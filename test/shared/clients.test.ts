import { afterEach, describe, expect, test } from 'vitest'
import { Gate, type GateOptions, systemClock } from '../../src/index.ts'
import type { EngineCall, EngineReply } from '../../src/shared/index.ts'
import { memoryEngine, sharedBudget } from '../../src/shared/index.ts'
import { needingServer, serverProgram } from '../support/redis-server.ts'
import { useServer } from '../support/use-server.ts'
import { type Access, CLIENTS, type Client, type Connection } from './clients.ts'
import { peak } from './fleet.ts'

const windowUs = 60_000_000

/** A call of a member that has not been answered before. */
function callOf(member: string, more: Partial<EngineCall> = {}): EngineCall {
  return {
    member,
    epoch: 0,
    newEpoch: 7,
    at: 0,
    patienceUs: 250_000,
    jumped: false,
    heartbeatUs: 1_000_000,
    horizonUs: 250_000,
    members: 1,
    parts: 0,
    heardAt: 0,
    away: false,
    back: false,
    leaves: false,
    holdBackUs: 0,
    limits: [
      { id: 'one', limit: 3.5, windowUs, granted: 0, extra: 0, recent: 0 },
      { id: 'two', limit: 100, windowUs, granted: 0, extra: 0, recent: 0 },
    ],
    wants: [],
    park: undefined,
    probe: undefined,
    readings: [],
    ...more,
  }
}

const wants = (count: number, ...charges: number[]) => [{ count, charges }]
const park = { forUs: 5_000_000, hinted: true, ceilingUs: 60_000_000, broken: false }

const CALLS: EngineCall[] = [
  callOf('a', { wants: wants(2, 1, 0.125) }),
  callOf('b', { wants: [...wants(1, 0.5, 1e-9), ...wants(3, 1, 10)] }),
  callOf('b', { wants: [] }),
  callOf('a', { park }),
  callOf('b', { wants: wants(1, 0, 0), leaves: false }),
  callOf('b', { leaves: true }),
  callOf('c', { probe: 'reopened', wants: wants(1, 0, 1) }),
  callOf('c', { at: 1_000_000 }),
]

/** What does not hang on when exactly a call came. Seconds. */
function settled(reply: EngineReply): unknown {
  if (reply.late) return 'late'
  const seconds = (spanUs: number): number => Math.round(spanUs / 2e6) * 2
  const { now: _now, backUs, starts, park: parked, ...rest } = reply
  return { ...rest, back: seconds(backUs), starts: starts.map(seconds), park: parked && seconds(parked.forUs) }
}

async function answers(connection: Pick<Connection, 'engine'>, gate: string): Promise<unknown[]> {
  const replies: unknown[] = []
  for (const call of CALLS) replies.push(settled(await connection.engine.call(gate, call)))
  return replies
}

let gates = 0
const newGate = (): string => `gate${(gates += 1)}`
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function until(isDone: () => boolean, forMs = 5_000): Promise<void> {
  const end = performance.now() + forMs
  while (!isDone() && performance.now() < end) await sleep(10)
  expect(isDone()).toBe(true)
}

describe.skipIf(serverProgram === undefined)(needingServer('an engine over'), () => {
  const used = useServer()
  const open: Connection[] = []

  const connect = async (client: Client, access?: Access): Promise<Connection> => {
    const connection = await client.connect(used.server.port, access)
    open.push(connection)
    return connection
  }

  afterEach(() => {
    for (const connection of open.splice(0)) connection.close()
  })

  describe.each(CLIENTS)('$name', (client) => {
    test('answers as the one in this process does', async () => {
      const expected = await answers({ engine: memoryEngine({ clock: systemClock }) }, 'gate')
      expect(await answers(await connect(client), newGate())).toEqual(expected)
    })

    test('goes on where the server has forgotten its scripts', async () => {
      const { engine } = await connect(client)
      const gate = newGate()
      const starts = async (): Promise<number> => {
        const reply = await engine.call(gate, callOf('a', { wants: wants(1, 1, 1) }))
        return reply.late ? -1 : reply.starts.length
      }
      const before = await starts()
      await used.client.script('FLUSH')
      expect([before, await starts(), await starts(), await starts()]).toEqual([1, 1, 1, 0])
    })

    test('holds two processes to one limit', async () => {
      const limit = { limit: 6, windowMs: 150 }
      const [one, other] = [await connect(client), await connect(client)]
      const sent: number[] = []
      const name = newGate()
      const send = async ({ engine }: Connection): Promise<void> => {
        const gate = new Gate({ clock: systemClock, limits: limit }, share(engine, name))
        const all = Array.from({ length: 6 }, () => gate.run(() => sent.push(performance.now())))
        await Promise.all(all)
        await gate.close()
      }
      await Promise.all([send(one), send(other)])
      expect([sent.length, peak(sent, limit.windowMs - 1)]).toEqual([12, 6])
    })

    test.skipIf(!client.subscribes)('hears the news of the others', async () => {
      const { engine } = await connect(client)
      const heard: string[] = []
      const gate = newGate()
      const subscribed = async () => ((await used.client.pubsub('NUMSUB', 'hg1:events')) as [string, number])[1] > 0
      const stop = engine.subscribe!((news) => heard.push(news))
      // Whose subscription the server counts cannot be told: those of gates before may still come and go.
      for (let { forUs } = park; heard.length === 0; forUs += 1_000) {
        await engine.call(gate, callOf('a', { park: { ...park, forUs } }))
        await sleep(5)
      }
      stop()
      while (await subscribed()) await sleep(5)
      const before = heard.length
      await engine.call(gate, callOf('a', { park: { ...park, forUs: 9_000_000 } }))
      await sleep(30)
      expect([[...new Set(heard)], heard.length]).toEqual([[gate], before])
    })

    test('that lacks a right says so once, and is asked no more for a while', async () => {
      await used.client.call(
        'ACL',
        'SETUSER',
        'few',
        'on',
        '>secret',
        '~hg1:*',
        '&hg1:*',
        '-@all',
        '+evalsha',
        '+eval',
        '+info',
      )
      const { engine } = await connect(client, { username: 'few', password: 'secret' })
      const { told, calls, gate } = observed(engine)
      void gate.acquire().catch(() => {})
      await until(() => told.length > 0)
      await sleep(400)
      expect([told, calls()]).toEqual([[['closed', 'NOPERM']], 1])
      await gate.close()
    })
  })

  test.each(CLIENTS.filter(({ name }) => name.startsWith('io')))(
    '$name with a wrong password says so once',
    async (client) => {
      await used.client.call('ACL', 'SETUSER', 'default', 'resetpass', '>other')
      try {
        const { engine } = await connect(client, { username: 'default', password: 'wrong' })
        const { told, gate } = observed(engine)
        void gate.acquire().catch(() => {})
        const complaints = () => told.filter(([, why]) => why !== 'timeout')
        await until(() => complaints().length > 0)
        await sleep(700)
        expect(complaints()).toEqual([['closed', 'WRONGPASS']])
        await gate.close()
      } finally {
        await used.client.call('ACL', 'SETUSER', 'default', 'nopass')
      }
    },
  )

  test('a client that counts its connections tells of another server', async () => {
    const [ioredis] = CLIENTS
    const { engine } = await connect(ioredis!)
    await engine.call(newGate(), callOf('a'))
    const { connections } = engine
    await used.server.kill()
    await used.server.run()
    await until(() => engine.connections! > connections!)
    used.client.disconnect()
    used.client = used.server.client()
  })
})

function share(engine: Connection['engine'], name: string) {
  return { openShare: sharedBudget({ engine, name, deadlineMs: 2_000 }).share('gate') }
}

/** A gate that shares over an engine, what it tells of it, and how often it called it. */
function observed(engine: Connection['engine']) {
  const told: [string, string][] = []
  let calls = 0
  const counting: Connection['engine'] = {
    call: (gate, call) => ((calls += 1), engine.call(gate, call)),
  }
  const limits: GateOptions['limits'] = { limit: 6, windowMs: 300 }
  const gate = new Gate(
    { clock: systemClock, limits },
    { ...share(counting, newGate()), observer: { degraded: (via, why) => told.push([via, why]) } },
  )
  return { told, gate, calls: () => calls }
}
