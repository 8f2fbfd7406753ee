import { cert } from '../../conformance/self-signed.ts'
import type { Fault } from '../fault.ts'
import { LOST } from '../fault.ts'
import { connections, nobody, nowhere, OKAY, raw, secure, toLoopback, type Found } from '../sites.ts'
import { fullBacklog } from '../full-backlog.ts'

const unsent = { arrivals: 0, counted: 0 } as const
const timeout = 300
/** What fetch tells of these may as well come from a connection on which a request was sent. */
const maybeSent = { 'headgate.fetch': { counted: 1 } }
const silent = (): void => {}
const answers = (socket: { write(text: string): unknown }): void => void socket.write(OKAY)

/** No connection comes about, or late. */
export const connecting: Fault[] = [
  { name: 'nobody listens', serve: () => nobody(), comesTo: /^ECONNREFUSED$/, ...unsent },
  {
    name: 'nobody listens at any address of the name',
    serve: () => nobody('api.test'),
    agent: { connect: { lookup: twoAddresses } },
    comesTo: /^ECONNREFUSED$/,
    ...unsent,
  },
  { name: 'the name does not resolve', serve: nowhere, comesTo: /^(ENOTFOUND|EAI_AGAIN)$/, ...unsent },
  {
    name: 'the name server does not answer',
    serve: () => raw(answers, 'http://api.test'),
    agent: { connect: { timeout, lookup: silent } },
    comesTo: /^UND_ERR_CONNECT_TIMEOUT$/,
    ...unsent,
  },
  {
    name: 'the backlog is full',
    serve: fullBacklog,
    agent: { connect: { timeout } },
    comesTo: /^UND_ERR_CONNECT_TIMEOUT$/,
    ...unsent,
  },
  {
    name: 'a connection that takes long',
    serve: () => raw(answers, 'http://api.test'),
    agent: { connect: { lookup: slowly } },
    comesTo: [200, 'okay'],
  },
  {
    name: 'reset as it is accepted',
    serve: () => connections((socket) => void socket.resetAndDestroy(), 'http://127.0.0.1'),
    // Whether it is before the request was written is a race.
    comesTo: LOST,
    arrivals: 0,
    counted: 'some',
  },
]

/** No connection that is trusted comes about. */
export const certificates: Fault[] = [
  {
    name: 'a certificate that nobody signed',
    serve: () => secure(answers),
    comesTo: /^DEPTH_ZERO_SELF_SIGNED_CERT$/,
    ...unsent,
  },
  {
    name: 'a certificate of another host',
    serve: () => secure(answers, 'https://api.test'),
    agent: { connect: { ca: cert, lookup: toLoopback } },
    comesTo: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    ...unsent,
  },
  {
    name: 'no version of TLS in common',
    serve: () => secure(answers, undefined, { maxVersion: 'TLSv1.2' }),
    agent: { connect: { ca: cert, minVersion: 'TLSv1.3' } },
    comesTo: /^ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION$/,
    ...unsent,
    differs: maybeSent,
  },
  {
    name: 'no TLS at all',
    serve: () => connections((socket) => socket.once('data', () => void socket.end(OKAY)), 'https://127.0.0.1'),
    comesTo: /^ERR_SSL_/,
    ...unsent,
    differs: maybeSent,
  },
  {
    name: 'closed in the handshake',
    serve: () => connections((socket) => socket.once('data', () => void socket.end()), 'https://127.0.0.1'),
    comesTo: LOST,
    ...unsent,
    differs: maybeSent,
  },
  {
    name: 'reset in the handshake',
    serve: () => connections((socket) => socket.once('data', () => void socket.resetAndDestroy()), 'https://127.0.0.1'),
    comesTo: LOST,
    ...unsent,
    differs: maybeSent,
  },
  {
    name: 'a handshake that does not go on',
    serve: () => connections(silent, 'https://127.0.0.1'),
    agent: { connect: { timeout } },
    comesTo: /^UND_ERR_CONNECT_TIMEOUT$/,
    ...unsent,
  },
  {
    name: 'the certificate of the client is wanted',
    serve: () => secure(answers, undefined, { requestCert: true, rejectUnauthorized: true, ca: cert }),
    agent: { connect: { ca: cert } },
    comesTo: /^(ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED|ECONNRESET|UND_ERR_SOCKET)$/,
    arrivals: 0,
  },
]

function twoAddresses(_host: string, _options: object, found: Found): void {
  found(null, [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ])
}

function slowly(host: string, options: object, found: Found): void {
  setTimeout(() => toLoopback(host, options, found), 500)
}
