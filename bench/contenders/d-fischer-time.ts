import { type Call, fetching, nested } from './calling.ts'
import type { Contender } from './contender.ts'

export const dFischerTime: Contender = {
  name: '@d-fischer/rate-limiter (time)',
  package: '@d-fischer/rate-limiter',
  source: {
    quote: 'new PartitionedTimeBasedRateLimiter({ […] bucketSize: 800, timeFrame: 64000, doRequest: […] })',
    url: 'https://github.com/twurple/twurple/blob/main/packages/api/src/client/ApiClient.ts',
  },
  setUp:
    'As in Twurple, for which it is made; it has no documentation of its own. `bucketSize` per `timeFrame`, one limiter in the other for two limits. It logs nothing below an error.',
  readsHeaders: false,
  retries: false,
  time: 'virtual',
  async create(setup) {
    const { TimeBasedRateLimiter } = await import('@d-fischer/rate-limiter')
    return {
      call: nested(setup.limits, fetching(setup), ({ limit, windowMs }, inner) => {
        const limiter = new TimeBasedRateLimiter<void, Awaited<ReturnType<Call>>>({
          bucketSize: limit,
          timeFrame: windowMs,
          doRequest: inner,
          logger: { minLevel: 'error' },
        })
        return () => limiter.request()
      }),
    }
  },
}
