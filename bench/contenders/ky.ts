import type { Contender } from './contender.ts'

export const ky: Contender = {
  name: 'ky',
  package: 'ky',
  source: {
    quote:
      'If `Retry-After` is missing, Ky falls back to rate-limit timing headers (`RateLimit-Reset`, `X-RateLimit-Retry-After`, `X-RateLimit-Reset`, and `X-Rate-Limit-Reset`).',
    url: 'https://github.com/sindresorhus/ky#retry',
  },
  setUp: 'Its defaults: 2 retries, after `Retry-After`, the stated reset, or 300 and 600 ms. No limit can be told.',
  readsHeaders: true,
  retries: true,
  time: 'virtual',
  async create({ fetch, url }) {
    const { default: kyDefault } = await import('ky')
    const client = kyDefault.create({ fetch })
    return {
      call: async () => {
        const response = await client.get(url)
        await response.text()
        return response
      },
    }
  },
}
