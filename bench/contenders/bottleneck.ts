import type { default as Limiter } from 'bottleneck'
import { fetching } from './calling.ts'
import type { Client, ConfiguredLimit, Contender, Setup } from './contender.ts'

const common = { package: 'bottleneck', readsHeaders: false, retries: false, time: 'virtual' } as const
const README = 'https://github.com/SGrondin/bottleneck'

/** What a reservoir's intervals have to be a multiple of, in ms, and what its example makes of `minTime`, as a part of an even spread. */
const STEP_MS = 250
const EXAMPLE_SPREAD = 333 / 600

export const bottleneckReservoir: Contender = {
  ...common,
  name: 'bottleneck (reservoir)',
  source: {
    quote:
      'In this example, we throttle to 100 requests every 60 seconds: […] reservoirRefreshAmount: 100, reservoirRefreshInterval: 60 * 1000',
    url: `${README}#refresh-interval`,
  },
  setUp:
    '`reservoirRefreshAmount` per `reservoirRefreshInterval`; for a token bucket `reservoirIncreaseAmount` per `reservoirIncreaseInterval` up to its size. Two limits are chained. No `maxConcurrent`.',
  create: (setup) => create(setup, reservoir),
}

export const bottleneckSpreadReservoir: Contender = {
  ...common,
  name: 'bottleneck (reservoir, minTime)',
  source: {
    quote: "It's strongly recommended to also use `minTime` and/or `maxConcurrent` to spread out the load.",
    url: `${README}#warnings`,
  },
  setUp: 'The reservoir and a `minTime` of 0.555 of window / limit, as in its example of 100 per 60 s and 333 ms.',
  create: (setup) =>
    create(setup, (limit) => ({ ...reservoir(limit), minTime: Math.ceil(EXAMPLE_SPREAD * evenly(limit)) })),
}

export const bottleneckMinTime: Contender = {
  ...common,
  name: 'bottleneck (minTime)',
  source: {
    quote: 'Most APIs have a rate limit. For example, to execute 3 requests per second: […] minTime: 333',
    url: `${README}#step-1-of-3`,
  },
  setUp: '`minTime` of window / limit, rounded up to a ms. Two limits are chained. No `maxConcurrent`.',
  create: (setup) => create(setup, (limit) => ({ minTime: Math.ceil(evenly(limit)) })),
}

type OptionsOf = (limit: ConfiguredLimit) => Limiter.ConstructorOptions

/** Chained limiters, the longest window's first. */
async function create(setup: Setup, optionsOf: OptionsOf): Promise<Client> {
  const { default: Bottleneck } = await import('bottleneck')
  const longestFirst = setup.limits.toSorted((a, b) => b.windowMs - a.windowMs)
  const limiters = longestFirst.map((limit) => new Bottleneck(optionsOf(limit)))
  for (const [index, limiter] of limiters.entries()) limiter.chain(limiters[index + 1])
  const [first] = limiters
  if (first === undefined) throw new RangeError('bottleneck is set up with one limit or more')
  return {
    call: first.wrap(fetching(setup)),
    close: () => Promise.all(limiters.map((limiter) => limiter.disconnect())).then(() => {}),
  }
}

function reservoir({ limit, windowMs, kind }: ConfiguredLimit): Limiter.ConstructorOptions {
  if (kind === 'token-bucket') return { reservoir: limit, reservoirIncreaseMaximum: limit, ...refill(limit, windowMs) }
  return { reservoir: limit, reservoirRefreshAmount: limit, reservoirRefreshInterval: windowMs }
}

/** The shortest interval in which whole tokens come back. */
function refill(limit: number, windowMs: number): Limiter.ConstructorOptions {
  let steps = 1
  while ((limit * steps * STEP_MS) % windowMs > 0) steps += 1
  return { reservoirIncreaseInterval: steps * STEP_MS, reservoirIncreaseAmount: (limit * steps * STEP_MS) / windowMs }
}

/** Ms between two jobs that are spread evenly. */
function evenly({ limit, windowMs }: ConfiguredLimit): number {
  return windowMs / limit
}
