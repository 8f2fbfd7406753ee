import { awaiting, endless, HUGE, nothing, type Peer } from './peer.ts'

export const pQueuePeers: readonly Peer[] = [false, true].map((strict) => {
  const rate = { interval: 1_000, intervalCap: HUGE, strict }
  const open = async (concurrency: number) => {
    const { default: PQueue } = await import('p-queue')
    return new PQueue({ ...rate, concurrency })
  }
  return {
    name: strict ? 'p-queue (strict)' : 'p-queue',
    package: 'p-queue',
    free: {
      how: 'call',
      setUp: 'an intervalCap that holds nobody',
      open: async () => {
        const queue = await open(Infinity)
        return awaiting(() => queue.add(nothing))
      },
    },
    held: {
      setUp: 'concurrency 1, an intervalCap that holds nobody',
      by: 'concurrency',
      aborts: 'each',
      open: async () => {
        const queue = await open(1)
        const first = endless()
        void queue.add(first.task)
        return {
          call: async (task) => queue.add(task),
          wait: (signal) => queue.add(nothing, { signal }),
          release: first.end,
        }
      },
    },
  }
})
