import { HUGE, type Peer, taking, waitingFor } from './peer.ts'

export const limiterPeers: readonly Peer[] = [
  {
    name: 'limiter tryRemoveTokens',
    package: 'limiter',
    free: {
      how: 'try',
      setUp: 'tokens that hold nobody',
      open: async () => {
        const limiter = await limiterOf(HUGE, 1_000)
        return async (calls) => {
          for (let left = calls; left > 0; left -= 1) limiter.tryRemoveTokens(1)
        }
      },
    },
  },
  {
    name: 'limiter',
    package: 'limiter',
    free: {
      how: 'call',
      setUp: 'tokens that hold nobody',
      open: async () => taking(await limiterOf(HUGE, 1_000)),
    },
    held: {
      setUp: 'tokens per interval, spent',
      by: 'window',
      aborts: 'none',
      open: async ({ limit, windowMs }) => {
        const limiter = await limiterOf(limit, windowMs)
        limiter.tryRemoveTokens(limit)
        return waitingFor(limiter)
      },
    },
  },
]

async function limiterOf(tokensPerInterval: number, interval: number) {
  const { RateLimiter } = await import('limiter')
  return new RateLimiter({ tokensPerInterval, interval })
}
