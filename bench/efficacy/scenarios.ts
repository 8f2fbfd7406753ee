import type { MeterOptions } from '../built.ts'
import type { ConfiguredLimit } from '../contenders/contender.ts'
import type { Load, Scenario, Trip } from './scenario.ts'

const MINUTE_MS = 60_000
const LATENCIES_MS = [20, 100, 400]

type Told = Omit<Scenario, 'group' | 'trip' | 'headers'>
type Limit = Pick<MeterOptions, 'limit' | 'windowMs'> & { kind?: ConfiguredLimit['kind'] }

const SHARED: Load = { kind: 'workers', workers: 25, calls: 7_200 }
/** A bucket gives out its last tokens evenly, a window all at once: over so long that this end does not weigh. */
const LONG_SHARED: Load = { kind: 'workers', workers: 25, calls: 14_400 }
const BURSTS: Load = { kind: 'bursts', bursts: 3, calls: 1_800, idleMs: 5 * MINUTE_MS }
const PER_MINUTE = { limit: 600, windowMs: MINUTE_MS }
const halfOfTheLimit = (minutes: number): Load => ({ kind: 'poisson', perMinute: 300, forMs: minutes * MINUTE_MS })

/** The upstream's own limits, told as they are. */
function toldRight(...limits: Limit[]): Pick<Told, 'upstream' | 'configured'> {
  const configured = limits.map(({ kind = 'rolling', ...limit }) => ({ ...limit, kind }))
  return { upstream: { limits: configured.map((limit) => ({ ...limit })) }, configured }
}

const ROLLING = toldRight(PER_MINUTE)
/** As Docker Hub counts. */
const REFUSED_COUNT = { ...ROLLING, upstream: { ...ROLLING.upstream, countRefused: true } }

const core: Told[] = [
  { id: 'steady', title: 'steady, rolling window, refused requests count', ...REFUSED_COUNT, load: SHARED },
  { id: 'burst-after-idle', title: 'bursts of 1 800 after 5 idle minutes', ...ROLLING, load: BURSTS },
  {
    id: 'two-windows',
    title: '10 per second and 300 per minute at once',
    ...toldRight({ limit: 10, windowMs: 1_000 }, { limit: 300, windowMs: MINUTE_MS }),
    load: SHARED,
  },
  { id: 'fixed-window', title: 'fixed window', ...toldRight({ ...PER_MINUTE, kind: 'fixed' }), load: SHARED },
  {
    id: 'token-bucket',
    title: 'token bucket',
    ...toldRight({ ...PER_MINUTE, kind: 'token-bucket' }),
    load: LONG_SHARED,
  },
]

/** Nobody is let in and nothing is counted, with no word of the limits. */
const outage = (status: number, fromMinute: number, forMs: number, retryAfter = '') => ({
  status,
  counted: false,
  headers: { 'retry-after': retryAfter },
  fromMs: fromMinute * MINUTE_MS,
  toMs: fromMinute * MINUTE_MS + forMs,
})

function withOutage(
  ...[status, fromMinute, forMs, retryAfter]: Parameters<typeof outage>
): Pick<Told, 'upstream' | 'configured'> {
  return { ...ROLLING, upstream: { ...ROLLING.upstream, faults: [outage(status, fromMinute, forMs, retryAfter)] } }
}

const others: (Told & { trips?: Trip[] })[] = [
  {
    id: 'other-client',
    title: 'another client bursts 200 every 3 windows',
    ...REFUSED_COUNT,
    upstream: { ...REFUSED_COUNT.upstream, otherClients: [{ burst: 200, everyMs: 3 * MINUTE_MS, startMs: MINUTE_MS }] },
    load: SHARED,
  },
  {
    id: 'jitter',
    title: 'latency of 20 ms to 2 s',
    ...REFUSED_COUNT,
    load: SHARED,
    trips: [{ medianMs: 200, sigma: 1, minMs: 20, maxMs: 2_000 }],
  },
  {
    id: 'told-wrong',
    title: 'limit told 20 % too high',
    ...REFUSED_COUNT,
    configured: [{ limit: 720, windowMs: MINUTE_MS, kind: 'rolling' }],
    load: SHARED,
  },
  {
    id: 'throttles-everybody',
    title: 'a minute of 429s without a hint',
    ...withOutage(429, 2, MINUTE_MS),
    load: halfOfTheLimit(10),
  },
  { id: 'retry-after', title: '90 s of Retry-After: 90', ...withOutage(429, 1, 90_000, '90'), load: halfOfTheLimit(6) },
  { id: 'down', title: '10 minutes of 503s', ...withOutage(503, 1, 10 * MINUTE_MS), load: halfOfTheLimit(15) },
  {
    id: 'short-window',
    title: '50 per second',
    ...toldRight({ limit: 50, windowMs: 1_000 }),
    load: SHARED,
    trips: [varying(20), varying(100)],
  },
]

/** Log-normal as `test/end-to-end` has it: counted 400 ms after the send at the latest. */
function varying(medianMs: number): Trip {
  return { medianMs, sigma: 0.3, maxUpMs: 400 }
}

/** What the gate's rule comes to in the long run: it holds a slot for a window and a trip. */
function ruleCeiling(latencyMs: number): number {
  return (PER_MINUTE.limit * MINUTE_MS) / (MINUTE_MS + latencyMs)
}

function waiting(medianMs: number): Scenario[] {
  const given = { ...ROLLING, group: 'waits', trip: { medianMs, sigma: 0 }, headers: true } as const
  const perMinute = 0.95 * ruleCeiling(medianMs)
  return [
    {
      ...given,
      id: 'wait-steady',
      title: 'arrivals at 95 % of the ceiling',
      load: { kind: 'poisson', perMinute, forMs: 20 * MINUTE_MS },
    },
    { ...given, id: 'wait-bursts', title: 'bursts after idle', load: BURSTS },
  ]
}

export const scenarios: readonly Scenario[] = [
  ...core.flatMap((told) =>
    LATENCIES_MS.flatMap((medianMs) =>
      [true, false].map((headers): Scenario => ({ ...told, group: 'core', trip: varying(medianMs), headers })),
    ),
  ),
  ...others.flatMap(({ trips = [varying(100)], ...told }) =>
    trips.map((trip): Scenario => ({ ...told, group: 'other', trip, headers: true })),
  ),
  ...LATENCIES_MS.flatMap(waiting),
]

export const timelineScenario = scenarios.find(
  ({ id, trip, headers }) => id === 'steady' && trip.medianMs === 100 && headers,
) as Scenario

/** What all are run through to see that none breaks. */
export const smokeScenario = timelineScenario

/** For those whose time cannot be faked: short enough to be waited for. */
export const realScenario: Scenario = {
  id: 'real-short-window',
  title: '50 per second, over a socket and against the clock',
  group: 'other',
  ...toldRight({ limit: 50, windowMs: 1_000 }),
  trip: varying(20),
  headers: true,
  load: { kind: 'workers', workers: 25, calls: 500 },
}
