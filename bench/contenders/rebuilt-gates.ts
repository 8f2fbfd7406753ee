import { FixedWindowGate } from './rebuilt-fixed-window.ts'
import type { RebuiltGate } from './rebuilt-gate.ts'
import { SendTimeGate } from './rebuilt-send-times.ts'
import type { Client, ConfiguredLimit, Contender, Setup } from './contender.ts'

/** Docker Hub was paced with one of these gates, and then with the other. Both are rebuilt from the account of that change. */
const common = { readsHeaders: true, retries: true, time: 'virtual' } as const
const ACCOUNT = 'https://github.com/hexpm/bob'

export const rebuiltFixedWindow: Contender = {
  ...common,
  name: 'rebuilt gate (fixed window)',
  source: { quote: 'burst the whole limit, park until the anchor elapsed, burst again', url: ACCOUNT },
  setUp:
    'Rebuilt from that account: the first reset told in a window ends it, later readings are discarded, and a 429 is tried again at once, up to 20 times. Of two limits it has one: with rate headers that of the shorter window, without them that of the lower rate, which did better.',
  create: (setup) => create(setup, (limit) => new FixedWindowGate(limit), 20),
}

export const rebuiltSendTimes: Contender = {
  ...common,
  name: 'rebuilt gate (send times)',
  source: {
    quote:
      'The gate now keeps its own send times and admits only while fewer than limit of them fall in the trailing window […] it now carries the reading forward',
    url: ACCOUNT,
  },
  setUp:
    'Rebuilt from that account: send times in a trailing window, `remaining` carried forward, headroom for what is in flight, a 429 parks for 5 s, up to 5 tries. Of two limits it has one: with rate headers that of the shorter window, without them that of the lower rate, which did better.',
  create: (setup) => create(setup, (limit) => new SendTimeGate(limit), 5),
}

function create(setup: Setup, gateOf: (limit: ConfiguredLimit) => RebuiltGate, maxTries: number): Client {
  const { fetch, url } = setup
  const gate = gateOf(onlyLimit(setup))
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

/** Headers tell of the limit with the least left, which is most often that of the shortest window. */
function onlyLimit({ limits, headersStated }: Setup): ConfiguredLimit {
  const measure = ({ limit, windowMs }: ConfiguredLimit): number => (headersStated ? windowMs : limit / windowMs)
  return limits.reduce((least, each) => (measure(each) < measure(least) ? each : least))
}
