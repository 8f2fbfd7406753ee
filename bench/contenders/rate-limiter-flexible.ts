import { fetching, nested } from './calling.ts'
import type { Contender } from './contender.ts'

export const rateLimiterFlexible: Contender = {
  name: 'rate-limiter-flexible (queue)',
  package: 'rate-limiter-flexible',
  source: {
    quote: '`RateLimiterQueue`: Queue actions and execute at controlled rate (FIFO).',
    url: 'https://github.com/animir/node-rate-limiter-flexible/blob/master/CONTEXT.md',
  },
  setUp:
    'A `RateLimiterQueue` over a `RateLimiterMemory` of `points` per `duration`, one queue after the other for two limits.',
  readsHeaders: false,
  retries: false,
  time: 'virtual',
  async create(setup) {
    const { RateLimiterMemory, RateLimiterQueue } = await import('rate-limiter-flexible')
    return {
      call: nested(setup.limits, fetching(setup), ({ limit, windowMs }, inner) => {
        const queue = new RateLimiterQueue(new RateLimiterMemory({ points: limit, duration: windowMs / 1000 }))
        return async () => {
          await queue.removeTokens(1)
          return inner()
        }
      }),
    }
  },
}
