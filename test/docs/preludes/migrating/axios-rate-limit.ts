import axios from 'axios'
import { createHeadgate } from '../../../../src/index.ts'

const headgate = createHeadgate()
headgate.gate('api.example.com')?.park(1_000)
export const http = axios.create({
  baseURL: 'https://api.example.com',
  adapter: 'fetch',
  env: { fetch: headgate.fetch },
})
