import { awaiting, HUGE, nothing, type Peer, type Task } from './peer.ts'

export const dFischer: Peer = {
  name: '@d-fischer/rate-limiter',
  package: '@d-fischer/rate-limiter',
  free: {
    how: 'call',
    setUp: 'a bucketSize that holds nobody',
    open: async () => {
      const limiter = await limiterOf(HUGE, 1_000)
      return awaiting(() => limiter.request(nothing))
    },
  },
  held: {
    setUp: 'a bucketSize per timeFrame, spent',
    by: 'window',
    aborts: 'none',
    open: async ({ limit, windowMs }) => {
      const limiter = await limiterOf(limit, windowMs)
      await Promise.all(Array.from({ length: limit }, () => limiter.request(nothing)))
      return { call: async (task) => limiter.request(task), wait: () => limiter.request(nothing) }
    },
  },
}

/** It logs a warning for each call that waits, which would be most of what is measured. */
async function limiterOf(bucketSize: number, timeFrame: number) {
  const { TimeBasedRateLimiter } = await import('@d-fischer/rate-limiter')
  return new TimeBasedRateLimiter<Task, void>({
    bucketSize,
    timeFrame,
    logger: { minLevel: 'critical' },
    doRequest: (task) => task(),
  })
}
