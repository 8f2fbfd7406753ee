/** The import that each package's users write, for what an import costs. */
export interface Import {
  name: string
  from: 'headgate' | 'peer'
  line: string
}

export const IMPORTS: readonly Import[] = [
  { name: 'headgate', from: 'headgate', line: "import { createHeadgate as it } from 'headgate'" },
  { name: 'headgate/gate', from: 'headgate', line: "import { Gate as it } from 'headgate/gate'" },
  { name: 'limiter', from: 'peer', line: "import { RateLimiter as it } from 'limiter'" },
  { name: 'p-throttle', from: 'peer', line: "import it from 'p-throttle'" },
  { name: 'p-queue', from: 'peer', line: "import it from 'p-queue'" },
  { name: 'p-ratelimit', from: 'peer', line: "import { pRateLimit as it } from 'p-ratelimit'" },
  { name: 'throttled-queue', from: 'peer', line: "import { throttledQueue as it } from 'throttled-queue'" },
  {
    name: 'rate-limiter-flexible',
    from: 'peer',
    line: "import { RateLimiterMemory as it } from 'rate-limiter-flexible'",
  },
  {
    name: '@d-fischer/rate-limiter',
    from: 'peer',
    line: "import { TimeBasedRateLimiter as it } from '@d-fischer/rate-limiter'",
  },
  { name: 'bottleneck', from: 'peer', line: "import it from 'bottleneck'" },
  {
    name: 'axios-rate-limit',
    from: 'peer',
    line: "import axios from 'axios'; import limit from 'axios-rate-limit'; const it = [axios, limit]",
  },
  { name: '@discordjs/rest', from: 'peer', line: "import { REST as it } from '@discordjs/rest'" },
]

/** Where its packages are found: headgate is the package whose folder this stands in. */
export function folderOf({ from }: Import): string {
  return from === 'headgate' ? `${import.meta.dirname}/../..` : `${import.meta.dirname}/..`
}
