import { createAttached } from '../attached.ts'

const READERS = ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'] as const

/** Lets the connection of a response that nobody will read go back to its pool. */
export function discard(response: Response): void {
  const body = ownBody(response)
  if (body && !body.locked) void body.cancel().catch(() => {})
}

/** A response whose body is watched. */
interface Watch {
  /** What it inherits from when nobody watches. */
  readonly base: Response
  /** Who waits for the end: with one headgate around another, both do. */
  readonly waiting: Set<() => void>
  stream: ReadableStream<Uint8Array> | undefined
}

const watches = createAttached<Response, Watch>()

/** What watched responses inherit from, by what they inherited from before: changing each of them costs many times more. */
const prototypes = new WeakMap<Response, Response>()

/** The stream that the response itself reads from, past any wrapper; null for none, or for one that cannot be watched. */
function ownBody(response: Response): ReadableStream<Uint8Array> | null {
  const base = watches.get(response)?.base ?? (Object.getPrototypeOf(response) as Response)
  const body: unknown = Reflect.get(base, 'body', response)
  return body instanceof ReadableStream ? body : null
}

/**
 * Calls `done` when the body of `response` has been read to its end, has failed or is cancelled; at once where there is none, or none that
 * can be watched, as that of a frozen response. Further calls of `done` must change nothing. The response stays the object that the inner
 * fetch gave, so its status, url, headers and type are its own.
 */
export function whenBodyEnds(response: Response, done: () => void): void {
  if (ownBody(response) === null) return done()
  const watch = watches.get(response)
  if (watch) watch.waiting.add(done)
  else if (Object.isExtensible(response)) watchBody(response, new Set([done]))
  else done()
}

function watchBody(response: Response, waiting: Set<() => void>): void {
  const base = Object.getPrototypeOf(response) as Response
  watches.set(response, { base, waiting, stream: undefined })
  const prototype = prototypes.get(base) ?? watchedPrototype(base)
  prototypes.set(base, prototype)
  Object.setPrototypeOf(response, prototype)
  if (Object.hasOwn(response, 'clone')) Object.defineProperty(response, 'clone', cloning(response.clone))
}

/** Readers, the stream and clones tell when the body ends, and are else what they were. */
function watchedPrototype(base: Response): Response {
  const readers = READERS.filter((name) => typeof Reflect.get(base, name) === 'function')
  return Object.create(base, {
    ...Object.fromEntries(readers.map((name) => [name, reading(base[name] as () => Promise<unknown>)])),
    body: { get: streamOf, configurable: true },
    clone: cloning(base.clone),
  }) as Response
}

function reading(read: () => Promise<unknown>): PropertyDescriptor {
  function value(this: Response): Promise<unknown> {
    return read.call(this).finally(() => end(this))
  }
  return { value, configurable: true, writable: true }
}

/** A clone shares the connection: whichever copy is read to its end first ends it. Both have a stream of their own from then on. */
function cloning(clone: () => Response): PropertyDescriptor {
  function value(this: Response): Response {
    const copy = clone.call(this)
    const watch = watches.get(this)!
    watch.stream = undefined
    watchBody(copy, watch.waiting)
    return copy
  }
  return { value, configurable: true, writable: true }
}

/** The stream is wrapped when it is first asked for, and takes from the response's own only as it is read. */
function streamOf(this: Response): ReadableStream<Uint8Array> | null {
  const watch = watches.get(this)
  const own = ownBody(this)
  if (watch === undefined || own === null) return own
  return (watch.stream ??= watchedStream(own, () => end(this)))
}

function end(response: Response): void {
  for (const done of watches.get(response)?.waiting ?? []) done()
}

function watchedStream(own: ReadableStream<Uint8Array>, done: () => void): ReadableStream<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  const source = {
    type: 'bytes' as const,
    async pull(controller: ReadableByteStreamController) {
      reader ??= own.getReader()
      try {
        const { done: ended, value } = await reader.read()
        if (!ended) return controller.enqueue(value)
        controller.close()
        controller.byobRequest?.respond(0)
      } catch (error) {
        controller.error(error)
      }
      done()
    },
    async cancel(reason: unknown) {
      done()
      await (reader ? reader.cancel(reason) : own.cancel(reason))
    },
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}
