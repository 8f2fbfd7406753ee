import { describe, expect, test } from 'vitest'
import { createHeadgate, type HeadgateConfig, isConfigError, type Limit } from '../src/index.ts'
import { memoryEngine, sharedBudget } from '../src/shared/index.ts'
import { partsOf } from '../src/static-share.ts'
import { createUpstream, VirtualClock } from '../src/testing/index.ts'

const HOST = 'api.example'
const windowMs = 1_000

const partOf = (limit: number, processes: number, process?: number): number =>
  partsOf([{ limit, windowMs }], { processes, process })[0]!.limit

describe('a part of a limit', () => {
  test.each([
    { limit: 150, processes: 6, parts: [25, 25, 25, 25, 25, 25] },
    { limit: 10, processes: 4, parts: [3, 3, 2, 2] },
    { limit: 7, processes: 3, parts: [3, 2, 2] },
    { limit: 5.5, processes: 2, parts: [3, 2] },
    { limit: 4, processes: 1, parts: [4] },
    { limit: 4.5, processes: 1, parts: [4.5] },
  ])('$limit of $processes: $parts', ({ limit, processes, parts }) => {
    const all = Array.from({ length: processes }, (_, process) => partOf(limit, processes, process))
    expect(all).toEqual(parts)
    expect(all.reduce((sum, part) => sum + part, 0)).toBeLessThanOrEqual(limit)
  })

  test('is rounded down where nobody says which process this is', () => {
    expect([partOf(10, 4), partOf(150, 6)]).toEqual([2, 25])
  })

  test('keeps the rest of the limit as it was', () => {
    const limit: Limit = { limit: 10, windowMs, name: 'burst', unit: 'tokens', kind: 'fixed' }
    expect(partsOf([limit], { processes: 2, process: 0 })).toEqual([{ ...limit, limit: 5 }])
  })
})

describe('a ConfigError', () => {
  const upstreams = (limit: number) => ({ upstreams: { [HOST]: { limits: { limit, windowMs } } } })
  const shared = () => sharedBudget({ engine: memoryEngine({ clock: new VirtualClock() }), name: 'account' })

  test.each<{ name: string; config: HeadgateConfig; faults: string[] }>([
    { name: 'process not below processes', config: { processes: 3, process: 3 }, faults: ['process'] },
    { name: 'process without processes', config: { process: 1 }, faults: ['process'] },
    { name: 'process below 0', config: { processes: 3, process: -1 }, faults: ['process'] },
    { name: 'no processes', config: { processes: 0 }, faults: ['processes'] },
    { name: 'part of a process', config: { processes: 1.5 }, faults: ['processes'] },
    { name: 'more processes than units', config: { processes: 3, ...upstreams(2) }, faults: ['processes'] },
    {
      name: 'a process that none of the units is left for',
      config: { processes: 3, process: 2, ...upstreams(2) },
      faults: ['processes'],
    },
    { name: 'processes beside shared', config: { processes: 2, shared: shared() }, faults: ['processes'] },
    { name: 'what is no shared budget', config: { shared: {} as never }, faults: ['shared'] },
  ])('for $name', ({ config, faults }) => {
    const found = (() => {
      try {
        createHeadgate(config)
        return []
      } catch (error) {
        return isConfigError(error) ? error.faults.map(({ option }) => option) : [error]
      }
    })()
    expect(found).toEqual(faults)
  })

  test.each<{ name: string; config: HeadgateConfig }>([
    { name: 'as many processes as units', config: { processes: 2, ...upstreams(2) } },
    { name: 'a process that the last unit is left for', config: { processes: 3, process: 1, ...upstreams(2) } },
    { name: 'one process beside shared', config: { processes: 1, shared: shared() } },
  ])('not for $name', ({ config }) => {
    expect(() => createHeadgate(config)).not.toThrow()
  })

  test('for limits that are known only with the partition, when it is', async () => {
    const limits = () => [{ limit: 2, windowMs }]
    const headgate = createHeadgate({ processes: 3, upstreams: { [HOST]: { limits } } })
    const error = await headgate.fetch(`https://${HOST}/`).catch((reason: unknown) => reason)
    expect(isConfigError(error)).toBe(true)
  })
})

interface Fleet {
  processes: number
  named: boolean
  config?: NonNullable<HeadgateConfig['upstreams']>[string]
  headers?: 'none' | 'ietf-08'
  forMs?: number
}

/** Processes that all send as much as they can to an upstream which meters 150 per second, for 20 s. */
async function play({ processes, named, config = {}, headers = 'none', forMs = 20_000 }: Fleet) {
  const clock = new VirtualClock()
  const latency = { upMs: { minMs: 0, maxMs: 60 }, downMs: { minMs: 0, maxMs: 60 } }
  const limit = { limit: 50, windowMs }
  const upstream = createUpstream({ clock, limits: limit, headers, latency })
  const fleet = Array.from({ length: processes }, (_, process) =>
    createHeadgate({
      clock,
      fetch: upstream.fetch,
      upstreams: { [HOST]: { limits: limit, ...config } },
      processes,
      ...(named && { process }),
    }),
  )
  let isOver = false
  for (const headgate of fleet) {
    const keepOn = async (): Promise<void> => {
      while (!isOver) await headgate.fetch(`https://${HOST}/`).then((response) => response.text())
    }
    for (let caller = 0; caller < 20; caller += 1) void keepOn()
  }
  await clock.advance(forMs)
  isOver = true
  return { upstream, fleet }
}

describe('processes that each send their part', () => {
  test.each([
    { processes: 4, named: false, from: 40, to: 48 },
    { processes: 4, named: true, from: 42, to: 50 },
    { processes: 6, named: true, from: 42, to: 50 },
  ])('$processes of them, named: $named, stay within the limit', async ({ processes, named, from, to }) => {
    const { upstream } = await play({ processes, named })
    const { throttled, busiestWindow, requests } = upstream.report()
    expect([throttled, busiestWindow <= to, busiestWindow >= from]).toEqual([0, true, true])
    expect(requests / 20).toBeGreaterThan(from - 4)
  })

  test('divide a limit that only the upstream states too', async () => {
    const { upstream } = await play({ processes: 5, named: true, config: { limits: [] }, headers: 'ietf-08' })
    const late = upstream.log.filter(({ countedAtMs }) => countedAtMs > 5_000)
    const most = Math.max(
      ...late.map(
        ({ countedAtMs: at }) =>
          late.filter(({ countedAtMs }) => countedAtMs <= at && countedAtMs > at - windowMs).length,
      ),
    )
    expect([late.some(({ status }) => status === 429), most <= 50, most > 30]).toEqual([false, true, true])
  })

  test('say so in snapshot()', async () => {
    const { fleet } = await play({ processes: 4, named: true, forMs: 100 })
    const [{ shared, limits }] = fleet[0]!.snapshot().gates as [
      ReturnType<(typeof fleet)[0]['snapshot']>['gates'][number],
    ]
    expect([shared, limits[0]!.limit]).toEqual([{ via: 'share', processes: 4 }, 13])
  })

  test('are none where nothing is held back', async () => {
    const clock = new VirtualClock()
    const upstream = createUpstream({ clock })
    const headgate = createHeadgate({ clock, mode: 'observe', fetch: upstream.fetch, processes: 2 })
    await clock.runUntil(headgate.fetch(`https://${HOST}/`))
    expect(headgate.snapshot().gates[0]!.shared).toBeUndefined()
  })
})
