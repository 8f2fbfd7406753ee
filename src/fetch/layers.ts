/** Under which an attempt that holds a permit is marked on the init it is sent with. */
const MARK = Symbol.for('headgate.attempt')

/** One attempt that holds a permit, on its way through whatever lies between headgate and the wire. */
export interface Passage {
  readonly owner: object
  readonly method: string
  readonly url: string
  /** An inner layer of the same headgate has let it through. */
  passed: boolean
}

interface Storage {
  getStore(): Passage | undefined
  run<T>(passage: Passage, work: () => T): T
}

type AsyncHooks = { AsyncLocalStorage: new () => Storage }
type Runtime = { process?: { getBuiltinModule?: (name: string) => AsyncHooks | undefined } }

/** Follows an attempt through layers that drop its init. Missing where the runtime has no async context. */
const storage = createStorage()

function createStorage(): Storage | undefined {
  const hooks = (globalThis as Runtime).process?.getBuiltinModule?.('node:async_hooks')
  return hooks && new hooks.AsyncLocalStorage()
}

/**
 * Lets the attempt through if it holds a permit of `owner` already: as a wrapper around a wrapped fetch does, or a global fetch
 * that was replaced. Each passage is good for one inner layer.
 */
export function passesThrough(owner: object, method: string, url: string, init: object | undefined): boolean {
  const marked = (init as { [MARK]?: Passage } | undefined)?.[MARK]
  const passage = marked ?? storage?.getStore()
  if (!passage || passage.passed || passage.owner !== owner) return false
  if (passage.method !== method || withoutFragment(passage.url) !== withoutFragment(url)) return false
  passage.passed = true
  return true
}

/** Sends an attempt that holds a permit of `owner`, so that inner layers of it know. */
export function sendMarked(
  send: typeof fetch,
  passage: Passage,
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<Response> {
  return sendUnmarked(send, passage, input, isPlain(init) ? marked(init ?? {}, passage) : init)
}

/** Options of an attempt that holds a permit. */
export function marked<Options extends object>(options: Options, passage: Passage): Options {
  return { ...options, [MARK]: passage }
}

/** The same without a mark: the init arrives as it is, and inner layers know by the async context alone. */
export function sendUnmarked(
  send: typeof fetch,
  passage: Passage,
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<Response> {
  return storage ? storage.run(passage, () => send(input, init)) : send(input, init)
}

/** A copy of anything else, as of a Request, would lose its members. */
export function isPlain(init: RequestInit | undefined): boolean {
  return !init || Object.getPrototypeOf(init) === Object.prototype
}

/** A dispatcher is not told what comes after the hash. */
function withoutFragment(url: string): string {
  const hash = url.indexOf('#')
  return hash < 0 ? url : url.slice(0, hash)
}
