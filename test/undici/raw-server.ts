import { createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** What a server does when the head of a request has come; `index` counts them. */
export type Script = (socket: Socket, index: number) => void

/** A server that answers each request by these very bytes. `atEnd` is the test's own where it is one of several at a time. */
export async function listenRaw(
  script: Script,
  atEnd: (close: () => Promise<void>) => void = onTestFinished,
): Promise<{ origin: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  let requests = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      if (bytes.includes('\r\n\r\n')) script(socket, requests++)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  atEnd(close)
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

/** The bytes of a response whose body comes with its head. */
export function whole(status: string, body = '', headers: string[] = []): string {
  return [`HTTP/1.1 ${status}`, ...headers, `content-length: ${body.length}`, '', body].join('\r\n')
}

export function chunked(headers: string[], chunks: string[], trailers: string[] = []): string {
  const lines = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`)
  return `${['HTTP/1.1 200 OK', 'transfer-encoding: chunked', ...headers].join('\r\n')}\r\n\r\n${lines.join('')}0\r\n${trailers.map((line) => `${line}\r\n`).join('')}\r\n`
}
