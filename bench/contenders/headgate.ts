import { fetching } from './calling.ts'
import type { ConfiguredLimit, Contender } from './contender.ts'

export const headgate: Contender = {
  name: 'headgate',
  package: 'headgate',
  source: {
    quote: 'Wrap `fetch`, give each upstream its limits',
    url: '../README.md',
  },
  setUp: '`limits` and nothing else; a token bucket is told as a rolling window of its size per refill time.',
  readsHeaders: true,
  retries: true,
  time: 'virtual',
  async create(setup) {
    const { createHeadgate } = await import('../built.ts')
    const limits = setup.limits.map(toLimit)
    const gate = createHeadgate({ fetch: setup.fetch, upstreams: { [new URL(setup.url).host]: { limits } } })
    return { call: fetching({ ...setup, fetch: gate.fetch }), close: () => gate.close() }
  },
}

function toLimit({ kind, ...limit }: ConfiguredLimit): ConfiguredLimit & { kind: 'rolling' | 'fixed' } {
  return { ...limit, kind: kind === 'fixed' ? 'fixed' : 'rolling' }
}
