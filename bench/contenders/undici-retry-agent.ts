import type { Contender } from './contender.ts'

export const undiciRetryAgent: Contender = {
  name: 'undici (RetryAgent)',
  package: 'undici',
  source: {
    quote:
      'A Dispatcher that automatically retries failed requests by wrapping another dispatcher with the retry logic of RetryHandler.',
    url: 'https://undici.nodejs.org/#/docs/api/RetryAgent',
  },
  setUp: 'Its defaults: 5 retries, after `Retry-After`, at most 30 s, or 0.5, 1, 2, 4 and 8 s. No limit can be told.',
  readsHeaders: false,
  retries: true,
  time: 'virtual',
  async create({ fetch, url }) {
    const [{ RetryAgent }, { createFetchDispatcher }] = await Promise.all([
      import('undici'),
      import('./fetch-dispatcher.ts'),
    ])
    const agent = new RetryAgent(createFetchDispatcher(fetch))
    const { origin, pathname } = new URL(url)
    return {
      call: async () => {
        const { statusCode, body } = await agent.request({ origin, path: pathname, method: 'GET' })
        await body.dump()
        return { status: statusCode }
      },
    }
  },
}
