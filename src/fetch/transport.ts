/**
 * Codes of errors that are raised before a request is written: names that do not resolve, connections that are refused or not
 * made in time, certificates that are not accepted. (Node's and undici's.)
 */
const BEFORE_SENDING = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** How many causes deep an error is looked into. */
const MAX_DEPTH = 5

/** Whether an attempt that failed with this error certainly never reached the upstream. */
export function neverSent(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > MAX_DEPTH) return false
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown }
  if (typeof code === 'string' && BEFORE_SENDING.has(code)) return true
  if (Array.isArray(errors) && errors.length > 0) return errors.every((each) => neverSent(each, depth + 1))
  return neverSent(cause, depth + 1)
}
