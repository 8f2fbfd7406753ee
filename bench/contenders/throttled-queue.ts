import type * as Library from 'throttled-queue'
import { type Call, nested } from './calling.ts'
import type { Client, Contender, Setup } from './contender.ts'

const common = { package: 'throttled-queue', readsHeaders: false, retries: true, time: 'virtual' } as const
const README = 'https://github.com/shaunpersad/throttled-queue'

export const throttledQueue: Contender = {
  ...common,
  name: 'throttled-queue',
  source: {
    quote:
      'Starting in version `3.0.0`, you can now retry individual executions, or pause the queue entirely until a cooldown.',
    url: `${README}#adjusting-queue-execution`,
  },
  setUp:
    '`maxPerInterval` per `interval`, one queue in the other for two limits. As in its example a 429 pauses the queue for `Retry-After`, else for the interval, and any other bad status is tried again; up to 30 times, its default.',
  create: (setup) => create(setup, false),
}

export const throttledQueueEvenly: Contender = {
  ...common,
  name: 'throttled-queue (evenly spaced)',
  source: {
    quote: '// This will fire at most 10 requests a second, spacing them out instead of in a burst.',
    url: `${README}#evenly-spaced`,
  },
  setUp: 'As throttled-queue, with `evenlySpaced`.',
  create: (setup) => create(setup, true),
}

async function create(setup: Setup, evenlySpaced: boolean): Promise<Client> {
  const library = await import('throttled-queue')
  return {
    call: nested(setup.limits, retrying(setup, library), ({ limit, windowMs }, inner) => {
      const throttle = library.throttledQueue({ maxPerInterval: limit, interval: windowMs, evenlySpaced })
      return () => throttle(inner)
    }),
  }
}

/** The handling of bad statuses that its documentation shows. */
function retrying({ fetch, url }: Setup, { RetryError, seconds }: typeof Library): Call {
  return async () => {
    const response = await fetch(url)
    await response.text()
    if (response.status === 429) {
      const retryAfter = response.headers.get('retry-after')
      throw new RetryError({ pauseQueue: true, ...(retryAfter !== null && { retryAfter: seconds(retryAfter) }) })
    }
    if (!response.ok) throw new RetryError()
    return response
  }
}
