import { getEventListeners } from 'node:events'
import { onTestFinished } from 'vitest'
import {
  createHeadgate,
  isRateLimitError,
  type Headgate,
  type HeadgateConfig,
  type UpstreamConfig,
} from '../../src/index.ts'
import { createUpstream, type Fault, type UpstreamOptions, VirtualClock } from '../../src/testing/index.ts'

export const url = 'https://api.example/v1/things?page=2'

export type Inner = NonNullable<HeadgateConfig['fetch']>

/**
 * A headgate whose every authority is paced by `pacing`, over an upstream in process that states no rate headers, on a clock
 * that stands at 0. No attempt goes alone first unless `pacing` says so.
 */
export function setUp(pacing: UpstreamConfig = {}, options: UpstreamOptions = {}, config: HeadgateConfig = {}) {
  const clock = new VirtualClock()
  const upstream = createUpstream({ clock, headers: 'none', ...options })
  const headgate = createHeadgate({ clock, fetch: upstream.fetch, default: { coldStartMs: 0, ...pacing }, ...config })
  return {
    clock,
    upstream,
    headgate,
    at: (ms: number, act: () => void) => void clock.setTimer(act, ms - clock.now(), { keepAlive: true }),
    run: <T>(promise: Promise<T>) => clock.runUntil(promise),
    /** When each attempt that reached the upstream was sent. */
    sentAt: () => upstream.log.map(({ sentAtMs }) => sentAtMs),
  }
}

/** The first so many arrivals are answered by `faults`, one each; all others as usual. */
export function firstly(...faults: Fault[]): UpstreamOptions {
  return { faults: ({ index }) => faults[index] }
}

/** An inner fetch that notes its arguments. */
export function recording(answer: () => Response | Promise<Response> = () => new Response('ok')) {
  const calls: { input: unknown; init: Record<PropertyKey, unknown> | undefined }[] = []
  const fetch: Inner = (input, init) => {
    calls.push({ input, init: init as (typeof calls)[number]['init'] })
    return Promise.resolve(answer())
  }
  return { fetch, calls }
}

/** An upstream on a real socket, closed when the test is over. */
export async function listen(options: UpstreamOptions = {}) {
  const upstream = createUpstream({ headers: 'none', ...options })
  const server = await upstream.listen()
  onTestFinished(() => server.close())
  return { upstream, url: `${server.url}/` }
}

/** `globalThis.fetch` for the length of a test. */
export function replaceGlobalFetch(fetch: typeof globalThis.fetch): void {
  const before = globalThis.fetch
  globalThis.fetch = fetch
  onTestFinished(() => void (globalThis.fetch = before))
}

export function abortListeners(signal: AbortSignal): number {
  return getEventListeners(signal, 'abort').length
}

/** Permits held at the gate of `url`. */
export function held(headgate: Headgate): number | undefined {
  return headgate.gate(url)?.snapshot().held
}

/** Units of weight that the first limit of the gate of `url` has counted. */
export function used(headgate: Headgate): number | undefined {
  return headgate.gate(url)?.snapshot().limits[0]?.held
}

/** What a call came to: a status, the reason of a refusal or the name of another error. */
export function outcomeOf(call: Promise<Response>): Promise<number | string> {
  return call.then(
    ({ status }) => status,
    (error: unknown) => (isRateLimitError(error) ? error.reason : (error as Error).name),
  )
}
