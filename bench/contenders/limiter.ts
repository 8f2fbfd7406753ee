import { fetching } from './calling.ts'
import type { ConfiguredLimit, Contender, Setup } from './contender.ts'

export const limiter: Contender = {
  name: 'limiter',
  package: 'limiter',
  source: {
    quote:
      '`RateLimiter`: A maximum token count per interval, with continuous refill underneath […] For atomic burst and sustained-rate budgets, use parent/child `TokenBucket` instances.',
    url: 'https://github.com/jhurliman/node-rate-limiter#readme',
  },
  setUp:
    'One limit is a `RateLimiter` of `tokensPerInterval` per `interval`; two are `TokenBucket`s of that size, which begin empty, one the parent of the other.',
  readsHeaders: false,
  retries: false,
  time: 'virtual',
  async create(setup) {
    const tokens = await tokensOf(setup)
    const send = fetching(setup)
    return {
      call: async () => {
        await tokens.removeTokens(1)
        return send()
      },
    }
  },
}

async function tokensOf({ limits }: Setup): Promise<{ removeTokens(count: number): Promise<number> }> {
  const { RateLimiter, TokenBucket } = await import('limiter')
  const [only] = limits
  if (only === undefined) throw new RangeError('limiter is set up with one limit or more')
  if (limits.length === 1) return new RateLimiter({ tokensPerInterval: only.limit, interval: only.windowMs })
  type Bucket = InstanceType<typeof TokenBucket>
  const child = (parentBucket: Bucket | undefined, { limit, windowMs }: ConfiguredLimit): Bucket =>
    new TokenBucket({
      bucketSize: limit,
      tokensPerInterval: limit,
      interval: windowMs,
      ...(parentBucket && { parentBucket }),
    })
  return limits.reduce(child, undefined)!
}
