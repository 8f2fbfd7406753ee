import { bottleneckMinTime, bottleneckReservoir, bottleneckSpreadReservoir } from './bottleneck.ts'
import type { Contender } from './contender.ts'
import { plainFetch } from './fetch.ts'
import { headgate } from './headgate.ts'
import { pQueue, pQueueCarryover, pQueueStrict } from './p-queue.ts'
import { pThrottle, pThrottleStrict } from './p-throttle.ts'

/** Everything that headgate is measured beside, itself included. */
export const contenders: readonly Contender[] = [
  headgate,
  bottleneckReservoir,
  bottleneckSpreadReservoir,
  bottleneckMinTime,
  pQueue,
  pQueueCarryover,
  pQueueStrict,
  pThrottle,
  pThrottleStrict,
  plainFetch,
]
