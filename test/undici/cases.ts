import type { Dispatcher } from 'undici'
import { setImmediate as turn } from 'node:timers/promises'
import type { UpstreamConfig } from '../../src/index.ts'
import { chunked, type Script, whole } from './raw-server.ts'
import type { Acts } from './recorder.ts'

/** One request, how it is answered, and what its handler does. */
export interface Case {
  name: string
  options?: Partial<Dispatcher.DispatchOptions>
  /** Undefined: nobody listens. */
  answer: Script | undefined
  acts?: () => Acts
  pacing?: UpstreamConfig
}

const write =
  (...parts: string[]): Script =>
  (socket) => {
    void (async () => {
      for (const part of parts) {
        socket.write(part)
        await turn()
        await turn()
      }
    })()
  }
const silent: Script = () => {}
const hangUp: Script = (socket) => void socket.resetAndDestroy()
const failing = { retry: false } as const
const enough = new Error('enough')
const oops = (): never => {
  throw new Error('oops')
}
const okay = write(whole('200 OK', 'hello', ['X-One: 1', 'set-cookie: a', 'set-cookie: b']))
const inTwo = write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello', 'world')
const early = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'

export const cases: Case[] = [
  { name: '200 in one piece', answer: okay },
  { name: '200 in two', answer: inTwo },
  { name: '200 in chunks', answer: write(chunked(['x-a: b'], ['one', 'two'])) },
  { name: '204', answer: write('HTTP/1.1 204 No Content\r\n\r\n') },
  { name: '304', answer: write('HTTP/1.1 304 Not Modified\r\netag: "x"\r\n\r\n') },
  { name: '404', answer: write(whole('404 Not Found', 'none')) },
  { name: 'HEAD', options: { method: 'HEAD' }, answer: write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n') },
  { name: '103 Early Hints, then 200', answer: write(early + whole('200 OK', 'hello')) },
  { name: '103 Early Hints, and 200 later', answer: write(early, whole('200 OK', 'hello')) },
  { name: 'trailers', answer: write(chunked(['trailer: x-t'], ['one'], ['x-t: 1'])) },
  { name: 'a body sent', options: { method: 'POST', body: 'text' }, answer: okay },
  {
    name: 'an upgrade',
    options: { upgrade: 'websocket' },
    answer: write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\nframe'),
  },
  { name: 'an upgrade that is not granted', options: { upgrade: 'websocket' }, answer: okay },
  {
    name: 'CONNECT',
    options: { method: 'CONNECT', path: 'example.com:443' },
    answer: write('HTTP/1.1 200 Connected\r\nx-a: b\r\n\r\n', 'bytes'),
  },
  {
    name: 'CONNECT that is throttled',
    options: { method: 'CONNECT', path: 'example.com:443' },
    answer: write('HTTP/1.1 429 Too Many\r\nretry-after: 0.01\r\n\r\n', 'bytes'),
  },
  { name: 'nobody there', answer: undefined, pacing: failing },
  { name: 'the connection lost before the headers', answer: hangUp, pacing: failing },
  { name: 'and closed', answer: (socket) => void socket.end(), pacing: failing },
  { name: 'no HTTP', answer: write('nonsense\r\n\r\n'), pacing: failing },
  {
    name: 'the connection lost in the middle of the body',
    answer: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello')
      setTimeout(() => socket.resetAndDestroy(), 30)
    },
  },
  {
    name: 'the connection closed in the middle of the body',
    answer: (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello'),
  },
  { name: 'an abort as it starts', answer: okay, acts: () => ({ start: (it) => it.abort(enough) }) },
  {
    name: 'an abort before the headers',
    answer: silent,
    acts: () => ({ start: (it) => void setTimeout(() => it.abort(enough), 30) }),
  },
  { name: 'an abort at the headers', answer: inTwo, acts: () => ({ headers: (it) => it.abort(enough) }) },
  {
    name: 'an abort after the headers',
    answer: write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n'),
    acts: () => ({ headers: (it) => void setTimeout(() => it.abort(enough), 30) }),
  },
  { name: 'an abort in the middle of the body', answer: inTwo, acts: () => ({ data: (it) => it.abort(enough) }) },
  {
    name: 'an abort at 103',
    answer: write(early, whole('200 OK')),
    acts: () => ({ headers: (it) => it.abort(enough) }),
  },
  { name: 'a handler that throws as it starts', answer: okay, acts: () => ({ start: oops }) },
  { name: 'at 103', answer: write(early + whole('200 OK', 'x')), acts: () => ({ headers: oops }) },
  { name: 'at the headers, with all of it there', answer: okay, acts: () => ({ headers: oops }) },
  { name: 'at the headers', answer: inTwo, acts: () => ({ headers: oops }) },
  { name: 'at the body, with all of it there', answer: okay, acts: () => ({ data: oops }) },
  { name: 'at the body', answer: inTwo, acts: () => ({ data: oops }) },
  { name: 'at the end', answer: okay, acts: () => ({ end: oops }) },
  {
    name: 'at an upgrade',
    options: { upgrade: 'x' },
    answer: write('HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    acts: () => ({ upgrade: oops }),
  },
  { name: 'no path', options: { path: 'no/slash' }, answer: okay },
  { name: 'a header that cannot be sent', options: { headers: { 'x-a': 'a\nb' } }, answer: okay },
]
