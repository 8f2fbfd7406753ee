import { authorityOf } from '../authority.ts'

/**
 * Codes of errors that name no system call and are raised before a request is written: connections that are not made in time,
 * certificates that are not accepted. (Node's and undici's; ECONNREFUSED for fetches that pass on nothing but the code.)
 */
const BEFORE_SENDING = new Set([
  'ECONNREFUSED',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** How many causes deep an error is looked into. */
const MAX_DEPTH = 5

/** What is read of an error; none of it is certain to be there. */
interface Traits {
  code?: unknown
  syscall?: unknown
  port?: unknown
  hostname?: unknown
  host?: unknown
  cause?: unknown
  errors?: unknown
}

/**
 * Whether an attempt at `url` that failed with this error certainly never reached the upstream. An error that names another port or
 * host is no proof: the fetch may have followed a redirect there, or tried a proxy.
 */
export function neverSent(error: unknown, url: URL): boolean {
  return isUnsent(error, url, 0)
}

function isUnsent(error: unknown, url: URL, depth: number): boolean {
  if (typeof error !== 'object' || error === null || depth > MAX_DEPTH) return false
  const traits: Traits = error
  const { cause, errors } = traits
  // Before its own code, which is only that of the first address tried.
  if (Array.isArray(errors) && errors.length > 0) return errors.every((each) => isUnsent(each, url, depth + 1))
  if (isBeforeSending(traits)) return isAbout(url, traits)
  return isUnsent(cause, url, depth + 1)
}

/** The same codes come from reads on a live connection (EHOSTUNREACH, ETIMEDOUT, ECONNREFUSED): the system call tells. */
function isBeforeSending({ code, syscall }: Traits): boolean {
  if (typeof syscall !== 'string') return typeof code === 'string' && BEFORE_SENDING.has(code)
  return syscall === 'connect' || syscall === 'getaddrinfo' || syscall.startsWith('query')
}

/** Look-ups name a `hostname`, connections a `port`, and certificates that are not for the host the `host`. */
function isAbout(url: URL, { port, hostname, host = hostname }: Traits): boolean {
  const authority = authorityOf(url)
  if (port !== undefined && Number(port) !== authority.port) return false
  return typeof host !== 'string' || host.toLowerCase() === authority.host.replace(/^\[|\]$/g, '')
}
