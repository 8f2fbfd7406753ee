import { Readable } from 'node:stream'
import * as undici8 from 'undici'
import * as undici7 from 'undici7'
import { createHeadgate, type HeadgateConfig } from '../../src/index.ts'
import { headgateInterceptor } from '../../src/undici/index.ts'
import type { Ask, Face, Sender, Told } from './face.ts'

type Undici = typeof undici8
type Fetch = NonNullable<HeadgateConfig['fetch']>

/** The same interface, as far as is used here. */
export const versions: Record<'undici 8' | 'undici 7', Undici> = {
  'undici 8': undici8,
  'undici 7': undici7 as unknown as Undici,
}

/** Of servers whose certificate nobody signed. */
const OVER_H2 = { allowH2: true, connect: { rejectUnauthorized: false } }

export const http1: Face[] = [
  { name: 'headgate.fetch', open: (config, defaults) => openFetch(config, defaults, async () => {}) },
  ...Object.entries(versions).map(([name, undici]) => interceptorOf(`interceptor, ${name}`, undici, {})),
]

export const http2: Face[] = [
  {
    name: 'headgate.fetch',
    open: (config, defaults) => {
      const agent = new undici8.Agent(OVER_H2)
      const fetch = ((input: string, init: object) => undici8.fetch(input, { ...init, dispatcher: agent })) as Fetch
      return openFetch({ ...config, fetch }, defaults, () => agent.destroy())
    },
  },
  ...Object.entries(versions).map(([name, undici]) => interceptorOf(`interceptor, ${name}`, undici, OVER_H2)),
]

function openFetch(config: HeadgateConfig, defaults: object, close: () => Promise<void>): Sender {
  const headgate = createHeadgate(config)
  const { fetch } = headgate.with(defaults)
  const send = async (url: string, { call, once, path: _path, ...rest }: Ask): Promise<Told> => {
    const body = once && { body: ReadableStream.from(once.map((text) => Buffer.from(text))), duplex: 'half' }
    const own = call === undefined ? {} : { headgate: call }
    return fetch(url, { ...rest, ...body, ...own } as Parameters<typeof fetch>[1])
  }
  return { headgate, send, close }
}

function interceptorOf(name: string, undici: Undici, options: object): Face {
  const open: Face['open'] = (config, defaults) => {
    const headgate = createHeadgate(config)
    const agent = new undici.Agent(options)
    const dispatcher = agent.compose(headgateInterceptor(headgate, defaults))
    const send = async (url: string, { call, once, path: _path, method = 'GET', ...rest }: Ask): Promise<Told> => {
      const own = { ...(call !== undefined && { headgate: call }), ...(once && { body: Readable.from(once) }) }
      const request = { dispatcher, method, ...rest, ...own } as Parameters<Undici['request']>[1]
      const { statusCode, headers, body } = await undici.request(url, request)
      return { status: statusCode, headers: headersOf(headers), text: () => body.text() }
    }
    return { headgate, send, close: () => agent.destroy() }
  }
  return { name, open }
}

function headersOf(headers: Record<string, string | string[] | undefined>): Headers {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith(':') ? [] : [value ?? ''].flat().map((each): [string, string] => [name, each]),
  )
  return new Headers(pairs)
}
