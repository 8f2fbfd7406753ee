const READERS = ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'] as const

/** Lets the connection of a response that nobody will read go back to its pool. */
export function discard(response: Response): void {
  const body = ownBody(response)
  if (body && !body.locked) void body.cancel().catch(() => {})
}

/** The stream that the response itself reads from, past any wrapper; null for none, or for one that cannot be watched. */
function ownBody(response: Response): ReadableStream<Uint8Array> | null {
  const body: unknown = Reflect.get(Object.getPrototypeOf(response) as object, 'body', response)
  return body instanceof ReadableStream ? body : null
}

/** Who waits for the end of a body that is watched already: with one headgate around another, both do. */
const waiting = new WeakMap<Response, Set<() => void>>()

/**
 * Calls `done` when the body of `response` has been read to its end, has failed or is cancelled; at once where there is none.
 * Further calls of `done` must change nothing. The response stays the object that the inner fetch gave, so its status, url,
 * headers and type are its own.
 */
export function whenBodyEnds(response: Response, done: () => void): void {
  if (ownBody(response) === null) return done()
  const others = waiting.get(response)
  if (others) return void others.add(done)
  const all = new Set([done])
  waiting.set(response, all)
  watch(response, () => all.forEach((each) => each()))
}

function watch(response: Response, done: () => void): void {
  watchBody(response, done)
  watchClone(response, done)
}

function watchBody(response: Response, done: () => void): void {
  for (const name of READERS) watchReader(response, name, done)
  watchStream(response, done)
}

function watchReader(response: Response, name: (typeof READERS)[number], done: () => void): void {
  const read = Reflect.get(Object.getPrototypeOf(response) as object, name) as (() => Promise<unknown>) | undefined
  if (typeof read !== 'function') return
  const value = (): Promise<unknown> => read.call(response).finally(done)
  Object.defineProperty(response, name, { value, configurable: true, writable: true })
}

/** The stream is wrapped when it is first asked for, and takes from the response's own only as it is read. */
function watchStream(response: Response, done: () => void): void {
  const own = ownBody(response)!
  let watched: ReadableStream<Uint8Array> | undefined
  const get = (): ReadableStream<Uint8Array> => (watched ??= watchedStream(own, done))
  Object.defineProperty(response, 'body', { get, configurable: true })
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

/** A clone shares the connection: whichever copy is read to its end first ends it. */
function watchClone(response: Response, done: () => void): void {
  const clone: () => Response = response.clone
  const value = (): Response => {
    const copy = clone.call(response)
    watchBody(response, done)
    watch(copy, done)
    return copy
  }
  Object.defineProperty(response, 'clone', { value, configurable: true, writable: true })
}
