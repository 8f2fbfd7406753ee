import { fetching, nested } from './calling.ts'
import type { Client, Contender, Setup } from './contender.ts'

const common = { package: 'p-queue', readsHeaders: false, retries: false, time: 'virtual' } as const
const README = 'https://github.com/sindresorhus/p-queue'

/** What of its options tells the three modes apart. */
interface Mode {
  strict?: true
  carryoverIntervalCount?: true
}

export const pQueue: Contender = {
  ...common,
  name: 'p-queue',
  source: { quote: 'The maximum number of tasks that start in each `interval`.', url: `${README}#intervalcap` },
  setUp:
    '`intervalCap` per `interval`, one queue in the other for two limits. `concurrency` is unbounded, as by default.',
  create: (setup) => create(setup, {}),
}

export const pQueueCarryover: Contender = {
  ...common,
  name: 'p-queue (carryover)',
  source: {
    quote:
      'Whether tasks that are still running when an interval ends count against `intervalCap` in the next interval.',
    url: `${README}#carryoverintervalcount`,
  },
  setUp: 'As p-queue, with `carryoverIntervalCount`.',
  create: (setup) => create(setup, { carryoverIntervalCount: true }),
}

export const pQueueStrict: Contender = {
  ...common,
  name: 'p-queue (strict)',
  source: {
    quote: 'No more than 2 tasks start in any 1000 ms period. […] Use it when an API enforces strict rate limits.',
    url: `${README}#strict`,
  },
  setUp: 'As p-queue, with `strict`.',
  create: (setup) => create(setup, { strict: true }),
}

async function create(setup: Setup, mode: Mode): Promise<Client> {
  const { default: PQueue } = await import('p-queue')
  return {
    call: nested(setup.limits, fetching(setup), ({ limit, windowMs }, inner) => {
      const queue = new PQueue({ intervalCap: limit, interval: windowMs, ...mode })
      return () => queue.add(inner)
    }),
  }
}
