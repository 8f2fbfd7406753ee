import { createSecureServer, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type CallOptions,
  type Headgate,
  type HeadgateConfig,
  isRateLimitError,
  type UpstreamConfig,
} from '../../src/index.ts'
import { createUpstream, type Upstream, type UpstreamOptions } from '../../src/testing/index.ts'
import type { Ask, Face, Told } from './face.ts'
import { cert, key } from './self-signed.ts'

export type Serve = (upstream: Upstream) => Promise<{ url: string; close(): Promise<void> }>

/** A headgate, an upstream on a real socket, and what a face says between them. */
export interface Stage {
  headgate: Headgate
  upstream: Upstream
  url: string
  send(ask?: Ask): Promise<Told>
  /** Status and body, or how it failed. `at` is another address. */
  outcome(ask?: Ask & { at?: string }): Promise<[status: number, body: string] | string>
  pause(ms: number): Promise<void>
  /** The upstream listens no more. */
  close(): Promise<void>
}

export interface Setting {
  pacing?: UpstreamConfig
  upstream?: UpstreamOptions
  config?: HeadgateConfig
  /** For every call. */
  defaults?: CallOptions
}

/** Sets stages for one row, and clears them away after it. */
export async function onStage(
  face: Face,
  serve: Serve,
  play: (set: (setting?: Setting) => Promise<Stage>) => Promise<void>,
): Promise<void> {
  const closers: (() => Promise<void>)[] = []
  const set = async ({ pacing, upstream: options, config, defaults = {} }: Setting = {}): Promise<Stage> => {
    const upstream = createUpstream({ headers: 'none', ...options })
    const server = await serve(upstream)
    const sender = face.open({ default: { coldStartMs: 0, ...pacing }, ...config }, defaults)
    closers.push(
      () => sender.close(),
      () => server.close(),
    )
    const { headgate } = sender
    const { url } = server
    const send = ({ at, ...ask }: Ask & { at?: string } = {}): Promise<Told> =>
      sender.send(at ?? `${url}${ask.path ?? '/'}`, ask)
    const outcome: Stage['outcome'] = (ask) => outcomeOf(send(ask))
    return { headgate, upstream, url: `${url}/`, send, outcome, pause, close: () => server.close() }
  }
  try {
    await play(set)
  } finally {
    await Promise.all(closers.map((close) => close()))
  }
}

export const overHttp1: Serve = (upstream) => upstream.listen()

/** The same upstream behind HTTP/2. */
export const overHttp2: Serve = async (upstream) => {
  const server = createSecureServer({ cert, key })
  server.on('stream', (stream, headers) => {
    answer(upstream, stream, headers).catch(() => stream.close(2))
  })
  const sessions = new Set<{ destroy(): void }>()
  server.on('session', (session) => sessions.add(session))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    for (const session of sessions) session.destroy()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { url: `https://127.0.0.1:${port}`, close }
}

async function answer(upstream: Upstream, stream: ServerHttp2Stream, asked: Record<string, unknown>): Promise<void> {
  const gone = new AbortController()
  stream.on('error', () => {})
  stream.once('close', () => gone.abort())
  const { ':path': path, ':method': method, ...rest } = asked as Record<string, string>
  const headers = Object.entries(rest).filter(([name]) => !name.startsWith(':'))
  const body = Buffer.concat(await stream.toArray()).toString()
  const init = { method: method!, headers, signal: gone.signal, ...(body !== '' && { body }) }
  const response = await upstream.fetch(`http://h2.test${path}`, init)
  stream.respond({ ':status': response.status, ...Object.fromEntries(response.headers) })
  stream.end(await response.text())
}

/** The reason of a refusal, or the name or code of another error. */
export function failureOf(error: unknown): string {
  if (isRateLimitError(error)) return error.reason
  const { code, name } = error as { code?: unknown; name: string }
  return typeof code === 'string' ? code : name
}

export function outcomeOf(call: Promise<Told>): Promise<[status: number, body: string] | string> {
  return call.then(async (told): Promise<[number, string]> => [told.status, await told.text()]).catch(failureOf)
}

/** When each request arrived, in milliseconds after the first. */
export function arrivals({ upstream: { log } }: Stage): number[] {
  return log.map(({ countedAtMs }) => countedAtMs - log[0]!.countedAtMs)
}

export async function elapsed(work: Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work
  return performance.now() - startedAt
}

export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

/** Waits for what comes of itself. */
export async function until(holds: () => boolean): Promise<void> {
  for (const deadline = performance.now() + 5_000; !holds() && performance.now() < deadline;) await pause(5)
}

export { pause }
