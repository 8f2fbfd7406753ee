import type { RateLimiterResponseParameters } from '@d-fischer/rate-limiter'
import type { Client, Contender, Setup } from './contender.ts'

export const dFischerResponse: Contender = {
  name: '@d-fischer/rate-limiter (response)',
  package: '@d-fischer/rate-limiter',
  source: {
    quote:
      'class HelixRateLimiter extends ResponseBasedRateLimiter […] protected getParametersFromResponse(res: Response)',
    url: 'https://github.com/twurple/twurple/blob/main/packages/api/src/utils/HelixRateLimiter.ts',
  },
  setUp:
    'Its three methods as in Twurple, for which it is made: they read limit, remaining and reset of every answer, and wait after a 429 until its reset, else its `Retry-After`. No limit can be told; without rate headers the smallest limit is what it is told to have left.',
  readsHeaders: true,
  retries: true,
  time: 'virtual',
  create,
}

async function create({ fetch, url, limits }: Setup): Promise<Client> {
  const { ResponseBasedRateLimiter } = await import('@d-fischer/rate-limiter')
  const smallest = Math.min(...limits.map(({ limit }) => limit))

  class HeaderRateLimiter extends ResponseBasedRateLimiter<void, Response> {
    protected async doRequest(): Promise<Response> {
      const response = await fetch(url)
      await response.text()
      return response
    }

    protected needsToRetryAfter({ status, headers }: Response): number | null {
      if (status !== 429) return null
      if (headers.has('x-ratelimit-reset')) return resetsAt(headers) - Date.now()
      return headers.has('retry-after') ? Number(headers.get('retry-after')) * 1000 : null
    }

    protected getParametersFromResponse({ headers }: Response): RateLimiterResponseParameters {
      if (!headers.has('x-ratelimit-remaining')) return { limit: smallest, remaining: smallest, resetsAt: Date.now() }
      return {
        limit: Number(headers.get('x-ratelimit-limit')),
        remaining: Number(headers.get('x-ratelimit-remaining')),
        resetsAt: resetsAt(headers),
      }
    }
  }

  const limiter = new HeaderRateLimiter({ logger: { minLevel: 'error' } })
  return { call: () => limiter.request() }
}

/** Ms since the epoch: by the seconds from now where they are stated, which are the finer ones. */
function resetsAt(headers: Headers): number {
  const afterSeconds = headers.get('x-ratelimit-reset-after')
  return afterSeconds === null
    ? Number(headers.get('x-ratelimit-reset')) * 1000
    : Date.now() + Number(afterSeconds) * 1000
}
