import { describe, expect, test } from 'vitest'
import { createHeadgate, type Headgate, type UpstreamConfig } from '../../src/index.ts'
import { memoryEngine, sharedBudget } from '../../src/shared/index.ts'
import { createUpstream, type Upstream, type UpstreamOptions, VirtualClock } from '../../src/testing/index.ts'

const HOST = 'api.example'
const limit = { limit: 60, windowMs: 10_000 }

interface Setup {
  /** How many processes; `alone` has one that shares with nobody. Default 4. */
  processes?: number
  alone?: boolean
  upstream?: Partial<UpstreamOptions>
  config?: UpstreamConfig
}

/** Processes that share a budget of an upstream, which says how much of its limit is left. */
function setUp({ processes = 4, alone = false, upstream: options = {}, config = {} }: Setup = {}) {
  const clock = new VirtualClock()
  const latency = { upMs: { minMs: 5, maxMs: 40 }, downMs: { minMs: 5, maxMs: 100 } }
  const upstream = createUpstream({ clock, limits: limit, headers: 'ratelimit', latency, ...options })
  const engine = memoryEngine({ clock })
  const fleet = Array.from({ length: alone ? 1 : processes }, () =>
    createHeadgate({
      clock,
      fetch: upstream.fetch,
      upstreams: { [HOST]: { limits: limit, ...config } },
      ...(!alone && { shared: sharedBudget({ engine, name: 'account' }) }),
    }),
  )
  return { clock, upstream, fleet }
}

const call = (headgate: Headgate) => headgate.fetch(`https://${HOST}/`).then((response) => response.text())

/** Keeps every process with something to send. */
async function saturate(setup: Setup, forMs: number): Promise<Upstream> {
  const { clock, upstream, fleet } = setUp(setup)
  let isOver = false
  const keepOn = async (headgate: Headgate): Promise<void> => {
    while (!isOver) await call(headgate)
  }
  const all = fleet.flatMap((headgate) => Array.from({ length: 100 / fleet.length }, () => keepOn(headgate)))
  await clock.advance(forMs)
  isOver = true
  void all
  return upstream
}

const sentIn = ({ log }: Upstream, from: number, to: number): number =>
  log.filter(({ countedAtMs }) => countedAtMs >= from && countedAtMs < to).length

describe('members are not taken for foreign use', () => {
  test('at saturation a fleet sends as much as where the upstream says nothing', async () => {
    const [told, silent] = [await saturate({}, 120_000), await saturate({ upstream: { headers: 'none' } }, 120_000)]
    const [sent, bound] = [told, silent].map((upstream) => sentIn(upstream, 20_000, 120_000))
    expect([told.report().throttled, told.report().busiestWindow]).toEqual([0, 60])
    expect(bound).toBeGreaterThan(560)
    expect(sent).toBeGreaterThanOrEqual(bound! * 0.98)
  })

  test('nor by one that learns its limit from what the upstream states', async () => {
    const config = { limits: [] }
    const upstream = await saturate({ upstream: { headers: 'ietf-08' }, config }, 120_000)
    expect(sentIn(upstream, 40_000, 120_000)).toBeGreaterThan(440)
    const late = upstream.log.filter(({ countedAtMs, status }) => countedAtMs > 12_000 && status === 429)
    expect(late).toEqual([])
  })

  test('a process alone that sends little sees none, though others send much', async () => {
    const { clock, fleet } = setUp()
    const [little, ...much] = fleet
    for (let round = 0; round < 20; round += 1) {
      void call(little!)
      for (const headgate of much) void call(headgate)
      await clock.advance(1_000)
    }
    const [gate] = little!.snapshot().gates
    expect(gate!.limits.map(({ foreignUse }) => foreignUse)).toEqual([0])
    expect(gate!.shared).toEqual({ via: 'engine', processes: 4 })
  })
})

describe('foreign use', () => {
  test('seen by one of them binds all, and none is refused', async () => {
    const otherClients = [{ perMinute: 240, startMs: 0 }]
    const { clock, upstream, fleet } = setUp({ upstream: { otherClients } })
    const [seeing, ...others] = fleet
    await clock.runUntil(call(seeing!))
    await clock.advance(10_000)
    for (let index = 0; index < 3; index += 1) await clock.runUntil(call(seeing!))
    await clock.advance(10)
    const before = upstream.log.length
    for (const headgate of others) for (let sends = 0; sends < 30; sends += 1) void call(headgate)
    await clock.advance(1_500)
    const burst = upstream.log.length - before
    expect([burst > 5, burst <= 60 - 36]).toEqual([true, true])
    expect(upstream.report().throttled).toBe(0)
  })

  test('beside a saturated fleet draws no more 429s than beside one process with all its callers', async () => {
    const others: Setup = { upstream: { otherClients: [{ perMinute: 120 }] } }
    const [fleet, alone] = [await saturate(others, 300_000), await saturate({ ...others, alone: true }, 300_000)]
    const [ofFleet, ofOne] = [fleet, alone].map((upstream) => upstream.report())
    expect(ofFleet!.throttled / ofFleet!.requests).toBeLessThan(1.1 * (ofOne!.throttled / ofOne!.requests))
    expect(ofFleet!.ok).toBeGreaterThan(ofOne!.ok)
  })
})

describe('a 429 of one process', () => {
  test('is the only one: all wait, and one probes', async () => {
    const faults = [{ index: 10, status: 429, headers: { 'retry-after': '5' } }]
    const upstream = await saturate({ upstream: { faults } }, 30_000)
    const throttled = upstream.log.filter(({ status }) => status === 429)
    const [{ answeredAtMs = 0 }] = throttled as [(typeof throttled)[number]]
    expect(throttled).toHaveLength(1)
    const after = upstream.log.filter(({ sentAtMs }) => sentAtMs > answeredAtMs + 10)
    expect(after[0]!.sentAtMs - answeredAtMs).toBeGreaterThanOrEqual(5_000)
    const probeAnsweredAt = after[0]!.answeredAtMs!
    expect(after[1]!.sentAtMs).toBeGreaterThanOrEqual(probeAnsweredAt)
  })
})
