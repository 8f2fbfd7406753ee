import type { Server } from 'node:http'
import type { Headgate } from '../../../src/index.ts'

/** On SIGTERM: no new requests. Those being handled may call upstreams for `drainMs`; who waits then is refused. The process ends by itself. */
export function closeOnSigterm(headgate: Headgate, server: Server, drainMs = 20_000): void {
  process.once('SIGTERM', () => {
    server.close(() => void headgate.close({ drainMs }))
    setTimeout(() => void headgate.close(), drainMs).unref()
  })
}
