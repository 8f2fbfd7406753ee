import { axiosRateLimit } from './axios.ts'
import { rebuiltFixedWindow, rebuiltSendTimes } from './rebuilt-gates.ts'
import { bottleneckMinTime, bottleneckReservoir, bottleneckSpreadReservoir } from './bottleneck.ts'
import type { Contender } from './contender.ts'
import { dFischerResponse } from './d-fischer-response.ts'
import { dFischerTime } from './d-fischer-time.ts'
import { discordjsRest } from './discordjs-rest.ts'
import { plainFetch } from './fetch.ts'
import { got } from './got.ts'
import { headgate } from './headgate.ts'
import { ky } from './ky.ts'
import { limiter } from './limiter.ts'
import { pQueue, pQueueCarryover, pQueueStrict } from './p-queue.ts'
import { pRatelimit } from './p-ratelimit.ts'
import { pThrottle, pThrottleStrict } from './p-throttle.ts'
import { rateLimiterFlexible } from './rate-limiter-flexible.ts'
import { throttledQueue, throttledQueueEvenly } from './throttled-queue.ts'
import { undiciRetryAgent } from './undici-retry-agent.ts'

export { leftOut } from './left-out.ts'

/** Everything that headgate is measured beside, itself included. */
export const contenders: readonly Contender[] = [
  headgate,
  rebuiltFixedWindow,
  rebuiltSendTimes,
  bottleneckReservoir,
  bottleneckSpreadReservoir,
  bottleneckMinTime,
  pQueue,
  pQueueCarryover,
  pQueueStrict,
  pThrottle,
  pThrottleStrict,
  limiter,
  pRatelimit,
  throttledQueue,
  throttledQueueEvenly,
  rateLimiterFlexible,
  dFischerTime,
  dFischerResponse,
  discordjsRest,
  axiosRateLimit,
  ky,
  got,
  undiciRetryAgent,
  plainFetch,
]
