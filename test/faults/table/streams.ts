import { constants } from 'node:http2'
import type { ServerHttp2Stream } from 'node:http2'
import type { Fault } from '../fault.ts'
import { frames, http2, tricklesForever } from '../sites.ts'

const over = 'HTTP/2' as const
const { NGHTTP2_REFUSED_STREAM, NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR, NGHTTP2_ENHANCE_YOUR_CALM } = constants
/** As undici tells that a stream or its session has ended badly. */
const STREAM_LOST = /^(ERR_HTTP2_STREAM_ERROR|ERR_HTTP2_SESSION_ERROR|UND_ERR_INFO|UND_ERR_SOCKET)$/
/** undici 7 ends all that is on a connection as soon as that is to go away. */
const endsAtOnce = { 'interceptor, undici 7': { comesTo: STREAM_LOST } }
/** undici 8 sends what was refused once more, within one attempt. */
const sendsAgain = { 'headgate.fetch': { arrivals: 2 }, 'interceptor, undici 8': { arrivals: 2 } }

export const okay = (stream: ServerHttp2Stream): void => {
  if (stream.destroyed) return
  stream.respond({ ':status': 200 })
  stream.end('okay')
}
const begin = (stream: ServerHttp2Stream): void => {
  stream.respond({ ':status': 200 })
  stream.write('begun')
}
const resets = (code: number) => () => http2((stream) => stream.close(code))

/** Empty, and the answer to the client's. */
const SETTINGS = Buffer.from('000000040000000000' + '000000040100000000', 'hex')
/** Of no error; the last stream that was processed is none. */
const GOAWAY = Buffer.from('000008070000000000' + '00000000' + '00000000', 'hex')

/** Something is wrong with a stream, or with the session that it is on. */
export const streams: Fault[] = [
  {
    name: 'RST_STREAM, refused',
    over,
    serve: resets(NGHTTP2_REFUSED_STREAM),
    comesTo: STREAM_LOST,
    differs: sendsAgain,
  },
  { name: 'RST_STREAM, cancelled', over, serve: resets(NGHTTP2_CANCEL), comesTo: STREAM_LOST },
  { name: 'RST_STREAM, internal error', over, serve: resets(NGHTTP2_INTERNAL_ERROR), comesTo: STREAM_LOST },
  { name: 'RST_STREAM, calm', over, serve: resets(NGHTTP2_ENHANCE_YOUR_CALM), comesTo: STREAM_LOST },
  {
    name: 'RST_STREAM after the headers',
    over,
    serve: () =>
      http2((stream) => {
        begin(stream)
        setTimeout(() => stream.destroy(new Error('oops')), 50)
      }),
    comesTo: STREAM_LOST,
  },
  {
    name: 'GOAWAY, and no answer after it',
    over,
    serve: () => http2((stream) => stream.session!.goaway()),
    agent: { headersTimeout: 2_000 },
    comesTo: /^UND_ERR_HEADERS_TIMEOUT$/,
    differs: endsAtOnce,
  },
  {
    name: 'GOAWAY, nothing processed',
    over,
    serve: () => frames(SETTINGS, GOAWAY),
    comesTo: STREAM_LOST,
    differs: sendsAgain,
  },
  {
    name: 'no frames',
    over,
    serve: () => frames(Buffer.from('nonsense'.repeat(9))),
    calls: 1,
    comesTo: /^ERR_HTTP2_ERROR$/,
  },
  {
    name: 'GOAWAY before the headers, with an error',
    over,
    serve: () => http2((stream) => stream.session!.destroy(new Error('oops'), NGHTTP2_INTERNAL_ERROR)),
    comesTo: STREAM_LOST,
  },
  {
    name: 'GOAWAY, and the answer after it',
    over,
    serve: () =>
      http2((stream) => {
        stream.session!.goaway(0, stream.id)
        setTimeout(() => okay(stream), 50)
      }),
    comesTo: [200, 'okay'],
    differs: endsAtOnce,
  },
  {
    name: 'GOAWAY after the headers, with an error',
    over,
    serve: () =>
      http2((stream) => {
        begin(stream)
        setTimeout(() => stream.session?.destroy(new Error('oops'), NGHTTP2_INTERNAL_ERROR), 50)
      }),
    comesTo: STREAM_LOST,
  },
  {
    name: 'the connection of a stream is reset',
    over,
    serve: () => http2((stream) => void stream.session!.socket.destroy()),
    comesTo: STREAM_LOST,
  },
  {
    name: 'a stream without an answer',
    over,
    serve: () => http2(() => {}),
    givesUp: 'before the headers',
    comesTo: /^AbortError$/,
  },
  {
    name: 'a stream without an answer in time',
    over,
    exit: { by: ['interceptor, undici 7'], why: 'undici 7 does not keep the process alive for an answer in a stream' },
    serve: () => http2(() => {}),
    agent: { headersTimeout: 400 },
    comesTo: /^UND_ERR_HEADERS_TIMEOUT$/,
  },
  {
    name: 'a stream whose body never ends',
    over,
    serve: () =>
      http2((stream) => {
        begin(stream)
        tricklesForever(stream, () => 'x')
      }),
    givesUp: 'in the body',
    comesTo: /^AbortError$/,
  },
  {
    name: 'a stream whose body does not go on',
    over,
    // The process ends under undici 7 if another request begins as this one ends.
    calls: 1,
    serve: () => http2(begin),
    agent: { bodyTimeout: 400 },
    comesTo: /^UND_ERR_BODY_TIMEOUT$/,
  },
  {
    name: 'a stream that is not read',
    over,
    // undici 8 never comes back if another request is aborted as it begins behind this one.
    calls: 1,
    serve: () => http2((stream) => void stream.pause()),
    ask: { method: 'POST', body: 'x'.repeat(4_000_000) },
    givesUp: 'before the headers',
    comesTo: /^AbortError$/,
  },
  {
    name: 'no stream is let in',
    over,
    exit: {
      by: ['headgate.fetch', 'interceptor, undici 8'],
      why: 'undici 8 keeps a connection alive for requests that were aborted',
    },
    serve: () => http2(okay, { settings: { maxConcurrentStreams: 0 } }),
    givesUp: 'before the headers',
    // The first streams may be under way before the client knows.
    comesTo: /^(AbortError|ERR_HTTP2_STREAM_ERROR)$/,
    arrivals: 0,
    counted: 'some',
  },
  {
    name: '100 000 bytes of headers in a stream',
    over,
    serve: () =>
      http2((stream) => {
        stream.respond({
          ':status': 200,
          ...Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`x-${at}`, 'x'.repeat(2_000)])),
        })
        stream.end('okay')
      }),
    calls: 1,
    comesTo: STREAM_LOST,
  },
  {
    name: 'conflicting headers in a stream',
    over,
    serve: () =>
      http2((stream) => {
        stream.respond({
          ':status': 429,
          'retry-after': '1',
          'x-ratelimit-remaining': ['0', '99'],
          'x-ratelimit-limit': ['1', '100'],
        })
        stream.end('okay')
      }),
    calls: 1,
    comesTo: [429, 'okay'],
  },
]
