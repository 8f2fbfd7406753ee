import { awaiting, HUGE, nothing, type Peer } from './peer.ts'

const REQUEST = 'who waits is a request of axios, and an abort is noticed when its turn has come'

export const axiosPeers: readonly Peer[] = [
  {
    name: 'axios',
    package: 'axios',
    free: {
      how: 'call',
      setUp: 'an adapter that answers at once, for comparison with the next',
      open: async () => {
        const http = await bareAxios()
        return awaiting(() => http.get('/'))
      },
    },
  },
  {
    name: 'axios-rate-limit',
    package: 'axios-rate-limit',
    free: {
      how: 'call',
      setUp: 'maxRequests that hold nobody, axios with an adapter that answers at once',
      open: async () => {
        const http = await limitedAxios(HUGE, 1_000)
        return awaiting(() => http.get('/'))
      },
    },
    leftOut: { contended: REQUEST, waiters: REQUEST },
  },
]

async function bareAxios() {
  const { default: axios } = await import('axios')
  return axios.create({
    adapter: async (config) => {
      await nothing()
      return { data: '', status: 200, statusText: 'OK', headers: {}, config }
    },
  })
}

async function limitedAxios(maxRequests: number, perMilliseconds: number) {
  const { default: rateLimit } = await import('axios-rate-limit')
  return rateLimit(await bareAxios(), { maxRequests, perMilliseconds })
}
