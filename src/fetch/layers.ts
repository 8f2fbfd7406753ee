/** Under which an attempt that holds a permit is marked on the init it is sent with. */
const MARK = Symbol.for('headgate.attempt')

/** A request, as far as layers tell it from others. */
export interface Passing {
  readonly method: string
  readonly href: string
}

/** One attempt that holds a permit, on its way through whatever lies between headgate and the wire. */
interface Passage {
  readonly owner: object
  readonly request: Passing
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
export function passesThrough(owner: object, request: Passing, init: object | undefined): boolean {
  const marked = (init as { [MARK]?: Passage } | undefined)?.[MARK]
  const passage = marked ?? storage?.getStore()
  if (!passage || passage.passed || passage.owner !== owner) return false
  if (!isSame(passage.request, request)) return false
  passage.passed = true
  return true
}

/** Sends an attempt that holds a permit of `owner`, so that inner layers of it know. */
export function sendMarked(
  send: typeof fetch,
  owner: object,
  request: Passing,
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<Response> {
  const passage = passageOf(owner, request)
  return sendIn(passage, send, input, isPlain(init) ? carrying(init ?? {}, passage) : init)
}

/** The same without a mark: the init arrives as it is, and inner layers know by the async context alone. */
export function sendUnmarked(
  send: typeof fetch,
  owner: object,
  request: Passing,
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<Response> {
  return sendIn(passageOf(owner, request), send, input, init)
}

/** Options of an attempt that holds a permit of `owner`. */
export function marked<Options extends object>(options: Options, owner: object, request: Passing): Options {
  return carrying(options, { owner, request, passed: false })
}

/** Keeps nothing else of the request: an async context outlives its call in the connections and timers that are made in it. */
function passageOf(owner: object, { method, href }: Passing): Passage {
  return { owner, request: { method, href }, passed: false }
}

function carrying<Options extends object>(options: Options, passage: Passage): Options {
  return { ...options, [MARK]: passage }
}

function sendIn(
  passage: Passage,
  send: typeof fetch,
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<Response> {
  return storage ? storage.run(passage, () => send(input, init)) : send(input, init)
}

/** A copy of anything else, as of a Request, would lose its members. */
export function isPlain(init: RequestInit | undefined): boolean {
  return !init || Object.getPrototypeOf(init) === Object.prototype
}

function isSame(one: Passing, other: Passing): boolean {
  return one.method === other.method && withoutFragment(one.href) === withoutFragment(other.href)
}

/** A dispatcher is not told what comes after the hash. */
function withoutFragment(url: string): string {
  const hash = url.indexOf('#')
  return hash < 0 ? url : url.slice(0, hash)
}
