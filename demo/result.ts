/** What one run of the demo came to, as the upstream saw it. */
export interface Run {
  client: string
  /** Requests that the client was asked to make. */
  asked: number
  /** Requests that reached the upstream. */
  requests: number
  /** Those of them that it refused with a 429. */
  throttled: number
  /** The most requests in any trailing window, refused ones included. */
  busiestWindow: number
  /** When the upstream let each request in, in ms, in order. */
  acceptedAtMs: readonly number[]
  /** From the start to the last answer, in ms. */
  durationMs: number
}

export interface Limit {
  limit: number
  windowMs: number
}

/** The least share of the ceiling that the demo puts up with. */
export const LEAST_SHARE = 0.95

/**
 * Requests let in, against the most that a rolling window lets in meanwhile.
 *
 * In `d` ms from the first request let in to the last, both included, that is `limit * (1 + floor(d / windowMs))`: one full window
 * at once, and another each time a window has passed. The steps are left out (`1 + d / windowMs`): with them a client could lose most
 * of a window and still show 100 %. So the share is never flattered, and never above 1.
 *
 * `d` is at least what a perfect client needs to get in all that was asked. Otherwise one that bursts, is refused and gives up
 * would have spent no time, and would come out best.
 */
export function shareOfCeiling({ asked, acceptedAtMs }: Run, { limit, windowMs }: Limit): number {
  const tookMs = (acceptedAtMs.at(-1) ?? 0) - (acceptedAtMs[0] ?? 0)
  const neededMs = Math.max(0, Math.ceil(asked / limit) - 1) * windowMs
  return acceptedAtMs.length / (limit * (1 + Math.max(tookMs, neededMs) / windowMs))
}

/** In what a run falls short of the promise; empty where it keeps it. */
export function shortfalls(run: Run, { limit, windowMs }: Limit): string[] {
  const { asked, throttled, busiestWindow, acceptedAtMs } = run
  const share = shareOfCeiling(run, { limit, windowMs })
  const found: string[] = []
  if (acceptedAtMs.length < asked) found.push(`${acceptedAtMs.length} of ${asked} requests were let in`)
  if (throttled > 0) found.push(`${throttled} requests were answered 429`)
  if (busiestWindow > limit)
    found.push(`${busiestWindow} requests in one window of ${windowMs} ms; the limit is ${limit}`)
  if (share < LEAST_SHARE) found.push(`${percent(share)} of the ceiling; at least ${percent(LEAST_SHARE)} was promised`)
  return found
}

/** Rounded down, so that what falls short never reads as if it did not. */
export function percent(share: number): string {
  return `${(Math.floor(share * 1000) / 10).toFixed(1)} %`
}
