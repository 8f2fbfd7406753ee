import { constants } from 'node:http2'
import { LOST, type Fault } from '../fault.ts'
import { http2, nobody, OKAY, raw, secure } from '../sites.ts'
import { whole } from '../../support/raw-server.ts'
import { okay } from './streams.ts'

const retry = { failed: { maxAttempts: 3, baseMs: 1 }, rateLimited: { maxDurationMs: 20_000 } }
const TEN = 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello'
const once = { retry, calls: 1 } as const

/** The same where calls are tried again: each attempt has its own permit. */
export const retried: Fault[] = [
  {
    ...once,
    name: 'nobody listens, three times',
    serve: () => nobody(),
    comesTo: /^ECONNREFUSED$/,
    attempts: 3,
    arrivals: 0,
    counted: 0,
  },
  {
    ...once,
    name: 'a certificate that nobody signed, three times',
    serve: () => secure((socket) => void socket.write(OKAY)),
    comesTo: /^DEPTH_ZERO_SELF_SIGNED_CERT$/,
    attempts: 3,
    arrivals: 0,
    counted: 0,
  },
  {
    ...once,
    name: 'reset three times',
    serve: () => raw((socket) => void socket.resetAndDestroy()),
    comesTo: LOST,
    attempts: 3,
  },
  {
    ...once,
    name: 'reset twice',
    serve: () => raw((socket, index) => void (index < 2 ? socket.resetAndDestroy() : socket.write(OKAY))),
    comesTo: [200, 'okay'],
    attempts: 3,
  },
  {
    ...once,
    name: 'no headers in time, once',
    serve: () => raw((socket, index) => void (index < 1 || socket.write(OKAY))),
    agent: { headersTimeout: 2_000 },
    comesTo: [200, 'okay'],
    attempts: 2,
  },
  {
    ...once,
    name: '500 in the middle of whose body the connection is lost',
    serve: () =>
      raw((socket, index) => {
        if (index === 0) socket.end('HTTP/1.1 500 Oops\r\ncontent-length: 10\r\n\r\nhello')
        else socket.write(OKAY)
      }),
    comesTo: [200, 'okay'],
    attempts: 2,
  },
  {
    ...once,
    name: '429 whose body never ends',
    serve: () =>
      raw((socket, index) => {
        if (index === 0) socket.write('HTTP/1.1 429 Slow\r\nretry-after: 0.1\r\ncontent-length: 10\r\n\r\nhello')
        else socket.write(OKAY)
      }),
    comesTo: [200, 'okay'],
    attempts: 2,
  },
  {
    ...once,
    name: '429, and the probe is reset',
    serve: () =>
      raw((socket, index) => {
        if (index === 0) socket.write(whole('429 Slow', '', ['retry-after: 0.1']))
        else if (index === 1) socket.resetAndDestroy()
        else socket.write(OKAY)
      }),
    comesTo: [200, 'okay'],
    attempts: 3,
  },
  {
    ...once,
    name: 'reset after the headers, which is the caller’s',
    serve: () => raw((socket) => void socket.end(TEN)),
    comesTo: LOST,
  },
  {
    ...once,
    name: 'reset in the middle of a POST, which may have been carried out',
    serve: () => raw((socket) => void socket.resetAndDestroy()),
    ask: { method: 'POST', body: 'text' },
    comesTo: LOST,
  },
  {
    ...once,
    name: 'reset in the middle of a stream, which cannot be sent again',
    serve: () => raw((socket) => void socket.resetAndDestroy()),
    ask: { method: 'PUT', once: ['text'] },
    comesTo: LOST,
  },
  {
    ...once,
    over: 'HTTP/2',
    name: 'RST_STREAM twice',
    serve: () => http2((stream, index) => (index < 2 ? stream.close(constants.NGHTTP2_INTERNAL_ERROR) : okay(stream))),
    comesTo: [200, 'okay'],
    attempts: 3,
  },
  {
    ...once,
    over: 'HTTP/2',
    name: 'GOAWAY with an error, once',
    serve: () =>
      http2((stream, index) =>
        index < 1 ? stream.session!.destroy(new Error('oops'), constants.NGHTTP2_INTERNAL_ERROR) : okay(stream),
      ),
    comesTo: [200, 'okay'],
    attempts: 2,
  },
]
