import { awaiting, HUGE, nothing, type Peer } from './peer.ts'

export const throttledQueuePeer: Peer = {
  name: 'throttled-queue',
  package: 'throttled-queue',
  free: {
    how: 'call',
    setUp: 'a maxPerInterval that holds nobody',
    open: async () => {
      const throttle = await queueOf(HUGE, 1_000)
      return awaiting(() => throttle(nothing))
    },
  },
  held: {
    setUp: 'a maxPerInterval, spent',
    by: 'window',
    aborts: 'none',
    open: async ({ limit, windowMs }) => {
      const throttle = await queueOf(limit, windowMs)
      await Promise.all(Array.from({ length: limit }, () => throttle(nothing)))
      return { call: async (task) => throttle(task), wait: () => throttle(nothing) }
    },
  },
}

async function queueOf(maxPerInterval: number, interval: number) {
  const { throttledQueue } = await import('throttled-queue')
  return throttledQueue({ maxPerInterval, interval })
}
