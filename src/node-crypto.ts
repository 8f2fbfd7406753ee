import { HeadgateError } from './gate/errors.ts'

interface Hash {
  update(text: string): Hash
  digest(encoding: 'hex' | 'base64url'): string
}

interface Crypto {
  randomBytes(size: number): { toString(encoding: 'hex'): string }
  createHash(algorithm: string): Hash
}

type Runtime = { process?: { getBuiltinModule?: (name: string) => Crypto | undefined } }

/** Only Node and runtimes like it make digests without waiting. Throws a `HeadgateError` elsewhere; `feature` is what needs it. */
export function nodeCrypto(feature: string): Crypto {
  const found = (globalThis as Runtime).process?.getBuiltinModule?.('node:crypto')
  if (found) return found
  throw new HeadgateError('HEADGATE_UNSUPPORTED', `${feature} need a runtime that has node:crypto`)
}

/** So many characters of a digest, 6 bits each: the same wherever the text is. */
export function digestOf(text: string, length: number): string {
  return nodeCrypto('Shared budgets').createHash('sha256').update(text).digest('base64url').slice(0, length)
}

/** As `EVALSHA` names scripts. */
export function sha1(text: string): string {
  return nodeCrypto('Shared budgets').createHash('sha1').update(text).digest('hex')
}
