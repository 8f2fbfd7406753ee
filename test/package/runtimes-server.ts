/** An upstream on a socket that notes when what arrived, and the files that a page loads. */
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

interface Reply {
  status?: number
  headers?: Record<string, string>
  body?: string | Buffer
}

export interface ArrivalServer {
  readonly url: string
  close(): void
}

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript' }

/** Serves the files of `folder` under `/files/`. */
export async function startServer(folder: string): Promise<ArrivalServer> {
  const arrivals = new Map<string, number[]>()
  const server = createServer((request, response) => void answer(folder, arrivals, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => close(server) }
}

async function answer(
  folder: string,
  arrivals: Map<string, number[]>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
  const {
    status = 200,
    headers = {},
    body = 'ok',
  } = pathname.startsWith('/files/')
    ? await fileOf(folder, pathname)
    : replyTo(pathname, searchParams.get('id') ?? '', arrivals)
  response.writeHead(status, { 'cache-control': 'no-store', ...headers }).end(body)
}

function replyTo(pathname: string, id: string, arrivals: Map<string, number[]>): Reply {
  const earlier = arrivals.get(id) ?? []
  if (pathname === '/arrivals') return { body: JSON.stringify(earlier) }
  arrivals.set(id, [...earlier, performance.now()])
  if (pathname === '/redirect') return { status: 302, headers: { location: `/landed?id=${id}` } }
  if (pathname === '/landed') return { body: 'landed' }
  if (pathname === '/throttled' && earlier.length === 0) return { status: 429, headers: { 'retry-after': '1' } }
  return {}
}

async function fileOf(folder: string, pathname: string): Promise<Reply> {
  const path = join(folder, pathname.slice('/files/'.length))
  const type = TYPES[extname(path)] ?? 'application/octet-stream'
  return readFile(path).then(
    (body) => ({ headers: { 'content-type': type }, body }),
    () => ({ status: 404 }),
  )
}

function close(server: Server): void {
  server.closeAllConnections()
  server.close()
}
