import type { Clock } from '../gate/clock.ts'
import { HeadgateError } from '../gate/errors.ts'

/** Bodies of refusals are short and come at once. One that is longer or slower is let go, so that it pins no connection. */
export const MAX_KEPT_BYTES = 65_536
export const MAX_KEEPING_MS = 1_000

/**
 * A response that may yet be handed to its caller, kept without its connection: its body is read into memory while the call
 * waits to try again, and what is handed back has the same status, headers, url and bytes, unread.
 */
export class KeptResponse {
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
    const { status, statusText, headers, url, redirected, type } = this.#response
    const body = this.#reader === undefined ? null : ((await this.#bytes) ?? unkept())
    const known = status >= 200 && status <= 599
    const response = new Response(body, { status: known ? status : 599, statusText, headers })
    for (const [name, value] of Object.entries({ status, url, redirected, type })) {
      Object.defineProperty(response, name, { value, configurable: true })
    }
    return response
  }

  /** The whole body, or undefined for one that is not kept. */
  async #read(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const chunks: Uint8Array[] = []
    let bytes = 0
    try {
      for (let next = await this.#reader?.read(); next && !next.done; next = await this.#reader?.read()) {
        chunks.push(next.value)
        bytes += next.value.byteLength
        if (bytes > MAX_KEPT_BYTES) this.drop()
      }
    } catch {
      return undefined
    }
    return this.#dropped ? undefined : joined(chunks, bytes)
  }
}

/** None for a response without a body, or with one that somebody else reads. */
function readerOf({ body }: Response): ReadableStreamDefaultReader<Uint8Array> | undefined {
  return body instanceof ReadableStream && !body.locked ? body.getReader() : undefined
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

function unkept(): ReadableStream<Uint8Array> {
  const most = `${MAX_KEPT_BYTES} bytes and ${MAX_KEEPING_MS} ms`
  const message = `The body was let go while its call waited to try again: no more than ${most} are spent on keeping one`
  return new ReadableStream({
    pull: (controller) => controller.error(new HeadgateError('HEADGATE_BODY_NOT_KEPT', message)),
  })
}
