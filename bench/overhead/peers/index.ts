import { axiosPeers } from './axios-rate-limit.ts'
import { bottleneckPeers } from './bottleneck.ts'
import { dFischer } from './d-fischer.ts'
import { headgatePeers } from './headgate.ts'
import { limiterPeers } from './limiter.ts'
import { pQueuePeers } from './p-queue.ts'
import { pRatelimit } from './p-ratelimit.ts'
import { pThrottlePeers } from './p-throttle.ts'
import { awaiting, nothing, type Peer } from './peer.ts'
import { rateLimiterFlexiblePeers } from './rate-limiter-flexible.ts'
import { throttledQueuePeer } from './throttled-queue.ts'

const bareAwait: Peer = {
  name: 'bare await',
  free: { how: 'call', setUp: 'the task alone', open: async () => awaiting(nothing) },
}

const DISCORD = 'speaks to one API and waits in the midst of a request: what waiting costs cannot be told from the rest'

export const PEERS: readonly Peer[] = [
  bareAwait,
  ...headgatePeers,
  ...limiterPeers,
  ...pThrottlePeers,
  ...pQueuePeers,
  pRatelimit,
  throttledQueuePeer,
  ...rateLimiterFlexiblePeers,
  dFischer,
  ...bottleneckPeers,
  ...axiosPeers,
  {
    name: '@discordjs/rest',
    package: '@discordjs/rest',
    leftOut: { uncontended: DISCORD, contended: DISCORD, waiters: DISCORD },
  },
]

export function peerOf(name: string): Peer {
  const peer = PEERS.find((each) => each.name === name)
  if (!peer) throw new Error(`there is no peer ${name}`)
  return peer
}
