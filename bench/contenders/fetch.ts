import { fetching } from './calling.ts'
import type { Contender } from './contender.ts'

export const plainFetch: Contender = {
  name: 'fetch',
  source: {
    quote:
      'A fetch() promise does not reject if the server responds with HTTP status codes that indicate errors (404, 504, etc.).',
    url: 'https://developer.mozilla.org/en-US/docs/Web/API/Window/fetch',
  },
  setUp: 'Nothing else: every call is sent as it is made. No limit can be told.',
  readsHeaders: false,
  retries: false,
  time: 'virtual',
  create: (setup) => ({ call: fetching(setup) }),
}
