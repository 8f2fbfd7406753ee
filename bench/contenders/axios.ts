import type { Contender } from './contender.ts'

export const axiosRateLimit: Contender = {
  name: 'axios-rate-limit, axios-retry',
  package: 'axios-rate-limit',
  source: {
    quote: 'Apply both to the same axios instance; retries go through the rate limiter and respect the same limits.',
    url: 'https://github.com/aishek/axios-rate-limit/blob/master/doc/use-case-retry-failed-requests.md',
  },
  setUp:
    'All `limits`, and axios-retry with 3 retries, its default, and its `exponentialDelay`, which heeds `Retry-After`.',
  readsHeaders: false,
  retries: true,
  time: 'virtual',
  async create({ fetch, url, limits }) {
    const [{ default: axios }, { default: rateLimit }, { default: axiosRetry }] = await Promise.all([
      import('axios'),
      import('axios-rate-limit'),
      import('axios-retry'),
    ])
    const instance = axios.create({ adapter: 'fetch', env: { fetch } })
    const http = rateLimit(instance, {
      limits: limits.map(({ limit, windowMs }) => ({ maxRequests: limit, duration: windowMs })),
    })
    axiosRetry(http, { retryDelay: (retries, error) => axiosRetry.exponentialDelay(retries, error) })
    return { call: () => http.get(url) }
  },
}
