import { describe, expect, test } from 'vitest'
import {
  type Charge,
  createUpstream,
  type MeterOptions,
  type MeterReading,
  type UpstreamOptions,
  VirtualClock,
} from '../../src/testing/index.ts'

const url = 'https://api.example/'
const requests: MeterOptions = { limit: 10, windowMs: 60_000 }
const tokens: MeterOptions = { limit: 2_000, windowMs: 60_000, unit: 'tokens' }

/** An upstream that is sent one request of each weight, at the same instant. */
async function send(weights: Charge[], options: UpstreamOptions) {
  const clock = new VirtualClock()
  const left = [...weights]
  const readings: MeterReading[][] = []
  const upstream = createUpstream({
    clock,
    weightOf: () => left.shift() ?? 0,
    headers: (state) => {
      readings.push(state.readings)
      return {}
    },
    ...options,
  })
  const statuses = []
  for (const _ of weights) statuses.push((await upstream.fetch(url)).status)
  const used = readings.at(-1)?.map((reading) => reading.used)
  return { upstream, statuses, readings, used }
}

describe('a weight', () => {
  test.each<[Charge, used: number[]]>([
    [3, [3, 3, 3]],
    [0, [0, 0, 0]],
    [{}, [1, 0, 0]],
    [{ tokens: 1_200 }, [1, 1_200, 0]],
    [{ requests: 2 }, [2, 0, 0]],
    [{ requests: 0, bytes: 5 }, [0, 0, 5]],
    [{ requests: 4, tokens: 7, bytes: 8, images: 9 }, [4, 7, 8]],
  ])('of %o is charged by unit', async (weight, used) => {
    const bytes = { ...tokens, unit: 'bytes' }
    expect((await send([weight], { limits: [requests, tokens, bytes] })).used).toEqual(used)
  })

  test('is 1 of each limit by default', async () => {
    const upstream = createUpstream({ clock: new VirtualClock(), limits: tokens })
    expect((await upstream.fetch(url)).headers.get('x-ratelimit-remaining')).toBe('1999')
  })

  test('of 0 in a unit does not set its reset', async () => {
    const { readings } = await send([{}], { limits: [requests, tokens] })
    expect(readings[0]?.map(({ resetInMs }) => resetInMs)).toEqual([60_000, 0])
  })
})

describe('all limits or none', () => {
  test('tokens that are refused are charged to neither limit', async () => {
    const weights = [{ tokens: 1_500 }, { tokens: 501 }, { tokens: 500 }]
    const { statuses, used } = await send(weights, { limits: [requests, tokens] })
    expect(statuses).toEqual([200, 429, 200])
    expect(used).toEqual([2, 2_000])
  })

  test('a request that the request limit refuses takes no tokens', async () => {
    const limits = [{ ...requests, limit: 1 }, tokens]
    const { statuses, used } = await send([{ tokens: 10 }, { tokens: 10 }], { limits })
    expect(statuses).toEqual([200, 429])
    expect(used).toEqual([1, 10])
  })

  test('refused tokens count where refused requests do', async () => {
    const limits = [requests, { ...tokens, countRefused: true }]
    const { statuses, used, readings } = await send([{ tokens: 1_500 }, { tokens: 700 }, { tokens: 1 }], { limits })
    expect(statuses).toEqual([200, 429, 429])
    expect(used).toEqual([1, 2_201])
    expect(readings[2]?.[1]).toMatchObject({ remaining: -201, unit: 'tokens' })
  })
})

describe('what is told of it', () => {
  test('a reading has the unit that was given', async () => {
    const { readings } = await send([1], { limits: [requests, tokens, { ...requests, unit: 'requests' }] })
    expect(readings[0]?.map((reading) => 'unit' in reading)).toEqual([false, true, true])
    expect(readings[0]?.map(({ unit }) => unit)).toEqual([undefined, 'tokens', 'requests'])
  })

  test('the log has what was charged to requests', async () => {
    const weights = [7, { tokens: 1_200 }, { requests: 3, tokens: 5 }, { requests: 0 }]
    const { upstream } = await send(weights, { limits: tokens })
    expect(upstream.log.map(({ weight }) => weight)).toEqual([7, 1, 3, 0])
  })

  test.each<[string, MeterOptions[], number]>([
    ['tokens', [tokens, requests], 2_700],
    ['requests', [requests, tokens], 3],
    ['no limit', [], 3],
  ])('the busiest window is in the unit of the first limit: %s', async (_, limits, busiest) => {
    const weights = [{ tokens: 1_500 }, { tokens: 1_000 }, { tokens: 200 }]
    const { upstream } = await send(weights, { limits })
    expect(upstream.report()).toMatchObject({ busiestWindow: busiest, ownBusiestWindow: busiest })
  })

  test('other clients charge every limit, whatever its unit', async () => {
    const otherClients = [{ burst: 2, everyMs: 60_000, weight: 3 }]
    const { upstream, used } = await send([{ tokens: 100 }], { limits: [requests, tokens], otherClients })
    expect(used).toEqual([7, 106])
    expect(upstream.report()).toMatchObject({ busiestWindow: 7, ownBusiestWindow: 1 })
  })
})
