import type { Server } from 'node:http'
import type { Headgate } from '../../../src/index.ts'

/** On SIGTERM: no new requests, and what waits already has `drainMs` to go. Then the process ends by itself. */
export function closeOnSigterm(headgate: Headgate, server: Server, drainMs = 20_000): void {
  process.once('SIGTERM', () => {
    server.close()
    void headgate.close({ drainMs })
  })
}
