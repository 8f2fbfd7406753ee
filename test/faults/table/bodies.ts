import { LOST, type Fault } from '../fault.ts'
import { OKAY, raw, secure, trickle, tricklesForever } from '../sites.ts'
import { whole } from '../../support/raw-server.ts'

const TEN = 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello'
const CHUNKS = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
const halfOpen = { allowHalfOpen: true }

/** Something is wrong when the response has begun. */
export const bodies: Fault[] = [
  {
    name: 'reset after the headers',
    serve: () => raw((socket) => socket.write(TEN, () => setTimeout(() => socket.resetAndDestroy(), 50))),
    comesTo: LOST,
  },
  { name: 'closed after the headers', serve: () => raw((socket) => void socket.end(TEN)), comesTo: LOST },
  {
    name: 'half-closed after the headers',
    serve: () => raw((socket) => void socket.end(TEN), undefined, halfOpen),
    comesTo: LOST,
  },
  {
    name: 'half-closed after all of the response',
    serve: () => raw((socket) => void socket.end(OKAY), undefined, halfOpen),
    comesTo: [200, 'okay'],
  },
  {
    name: 'closed between chunks',
    serve: () => raw((socket) => void socket.end(`${CHUNKS}2\r\nok\r\n`)),
    comesTo: LOST,
  },
  {
    name: 'a chunk whose size is no number',
    serve: () => raw((socket) => void socket.write(`${CHUNKS}oops\r\n`)),
    comesTo: /^HTTPParserError$/,
  },
  {
    name: 'cut off under TLS',
    serve: () => secure((socket) => socket.write(TEN, () => setTimeout(() => socket.destroy(), 50))),
    agent: { connect: { rejectUnauthorized: false } },
    comesTo: LOST,
  },
  {
    name: 'a body byte by byte',
    serve: () =>
      raw((socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 40\r\n\r\n')
        void trickle(socket, 'x'.repeat(40))
      }),
    comesTo: [200, 'x'.repeat(40)],
  },
  {
    name: 'a body that never ends',
    serve: () => raw((socket) => tricklesForever(socket, (at) => (at === 0 ? `${CHUNKS}1\r\nx\r\n` : '1\r\nx\r\n'))),
    givesUp: 'in the body',
    comesTo: /^AbortError$/,
  },
  {
    name: 'a body that does not go on',
    serve: () => raw((socket) => void socket.write(TEN)),
    agent: { bodyTimeout: 400 },
    comesTo: /^UND_ERR_BODY_TIMEOUT$/,
  },
  {
    name: 'a body that is not what it is encoded as',
    serve: () => raw((socket) => void socket.write(whole('200 OK', 'okay', ['content-encoding: gzip']))),
    comesTo: [200, 'okay'],
    differs: { 'headgate.fetch': { comesTo: /^Z_DATA_ERROR$/ } },
  },
  {
    name: 'more than the length',
    serve: () => raw((socket) => void socket.write(`${OKAY}and more`)),
    comesTo: [200, 'okay'],
  },
  {
    name: 'a second response that nobody asked for',
    serve: () => raw((socket) => void socket.write(OKAY + whole('200 OK', 'of another'))),
    comesTo: [200, 'okay'],
  },
]

const LARGE = 'x'.repeat(4_000_000)
const upload = { method: 'POST', body: LARGE }

/** A server that takes no more of a request than it has. */
export const uploads: Fault[] = [
  {
    name: 'a server that stops reading',
    serve: () => raw((socket) => void socket.pause()),
    ask: upload,
    givesUp: 'before the headers',
    comesTo: /^AbortError$/,
  },
  {
    name: 'a server that stops reading a stream',
    serve: () => raw((socket) => void socket.pause()),
    ask: { method: 'POST', once: [LARGE] },
    givesUp: 'before the headers',
    comesTo: /^AbortError$/,
  },
  {
    name: 'a server that stops reading for too long',
    serve: () => raw((socket) => void socket.pause()),
    ask: upload,
    agent: { headersTimeout: 400 },
    comesTo: /^UND_ERR_HEADERS_TIMEOUT$/,
  },
  {
    name: 'a server that answers and stops reading',
    serve: () => raw((socket) => socket.pause().write(whole('413 Content Too Large', 'no'))),
    ask: upload,
    comesTo: [413, 'no'],
  },
  {
    name: 'reset in the middle of the request',
    serve: () => raw((socket) => void socket.resetAndDestroy()),
    ask: upload,
    comesTo: LOST,
  },
]
