import { expect, onTestFinished, vi } from 'vitest'
import { createHeadgate, type Headgate, type HeadgateConfig, type UpstreamConfig } from '../../src/index.ts'
import { createUpstream, type Upstream, type UpstreamOptions } from '../../src/testing/index.ts'

export const LIMIT = { limit: 10, windowMs: 300 }

/** A limit of which nothing comes back while a test runs. */
export const LONG_LIMIT = { limit: 10, windowMs: 60_000 }

/** Far above what a busy machine can hold a request up for. It costs nothing where answers come at once. */
export const TRANSIT_MS = 10_000

/** An upstream on a real socket that answers JSON, closed when the test is over. */
export async function listen(options: UpstreamOptions): Promise<{ upstream: Upstream; url: string }> {
  const upstream = createUpstream({ headers: 'none', ...options })
  const server = await upstream.listen()
  onTestFinished(() => server.close())
  return { upstream, url: server.url }
}

/** A headgate for every authority, closed when the test is over. */
export function headgateFor(pacing: UpstreamConfig, config: HeadgateConfig = {}): Headgate {
  const headgate = createHeadgate({ default: { transitMs: TRANSIT_MS, ...pacing }, ...config })
  onTestFinished(() => headgate.close())
  return headgate
}

/** Takes all that is left of the limits of a gate. */
export function useUp(headgate: Headgate, url: string): void {
  const gate = headgate.gate(url)
  for (;;) {
    const permit = gate?.tryAcquire()
    if (permit === undefined) return
    permit.release()
  }
}

/** Waits until so many callers are in the queue of a gate. */
export async function untilQueued(headgate: Headgate, url: string, callers: number): Promise<void> {
  await vi.waitFor(() => expect(headgate.explain(url).queued).toBe(callers), { timeout: 10_000, interval: 5 })
}

/** What a promise that must reject rejects with. */
export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('it did not reject')
}

/** An upstream that answers this in JSON. */
export function json(body: unknown): UpstreamOptions {
  return { body: JSON.stringify(body), headers: () => ({ 'content-type': 'application/json' }) }
}
