import { HUGE, nothing, type Peer, taking, waitingFor } from './peer.ts'

export const rateLimiterFlexiblePeers: readonly Peer[] = [
  {
    name: 'rate-limiter-flexible (memory)',
    package: 'rate-limiter-flexible',
    free: {
      how: 'call',
      setUp: 'points that hold nobody',
      open: async () => {
        const { RateLimiterMemory } = await import('rate-limiter-flexible')
        const limiter = new RateLimiterMemory({ points: HUGE, duration: 1 })
        return async (calls) => {
          for (let left = calls; left > 0; left -= 1) {
            await limiter.consume('upstream')
            await nothing()
          }
        }
      },
    },
    leftOut: { contended: 'rejects at once: nobody waits', waiters: 'rejects at once: nobody waits' },
  },
  {
    name: 'rate-limiter-flexible (queue)',
    package: 'rate-limiter-flexible',
    free: {
      how: 'call',
      setUp: 'points that hold nobody',
      open: async () => taking(await queueOf(HUGE, 1_000)),
    },
    held: {
      setUp: 'points per duration, spent',
      by: 'window',
      aborts: 'none',
      open: async ({ limit, windowMs }) => {
        const queue = await queueOf(limit, windowMs)
        await queue.removeTokens(limit)
        return waitingFor(queue)
      },
    },
  },
]

async function queueOf(points: number, durationMs: number) {
  const { RateLimiterMemory, RateLimiterQueue } = await import('rate-limiter-flexible')
  return new RateLimiterQueue(new RateLimiterMemory({ points, duration: durationMs / 1_000 }))
}
