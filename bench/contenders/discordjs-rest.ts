import type { RESTOptions } from '@discordjs/rest'
import type { Client, ConfiguredLimit, Contender, Setup } from './contender.ts'

const SECOND_MS = 1_000

export const discordjsRest: Contender = {
  name: '@discordjs/rest',
  package: '@discordjs/rest',
  source: {
    quote:
      'How many requests to allow sending per second (Infinity for unlimited, 50 for the standard global limit used by Discord)',
    url: 'https://discord.js.org/docs/packages/rest/stable/RESTOptions:Interface',
  },
  setUp:
    'One route, so one bucket, which its headers tell the limit of. A limit per second is told as `globalRequestsPerSecond`, which is 50 by default; no other can be.',
  readsHeaders: true,
  retries: true,
  time: 'virtual',
  create,
}

async function create({ fetch, limits, url }: Setup): Promise<Client> {
  const { REST, RequestMethod } = await import('@discordjs/rest')
  const makeRequest = fetch as unknown as RESTOptions['makeRequest']
  const rest = new REST({ makeRequest, api: new URL('/api', url).href, ...globalLimit(limits) }).setToken('token')
  return {
    call: async () => {
      const response = await rest.queueRequest({ fullRoute: '/users/@me', method: RequestMethod.Get })
      await response.text()
      return response
    },
    close: () => {
      rest.clearHashSweeper()
      rest.clearHandlerSweeper()
    },
  }
}

function globalLimit(limits: readonly ConfiguredLimit[]): Pick<Partial<RESTOptions>, 'globalRequestsPerSecond'> {
  const perSecond = limits.find(({ windowMs }) => windowMs === SECOND_MS)
  return perSecond === undefined ? {} : { globalRequestsPerSecond: perSecond.limit }
}
