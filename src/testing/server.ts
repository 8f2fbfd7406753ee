import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Answer, UpstreamCore } from './core.ts'
import type { UpstreamRequest } from './faults.ts'
import { Trip } from './trip.ts'

export interface UpstreamServer {
  /** `http://127.0.0.1:port`, without a slash at the end. */
  readonly url: string
  readonly port: number
  /** Ends all connections, then stops listening. */
  close(): Promise<void>
}

const HOST = '127.0.0.1'

/** `node:http` is imported here, so that the entry loads where there is none. */
export async function serve(core: UpstreamCore, port: number): Promise<UpstreamServer> {
  const { createServer } = await import('node:http')
  const server = createServer((request, response) => {
    answerOver(core, request, response).catch((error: unknown) => fail(response, error))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, HOST, resolve)
  })
  const bound = (server.address() as AddressInfo).port
  return { url: `http://${HOST}:${bound}`, port: bound, close: () => close(server) }
}

async function answerOver(core: UpstreamCore, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const trip = new Trip(core.clock, false)
  outgoing.once('close', () => trip.abandon())
  const answer = await core.exchange(await readRequest(incoming), trip)
  await write(answer, trip, outgoing)
}

async function write(
  { failure, status, headers, body, bodyMs }: Answer,
  trip: Trip,
  outgoing: ServerResponse,
): Promise<void> {
  if (failure === 'hang') return
  if (failure !== undefined) return void outgoing.socket?.resetAndDestroy()
  outgoing.sendDate = false
  outgoing.writeHead(status, headers)
  if (bodyMs > 0) outgoing.flushHeaders()
  await trip.down(bodyMs)
  outgoing.end(body)
}

/** A script that throws shows up in the answer, not as the end of the process. */
function fail(response: ServerResponse, error: unknown): void {
  if (response.destroyed) return
  if (!response.headersSent) response.writeHead(500)
  response.end(String(error))
}

async function readRequest(incoming: IncomingMessage): Promise<UpstreamRequest> {
  const {
    method = 'GET',
    headers: { host = HOST },
  } = incoming
  const request = { url: `http://${host}${incoming.url ?? '/'}`, method, headers: readHeaders(incoming) }
  incoming.setEncoding('utf8')
  let body = ''
  for await (const chunk of incoming) body += chunk
  return body === '' ? request : { ...request, body }
}

function readHeaders({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  return headers
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  await closed
}
