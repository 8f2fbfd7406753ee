import { systemClock } from '../clock.ts'
import * as check from '../gate/check.ts'
import { checkUpstream } from './check-options.ts'
import { UpstreamCore } from './core.ts'
import { createFetch } from './in-process.ts'
import type { UpstreamOptions } from './options.ts'
import type { LogEntry, UpstreamReport } from './record.ts'
import { serve, type UpstreamServer } from './server.ts'

export interface Upstream {
  /**
   * Reaches the upstream under its clock, without a socket. Any URL will do. Rejects with the signal's reason as soon as it
   * aborts; what was sent by then is counted when it arrives all the same. Safe to detach.
   */
  readonly fetch: typeof globalThis.fetch
  /** Own requests that reached the upstream, in the order they were counted. Empty with `log: false`. */
  readonly log: readonly LogEntry[]
  /** The counters up to the clock's now. */
  report(): UpstreamReport
  /**
   * Serves the same upstream over HTTP on 127.0.0.1. The latencies are waited for before counting and before answering. A
   * `refused` fault resets the connection, uncounted. `port` 0, the default, takes a free one.
   */
  listen(options?: { port?: number }): Promise<UpstreamServer>
}

/**
 * An upstream that meters like a real one: its limits, its other clients, its headers and its faults.
 * @throws ConfigError for an option that there is not, or of another kind; RangeError for a limit or another client that makes no sense.
 */
export function createUpstream(options: UpstreamOptions = {}): Upstream {
  check.assertValid(checkUpstream, options, '')
  const core = new UpstreamCore(options, options.clock ?? systemClock)
  return {
    fetch: createFetch(core),
    log: core.log,
    report: () => core.report(),
    listen: ({ port = 0 } = {}) => serve(core, port),
  }
}
