/** What a service could use too, and why it has no row of its own. */
export const leftOut: readonly { name: string; why: string }[] = [
  {
    name: '@octokit/plugin-throttling',
    why: 'Its limits are those of GitHub and of its routes, and cannot be told. It is built on bottleneck, which has three rows.',
  },
  { name: 'openai', why: 'A client of one API. It retries as ky, got and undici do, which have a row each.' },
  { name: 'cockatiel', why: 'Retries, breaks circuits and bounds concurrency, and has no rate to tell.' },
  { name: 'fetch-retry', why: 'Retries alone, as ky, got and undici do, which have a row each.' },
]
