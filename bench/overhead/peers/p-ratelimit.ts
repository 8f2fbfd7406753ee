import { awaiting, endless, HUGE, nothing, type Peer } from './peer.ts'

export const pRatelimit: Peer = {
  name: 'p-ratelimit',
  package: 'p-ratelimit',
  free: {
    how: 'call',
    setUp: 'a rate that holds nobody',
    open: async () => {
      const limit = await limiterOf(HUGE)
      return awaiting(() => limit(nothing))
    },
  },
  held: {
    setUp: 'concurrency 1, a rate that holds nobody',
    by: 'concurrency',
    aborts: 'none',
    open: async () => {
      const limit = await limiterOf(1)
      const first = endless()
      void limit(first.task)
      return { call: async (task) => limit(task), wait: () => limit(nothing), release: first.end }
    },
  },
}

async function limiterOf(concurrency: number) {
  const { pRateLimit } = await import('p-ratelimit')
  return pRateLimit({ interval: 1_000, rate: HUGE, concurrency })
}
