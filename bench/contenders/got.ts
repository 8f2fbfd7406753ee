import type { Contender } from './contender.ts'

export const got: Contender = {
  name: 'got',
  package: 'got',
  source: {
    quote: 'By default, Got will retry on failure.',
    url: 'https://github.com/sindresorhus/got#readme',
  },
  setUp:
    'Its defaults: 2 retries, after `Retry-After` or 1 and 2 s. No limit can be told. Over a socket: it takes no `fetch`.',
  readsHeaders: false,
  retries: true,
  time: 'real',
  async create({ url }) {
    const { default: client } = await import('got')
    return {
      call: async () => {
        const { statusCode } = await client.get(url)
        return { status: statusCode }
      },
    }
  },
}
