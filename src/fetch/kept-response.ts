import type { Kept } from '../attempts/call.ts'
import { MAX_KEEPING_MS, MAX_KEPT_BYTES, notKept } from '../attempts/keeping.ts'
import type { Clock } from '../gate/clock.ts'

/**
 * A response that may yet be handed to its caller, kept without its connection: its body is read into memory while the call
 * waits to try again, and what is handed back has the same status, headers, url and bytes, unread.
 */
export class KeptResponse implements Kept<Response> {
  readonly #response: Response
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  readonly #bytes: Promise<Uint8Array<ArrayBuffer> | undefined>
  #dropped = false

  constructor(response: Response, clock: Clock) {
    this.#response = response
    this.#reader = readerOf(response)
    const timer = clock.setTimer(() => this.drop(), MAX_KEEPING_MS, { keepAlive: false })
    this.#bytes = this.#read().finally(() => clock.clearTimer(timer))
  }

  /** It is not needed any more: what has not been read of it is let go. */
  drop(): void {
    this.#dropped = true
    void this.#reader?.cancel().catch(() => {})
  }

  async handBack(): Promise<Response> {
    const { status, statusText, headers } = this.#response
    const body = this.#reader === undefined ? null : ((await this.#bytes) ?? unkept())
    const known = status >= 200 && status <= 599
    return alike(new Response(body, { status: known ? status : 599, statusText, headers }), this.#response)
  }

  /** The whole body, or undefined for one that is not kept. */
  async #read(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const chunks: Uint8Array[] = []
    let bytes = 0
    try {
      for (let next = await this.#reader?.read(); next && !next.done; next = await this.#reader?.read()) {
        const { value } = next
        chunks.push(value)
        bytes += sizeOf(value)
        if (bytes > MAX_KEPT_BYTES) this.drop()
      }
      return this.#dropped ? undefined : joined(chunks, bytes)
    } catch {
      return undefined
    }
  }
}

/** None for a response without a body, or with one that somebody else reads. */
function readerOf({ body }: Response): ReadableStreamDefaultReader<Uint8Array> | undefined {
  return body instanceof ReadableStream && !body.locked ? body.getReader() : undefined
}

/** Streams that are made by hand hold anything. What is not bytes cannot be kept: no fetch reads it either. */
function sizeOf(chunk: Uint8Array): number {
  const isBytes = Object.prototype.toString.call(chunk) === '[object Uint8Array]'
  return isBytes ? chunk.byteLength : Infinity
}

function joined(chunks: readonly Uint8Array[], bytes: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(bytes)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole
}

/** Says of itself what `other` does and no constructor takes; so do its clones. */
function alike(response: Response, other: Response): Response {
  for (const name of ['status', 'url', 'redirected', 'type'] as const) {
    Object.defineProperty(response, name, { value: other[name], configurable: true })
  }
  const clone = (): Response => alike(Response.prototype.clone.call(response), response)
  return Object.defineProperty(response, 'clone', { value: clone, configurable: true, writable: true })
}

function unkept(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.error(notKept()) })
}
