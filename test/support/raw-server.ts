import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { Server as SecureServer } from 'node:tls'

/** What a server does when the head of a request has come; `index` counts them. */
export type Script = (socket: Socket, index: number) => void

/** A server on a port of the loopback interface, and how many requests have come to it. */
export interface RawServer {
  readonly port: number
  readonly requests: () => number
  readonly close: () => Promise<void>
}

/** Answers each request by the very bytes of `script`. `server` is one whose connections carry HTTP/1.1. */
export async function serveRaw(script: Script, server: Server = createServer()): Promise<RawServer> {
  let requests = 0
  const isSecure = server instanceof SecureServer
  server.on(isSecure ? 'secureConnection' : 'connection', (socket: Socket) => {
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      if (bytes.includes('\r\n\r\n')) script(socket, requests++)
    })
  })
  return { ...(await listening(server)), requests: () => requests }
}

/** Listens, and ends what is connected as it closes. */
export async function listening(server: Server): Promise<Omit<RawServer, 'requests'>> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { port, close }
}

/** The bytes of a response whose body comes with its head. */
export function whole(status: string, body = '', headers: string[] = []): string {
  return [`HTTP/1.1 ${status}`, ...headers, `content-length: ${body.length}`, '', body].join('\r\n')
}

export function chunked(headers: string[], chunks: string[], trailers: string[] = []): string {
  const lines = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`)
  return `${['HTTP/1.1 200 OK', 'transfer-encoding: chunked', ...headers].join('\r\n')}\r\n\r\n${lines.join('')}0\r\n${trailers.map((line) => `${line}\r\n`).join('')}\r\n`
}
