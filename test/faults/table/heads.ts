import { LOST, type Fault } from '../fault.ts'
import { OKAY, raw, trickle, tricklesForever } from '../sites.ts'
import { whole } from '../../support/raw-server.ts'

const HEAD = 'HTTP/1.1 200 OK\r\n'
const long = (name: string): string => `${name}: ${'x'.repeat(100_000)}`
const many = (count: number, line: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => line(at))
const writes = (bytes: string) => () => raw((socket) => void socket.write(bytes))
const NO_HTTP = /^HTTPParserError$/

/** Something is wrong before the response has begun. */
export const heads: Fault[] = [
  { name: 'reset before the headers', serve: () => raw((socket) => void socket.resetAndDestroy()), comesTo: LOST },
  { name: 'closed before the headers', serve: () => raw((socket) => void socket.destroy()), comesTo: LOST },
  {
    name: 'half-closed before the headers',
    serve: () => raw((socket) => void socket.end(), undefined, { allowHalfOpen: true }),
    comesTo: LOST,
  },
  {
    name: 'reset in the middle of the headers',
    serve: () => raw((socket) => socket.write(`${HEAD}x-a: `, () => void socket.resetAndDestroy())),
    comesTo: LOST,
  },
  {
    name: 'half-closed in the middle of the headers',
    serve: () => raw((socket) => void socket.end(`${HEAD}x-a: `), undefined, { allowHalfOpen: true }),
    comesTo: LOST,
  },
  { name: 'headers byte by byte', serve: () => raw((socket) => void trickle(socket, OKAY)), comesTo: [200, 'okay'] },
  {
    name: 'headers that never come',
    serve: () => raw(() => {}),
    givesUp: 'before the headers',
    comesTo: /^AbortError$/,
  },
  {
    name: 'headers that never come in time',
    serve: () => raw(() => {}),
    agent: { headersTimeout: 400 },
    comesTo: /^UND_ERR_HEADERS_TIMEOUT$/,
  },
  {
    name: 'headers that never end',
    serve: () => raw((socket) => tricklesForever(socket, (at) => (at === 0 ? HEAD : `x-${at}: y\r\n`))),
    givesUp: 'before the headers',
    comesTo: /^AbortError$/,
  },
  {
    name: 'headers that never end in time',
    serve: () => raw((socket) => tricklesForever(socket, (at) => (at === 0 ? HEAD : `x-${at}: y\r\n`))),
    agent: { headersTimeout: 400 },
    comesTo: /^UND_ERR_HEADERS_TIMEOUT$/,
  },
  {
    name: '100 000 bytes of headers',
    serve: writes(whole('200 OK', 'okay', [long('x-a')])),
    comesTo: /^UND_ERR_HEADERS_OVERFLOW$/,
  },
  {
    name: '100 000 bytes of headers where they are let in',
    serve: writes(whole('200 OK', 'okay', [long('x-a')])),
    agent: { maxHeaderSize: 200_000 },
    comesTo: [200, 'okay'],
  },
  {
    name: '100 000 bytes of one rate limit',
    serve: writes(whole('200 OK', 'okay', [long('ratelimit')])),
    agent: { maxHeaderSize: 200_000 },
    comesTo: [200, 'okay'],
  },
  {
    name: '100 000 bytes of rate limits',
    serve: writes(
      whole('200 OK', 'okay', [`ratelimit-policy: ${many(5_000, (at) => `"p${at}";q=9;w=60`).join(', ')}`]),
    ),
    agent: { maxHeaderSize: 200_000 },
    comesTo: [200, 'okay'],
  },
  {
    name: '200 early hints',
    serve: writes(many(200, () => 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n').join('') + OKAY),
    comesTo: [200, 'okay'],
  },
  { name: 'no HTTP', serve: writes('nonsense\r\n\r\n'), comesTo: NO_HTTP },
  { name: 'a status that is no number', serve: writes('HTTP/1.1 2OO OK\r\n\r\n'), comesTo: NO_HTTP },
  { name: 'a header with a NUL', serve: writes(whole('200 OK', 'okay', ['x-a: \0'])), comesTo: NO_HTTP },
  {
    name: 'two lengths that differ',
    serve: writes(whole('200 OK', 'okay', ['content-length: 9'])),
    comesTo: /^UND_ERR_RES_CONTENT_LENGTH_MISMATCH$/,
  },
  {
    name: 'a length and chunks',
    serve: writes(whole('200 OK', 'okay', ['transfer-encoding: chunked'])),
    comesTo: NO_HTTP,
  },
]
