import type { Clock } from '../gate/clock.ts'
import type { Answer, UpstreamCore } from './core.ts'
import type { UpstreamRequest } from './faults.ts'
import { Trip } from './trip.ts'

/** The statuses that a Response must not be given a body for. */
const BODILESS = new Set([204, 205, 304])

/** A `fetch` that reaches the upstream without a socket. Redirects are handed back, as `redirect: 'manual'` would. */
export function createFetch(core: UpstreamCore): typeof globalThis.fetch {
  return async (input, init) => {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined)
    signal?.throwIfAborted()
    const trip = new Trip(core.clock, true)
    const exchange = async (): Promise<Response> => {
      const request = await readRequest(input, init)
      signal?.throwIfAborted()
      return toResponse(core.clock, request, await core.exchange(request, trip), signal)
    }
    return orAborted(exchange, signal, trip)
  }
}

/** Without the signal, on which a Request would leave a listener. */
async function readRequest(input: string | URL | Request, init: RequestInit = {}): Promise<UpstreamRequest> {
  const request = new Request(input, { ...init, signal: null })
  const { url, method, headers } = request
  return request.body === null ? { url, method, headers } : { url, method, headers, body: await request.text() }
}

function orAborted<T>(work: () => Promise<T>, signal: AbortSignal | undefined, trip: Trip): Promise<T> {
  if (signal === undefined) return work()
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      trip.abandon()
      reject(signal.reason)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    const finish = (): void => signal.removeEventListener('abort', onAbort)
    work().then(resolve, reject).finally(finish)
  })
}

function toResponse(
  clock: Clock,
  request: UpstreamRequest,
  answer: Answer,
  signal: AbortSignal | undefined,
): Response | Promise<Response> {
  const { failure, status, headers, bodyMs } = answer
  if (failure === 'hang') return new Promise(() => {})
  if (failure !== undefined) throw transportError(failure)
  const hasBody = request.method !== 'HEAD' && !BODILESS.has(status)
  const body = bodyMs > 0 ? lateBody(clock, answer, signal) : answer.body
  const response = new Response(hasBody ? body : null, { status, headers })
  return Object.defineProperty(response, 'url', { value: request.url.replace(/#.*$/, '') })
}

const CODES = { refused: 'ECONNREFUSED', reset: 'ECONNRESET' }

/** Shaped as the host's fetch shapes it. */
function transportError(failure: 'refused' | 'reset'): TypeError {
  const code = CODES[failure]
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })
}

/** A body that arrives some time after its headers, and fails if the signal aborts before it has. */
function lateBody(clock: Clock, { body, bodyMs }: Answer, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  let stop = (): void => {}
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const onAbort = (): void => {
        stop()
        controller.error(signal?.reason)
      }
      const arrive = (): void => {
        stop()
        controller.enqueue(new TextEncoder().encode(body))
        controller.close()
      }
      const timer = clock.setTimer(arrive, bodyMs, { keepAlive: true })
      stop = () => {
        clock.clearTimer(timer)
        signal?.removeEventListener('abort', onAbort)
      }
      signal?.addEventListener('abort', onAbort, { once: true })
    },
    cancel: () => stop(),
  })
}
