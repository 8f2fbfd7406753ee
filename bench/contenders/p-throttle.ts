import { fetching, nested } from './calling.ts'
import type { Client, Contender, Setup } from './contender.ts'

const common = { package: 'p-throttle', readsHeaders: false, retries: false, time: 'virtual' } as const
const README = 'https://github.com/sindresorhus/p-throttle'

export const pThrottle: Contender = {
  ...common,
  name: 'p-throttle',
  source: { quote: 'The maximum number of calls within an `interval`.', url: `${README}#limit` },
  setUp: '`limit` per `interval`, one throttled function in the other for two limits.',
  create: (setup) => create(setup, false),
}

export const pThrottleStrict: Contender = {
  ...common,
  name: 'p-throttle (strict)',
  source: {
    quote:
      'The strict algorithm throttles each call individually, ensuring the limit is not exceeded for any interval.',
    url: `${README}#strict`,
  },
  setUp: 'As p-throttle, with `strict`.',
  create: (setup) => create(setup, true),
}

async function create(setup: Setup, strict: boolean): Promise<Client> {
  const { default: throttled } = await import('p-throttle')
  return {
    call: nested(setup.limits, fetching(setup), ({ limit, windowMs }, inner) =>
      throttled({ limit, interval: windowMs, strict })(inner),
    ),
  }
}
