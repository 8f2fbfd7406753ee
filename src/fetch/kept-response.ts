import { HeadgateError } from '../gate/errors.ts'

/** Bodies of refusals are short. A longer one is let go, so that no connection is pinned while its call waits. */
export const MAX_KEPT_BYTES = 65_536

/**
 * A response that may yet be handed to its caller, kept without its connection: its body is read into memory while the call
 * waits to try again, and what is handed back has the same status, headers, url and bytes, unread.
 */
export class KeptResponse {
  readonly #response: Response
  readonly #bytes: Promise<Uint8Array<ArrayBuffer> | undefined>

  constructor(response: Response) {
    this.#response = response
    this.#bytes = readBounded(response)
  }

  async handBack(): Promise<Response> {
    const { status, statusText, headers, url, redirected, type } = this.#response
    const body = this.#response.body === null ? null : ((await this.#bytes) ?? unkept())
    const response = new Response(body, { status, statusText, headers })
    for (const [name, value] of Object.entries({ url, redirected, type })) {
      Object.defineProperty(response, name, { value, configurable: true })
    }
    return response
  }
}

/** The whole body, or undefined for one that is too long or does not arrive. */
async function readBounded(response: Response): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const reader = response.body?.getReader()
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      chunks.push(next.value)
      bytes += next.value.byteLength
      if (bytes <= MAX_KEPT_BYTES) continue
      await reader?.cancel()
      return undefined
    }
  } catch {
    return undefined
  }
  return joined(chunks, bytes)
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
  const message = `The body was let go while the call waited to try again: it is longer than ${MAX_KEPT_BYTES} bytes or broke off`
  return new ReadableStream({
    pull: (controller) => controller.error(new HeadgateError('HEADGATE_BODY_NOT_KEPT', message)),
  })
}
