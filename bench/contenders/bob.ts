import { FixedWindowGate } from './bob-fixed-window.ts'
import type { BobGate } from './bob-gate.ts'
import { SendTimeGate } from './bob-send-times.ts'
import type { Client, ConfiguredLimit, Contender, Setup } from './contender.ts'

/** The service whose gates these are paced Docker Hub with one, and then with the other. Both are rebuilt from its account of them. */
const common = { readsHeaders: true, retries: true, time: 'virtual' } as const
const ACCOUNT = 'https://github.com/hexpm/bob/pull/280'

export const bobFixedWindow: Contender = {
  ...common,
  name: 'hexpm/bob (before #280)',
  source: { quote: 'burst the whole limit, park until the anchor elapsed, burst again', url: ACCOUNT },
  setUp:
    'Rebuilt from that account: the first reset told in a window ends it, later readings are discarded, and a 429 is tried again at once, up to 20 times. Of two limits the one with the lower rate.',
  create: (setup) => create(setup, (limit) => new FixedWindowGate(limit), 20),
}

export const bobSendTimes: Contender = {
  ...common,
  name: 'hexpm/bob (#280)',
  source: {
    quote:
      'The gate now keeps its own send times and admits only while fewer than limit of them fall in the trailing window […] it now carries the reading forward',
    url: ACCOUNT,
  },
  setUp:
    'Rebuilt from that account: send times in a trailing window, `remaining` carried forward, headroom for what is in flight, a 429 parks for 5 s, up to 5 tries. Of two limits the one with the lower rate.',
  create: (setup) => create(setup, (limit) => new SendTimeGate(limit), 5),
}

function create({ fetch, url, limits }: Setup, gateOf: (limit: ConfiguredLimit) => BobGate, maxTries: number): Client {
  const gate = gateOf(lowestRate(limits))
  const attempt = async (): Promise<Response> => {
    await gate.acquire()
    let response: Response | undefined
    try {
      response = await fetch(url)
      await response.text()
      return response
    } finally {
      gate.release(response)
    }
  }
  return {
    call: async () => {
      let response = await attempt()
      for (let tries = 1; response.status === 429 && tries < maxTries; tries += 1) response = await attempt()
      return response
    },
  }
}

function lowestRate(limits: readonly ConfiguredLimit[]): ConfiguredLimit {
  return limits.reduce((lowest, each) => (each.limit / each.windowMs < lowest.limit / lowest.windowMs ? each : lowest))
}
