import type Bottleneck from 'bottleneck'
import { awaiting, endless, type Free, HUGE, nothing, type Peer } from './peer.ts'

export const bottleneckPeers: readonly Peer[] = [
  {
    name: 'bottleneck',
    package: 'bottleneck',
    free: freely('no limit at all', {}),
    held: {
      setUp: 'maxConcurrent 1',
      by: 'concurrency',
      aborts: 'none',
      open: async () => {
        const limiter = await limiterOf({ maxConcurrent: 1 })
        const first = endless()
        void limiter.schedule(first.task)
        return {
          call: async (task) => limiter.schedule(task),
          wait: () => limiter.schedule(nothing),
          release: first.end,
        }
      },
    },
  },
  {
    name: 'bottleneck (reservoir)',
    package: 'bottleneck',
    free: freely('a reservoir that holds nobody', {
      reservoir: HUGE,
      reservoirRefreshAmount: HUGE,
      reservoirRefreshInterval: 1_000,
    }),
  },
]

function freely(setUp: string, options: Bottleneck.ConstructorOptions): Free {
  return {
    how: 'call',
    setUp,
    open: async () => {
      const limiter = await limiterOf(options)
      return awaiting(() => limiter.schedule(nothing))
    },
  }
}

async function limiterOf(options: Bottleneck.ConstructorOptions) {
  const { default: Limiter } = await import('bottleneck')
  return new Limiter(options)
}
