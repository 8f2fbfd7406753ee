import { awaiting, HUGE, nothing, type Peer } from './peer.ts'

export const pThrottlePeers: readonly Peer[] = [false, true].map((strict) => ({
  name: strict ? 'p-throttle (strict)' : 'p-throttle',
  package: 'p-throttle',
  free: {
    how: 'call',
    setUp: 'a limit that holds nobody',
    open: async () => {
      const { default: pThrottle } = await import('p-throttle')
      return awaiting(pThrottle({ limit: HUGE, interval: 1_000, strict })(nothing))
    },
  },
  held: {
    setUp: 'a limit per interval, spent',
    by: 'window',
    aborts: 'all',
    open: async ({ limit, windowMs, signal }) => {
      const { default: pThrottle } = await import('p-throttle')
      const throttle = pThrottle({ limit, interval: windowMs, strict, ...(signal && { signal }) })
      const throttled = throttle((task: () => Promise<void>) => task())
      await Promise.all(Array.from({ length: limit }, () => throttled(nothing)))
      return { call: async (task) => throttled(task), wait: () => throttled(nothing) }
    },
  },
}))
