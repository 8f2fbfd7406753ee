import { createSecureServer, type ServerHttp2Stream, type SecureServerOptions } from 'node:http2'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { setTimeout as pause } from 'node:timers/promises'
import { cert, key } from '../conformance/self-signed.ts'
import { listening, type RawServer, type Script, serveRaw, whole } from '../support/raw-server.ts'
import type { Site } from './fault.ts'

export const OKAY = whole('200 OK', 'okay')

export type Found = (error: null, addresses: { address: string; family: number }[]) => void

/** A look-up by which any name is that of the loopback interface. */
export const toLoopback = (_host: string, _options: object, found: Found): void =>
  found(null, [{ address: '127.0.0.1', family: 4 }])

function siteOf({ port, requests, close }: RawServer, origin: string): Site {
  return { url: `${origin}:${port}/`, arrivals: requests, close }
}

/** HTTP/1.1 by `script`. `origin` is what it is called by. */
export async function raw(script: Script, origin = 'http://127.0.0.1', options: object = {}): Promise<Site> {
  return siteOf(await serveRaw(script, createServer(options)), origin)
}

/** The same over TLS, with a certificate that nobody signed. */
export async function secure(script: Script, origin = 'https://127.0.0.1', options: TlsOptions = {}): Promise<Site> {
  return siteOf(await serveRaw(script, createTlsServer({ cert, key, ...options })), origin)
}

/** Nothing but connections: `onSocket` does with each what it likes. */
export async function connections(onSocket: (socket: Socket) => void, origin: string): Promise<Site> {
  return siteOf({ ...(await listening(createServer(onSocket))), requests: () => 0 }, origin)
}

/** A port that was free a moment ago. */
export async function nobody(host = '127.0.0.1'): Promise<Site> {
  const site = await raw(() => {}, `http://${host}`)
  await site.close()
  return site
}

export async function nowhere(): Promise<Site> {
  return { url: 'http://nowhere.invalid/', arrivals: () => 0, close: async () => {} }
}

/** What an HTTP/2 server does with a stream; `index` counts them. */
export type StreamScript = (stream: ServerHttp2Stream, index: number) => void

export async function http2(script: StreamScript, options: SecureServerOptions = {}): Promise<Site> {
  const server = createSecureServer({ cert, key, ...options })
  let streams = 0
  server.on('stream', (stream) => {
    stream.on('error', () => {})
    script(stream, streams++)
  })
  server.on('sessionError', () => {})
  const listened = await listening(server as unknown as Server)
  return siteOf({ ...listened, requests: () => streams }, 'https://127.0.0.1')
}

/** HTTP/2 of which nothing comes but these bytes, once the client has said something. Each connection is taken for one request. */
export async function frames(...bytes: Buffer[]): Promise<Site> {
  const server = createTlsServer({ cert, key, ALPNProtocols: ['h2'] })
  let requests = 0
  server.on('secureConnection', (socket) => {
    requests += 1
    socket.on('error', () => {})
    socket.once('data', () => void socket.resume().write(Buffer.concat(bytes)))
  })
  return siteOf({ ...(await listening(server)), requests: () => requests }, 'https://127.0.0.1')
}

/** Writes `bytes` one by one. */
export async function trickle(
  socket: { write(text: string): unknown; destroyed: boolean },
  bytes: string,
): Promise<void> {
  for (const byte of bytes) {
    if (socket.destroyed) return
    socket.write(byte)
    await pause(4)
  }
}

/** Writes and never comes to an end, until the other side does. */
export function tricklesForever(
  stream: { write(text: string): unknown; destroyed: boolean },
  text: (index: number) => string,
): void {
  let index = 0
  const timer = setInterval(() => {
    if (stream.destroyed) clearInterval(timer)
    else stream.write(text(index++))
  }, 20)
}
