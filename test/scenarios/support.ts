import { expect } from 'vitest'
import type { RetryOptions, UpstreamConfig } from '../../src/index.ts'
import type { Fault, HeaderState, UpstreamOptions } from '../../src/testing/index.ts'
import { firstly, setUp, url } from '../fetch/support.ts'

/** The gate of a scenario that names none. */
export const PER_SECOND = { limit: 100, windowMs: 1_000 }

/** A scene in virtual time, from 0 on: the gate as a user has it who sets no more than `pacing`, over an upstream in process. */
export function setScene(pacing: UpstreamConfig = {}, options: UpstreamOptions = {}) {
  const scene = setUp({}, options, { default: { limits: PER_SECOND, ...pacing } })
  return {
    ...scene,
    /** When each attempt reached the upstream. */
    arrivals: () => scene.upstream.log.map(({ countedAtMs }) => countedAtMs),
    /** Calls made so many milliseconds after the start, each of a URL of its own. */
    callsAt: (...instants: number[]) =>
      Promise.all(
        instants.map(
          (ms, call) =>
            new Promise<Response>((resolve, reject) =>
              scene.at(ms, () => void scene.headgate.fetch(`https://api.example/${call}`).then(resolve, reject)),
            ),
        ),
      ),
  }
}

export function throttled(retryAfter: string): Fault {
  return { status: 429, headers: { 'retry-after': retryAfter } }
}

/** An allowance of so many milliseconds, and no hint waited for longer than a minute. */
export function within(maxDurationMs: number, whenTooLong: 'clamp' | 'return'): RetryOptions {
  return { rateLimited: { maxDurationMs, maxRetryAfterMs: 60_000, whenTooLong } }
}

/** Matches an instant or a duration within these bounds. */
export function between(fromMs: number, toMs: number): number {
  return expect.toSatisfy((ms: number) => ms >= fromMs && ms <= toMs, `between ${fromMs} and ${toMs}`) as number
}

/** Matches an instant that may lie up to 100 ms late, and not early. */
export function about(ms: number): number {
  return between(ms, ms + 100)
}

/** So many times the same. */
export function times<T>(count: number, value: T): T[] {
  return Array<T>(count).fill(value)
}

/**
 * When the attempts of one call arrive of which the first is answered with this `Retry-After`. It has ten seconds, and backs off by
 * half a second.
 */
export async function arrivalsAfter(retryAfter: string, status = 429): Promise<number[]> {
  const retry = { ...within(10_000, 'clamp'), failed: { baseMs: 500 } }
  const pacing = { cooldown: { baseMs: 500, parkMs: 500 }, retry }
  const { headgate, run, arrivals } = setScene(pacing, firstly({ ...throttled(retryAfter), status }))
  expect((await run(headgate.fetch(url))).status).toBe(200)
  return arrivals()
}

/** A park of a second where the upstream says nothing, and ten seconds to go on trying. */
export const DEFAULT_PARK: UpstreamConfig = {
  cooldown: { baseMs: 1_000, parkMs: 1_000 },
  retry: { rateLimited: { maxDurationMs: 10_000 } },
}

/** Headers that say nothing is left, until the second that comes so many after the server's own. */
export function resetAfter(seconds: number): (state: HeaderState) => Record<string, string> {
  return ({ wallMs }) => ({
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(Math.floor(wallMs / 1_000) + seconds),
  })
}
