import { fetching, nested } from './calling.ts'
import type { Contender } from './contender.ts'

export const pRatelimit: Contender = {
  name: 'p-ratelimit',
  package: 'p-ratelimit',
  source: {
    quote:
      'Set both of these: […] `interval`: the interval over which to apply the rate limit, in milliseconds […] `rate`: how many API calls to allow over the interval period',
    url: 'https://github.com/natesilva/p-ratelimit#configuration',
  },
  setUp: '`rate` per `interval`, one limit in the other for two. No `concurrency`, no `maxDelay`, as by default.',
  readsHeaders: false,
  retries: false,
  time: 'virtual',
  async create(setup) {
    const { pRateLimit } = await import('p-ratelimit')
    return {
      call: nested(setup.limits, fetching(setup), ({ limit, windowMs }, inner) => {
        const limited = pRateLimit({ rate: limit, interval: windowMs })
        return () => limited(inner)
      }),
    }
  },
}
