import axios, { type AxiosInstance, type CreateAxiosDefaults } from 'axios'
import type { Headgate } from '../../../src/index.ts'

export function axiosThrough(headgate: Pick<Headgate, 'fetch'>, options: CreateAxiosDefaults = {}): AxiosInstance {
  return axios.create({ ...options, adapter: 'fetch', env: { fetch: headgate.fetch } })
}
