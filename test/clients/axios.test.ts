import axios, { AxiosError, type AxiosInstance, CanceledError } from 'axios'
import { describe, expect, test } from 'vitest'
import { conforms } from './conformance.ts'
import { axiosThrough } from './recipes/axios.ts'
import { headgateFor, json, listen, LONG_LIMIT, untilQueued, useUp } from './support.ts'

const ask = (client: AxiosInstance) => async (signal?: AbortSignal) => {
  const { data } = await client.get<string[]>('/things', signal && { signal })
  return data
}

describe('axios', () => {
  conforms({
    upstream: json(['a', 'b']),
    paced: (headgate, baseURL) => ask(axiosThrough(headgate, { baseURL })),
    bare: (baseURL) => ask(axios.create({ baseURL })),
    gives: ['a', 'b'],
    aborted: expect.any(CanceledError),
    refused: expect.any(AxiosError),
    retryAfter: (error) => error instanceof AxiosError && (error.response?.headers['retry-after'] as unknown),
  })

  test('fetchOptions carry the options of a call', async () => {
    const { url: baseURL } = await listen(json([]))
    const client = axiosThrough(headgateFor({ limits: LONG_LIMIT }), { baseURL })
    const fetchOptions = { headgate: { weight: LONG_LIMIT.limit + 1 } }
    await expect(client.get('/', { fetchOptions })).rejects.toMatchObject({ code: 'HEADGATE_NEVER' })
  })

  test('its timeout runs while a call waits', async () => {
    const { url: baseURL } = await listen(json([]))
    const headgate = headgateFor({ limits: LONG_LIMIT })
    useUp(headgate, baseURL)
    const call = axiosThrough(headgate, { baseURL, timeout: 200 }).get('/')
    await expect(call).rejects.toMatchObject({ code: 'ETIMEDOUT' })
    await untilQueued(headgate, baseURL, 0)
  })
})
