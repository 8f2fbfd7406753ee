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

/** Over dispatchers with these options; by default the runtime's own fetch, and dispatchers without any. */
export function facesOver(options?: object): Face[] {
  return [
    fetchOver(options),
    ...Object.entries(versions).map(([name, undici]) => interceptorOf(`interceptor, ${name}`, undici, options ?? {})),
  ]
}

export const http1 = facesOver()

/** Of servers whose certificate nobody signed. */
export const http2 = facesOver({ allowH2: true, connect: { rejectUnauthorized: false } })

function fetchOver(options: object | undefined): Face {
  const open: Face['open'] = (config, defaults) => {
    const agent = options && new undici8.Agent(options)
    const inner = agent ? (undici8.fetch as unknown as Fetch) : globalThis.fetch
    const fetch: Fetch = (input, init) =>
      inner(input, { ...init, ...ownSignal(init?.signal), ...(agent && { dispatcher: agent }) } as RequestInit)
    return openFetch({ fetch, ...config }, defaults, async () => agent?.destroy())
  }
  return { name: 'headgate.fetch', open }
}

/** A fetch listens on its signal until its Request is collected: on one of its own, what is left on the caller's is not the fetch's. */
function ownSignal(signal: AbortSignal | null | undefined): { signal?: AbortSignal } {
  return signal ? { signal: AbortSignal.any([signal]) } : {}
}

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
